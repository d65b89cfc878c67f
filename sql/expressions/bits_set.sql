{#
about = "a join that leaves of `r` the items that may be relevant to their user"
#}
{# Users stand together in most files, so that this is cheaper than to look up each user and item; what is left are few. #}
inner join fingerprints as f
    on
        f.user_id = r.user_id
        and {{ sql.has_bit("f.bits", "r.item_id", 1) }}
        and {{ sql.has_bit("f.other_bits", "r.item_id", 2) }}
