{#
about = "whether the rank of a row `r` of recs is not a whole number that starts at 1"
#}
(
    r.rank is null
    or r.rank < 1
    or r.rank >= {{ whole }}
    or (
        {{ sql.type_of("r.rank") }} not like '%INT%'
        and ({{ double("r.rank") }} % 1 <> 0 or {{ sql.is_nan(double("r.rank")) }})
    )
)
