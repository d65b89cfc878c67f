{#
about = "a join that keeps only the rows of `r` whose item may be relevant to the user"
#}
{# Most files store a user's rows together, so this join is cheaper than looking up each user and item. Few rows are left. #}
inner join fingerprints as f
    on
        f.user_id = r.user_id
        and {{ sql.has_bit("f.bits", "r.item_id", 1) }}
        and {{ sql.has_bit("f.other_bits", "r.item_id", 2) }}
