{#
about = "sum of 1 / rank over the hits in the top k"
over = "hits"
empty = "0e0"
#}
{{ summed("1 / nullif(" ~ double("h.rank") ~ ", 0)") }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda r: 1 / cast(r as double)))
