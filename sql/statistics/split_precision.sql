{#
about = "the mean precision at the hits, if the cut-off separates tied items"
over = "splits"
#}
{% set precision = "coalesce(y.precision, 0e0)" %}
{{ choose("ties",
    best="max(" ~ precision ~ ")",
    worst="min(" ~ precision ~ ")",
    otherwise="(" ~ sql.exact_sum("y.weight * " ~ precision) ~ ") / (" ~ sql.exact_sum("y.weight") ~ ")",
) }}
