{#
about = "sum of precision at the rank of each hit"
over = "hits"
empty = "0e0"
#}
{{ summed("h.nth / nullif(" ~ double("h.rank") ~ ", 0)") }}
{# over two lists #}
recsql.list_total(list_transform(list_sort({{ hits }}), lambda r, n: n / cast(r as double)))
