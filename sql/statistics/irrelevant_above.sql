{#
about = "sum over the hits of rank - m: the items above the m-th hit that are not relevant"
over = "hits"
empty = "0e0"
#}
{{ summed("h.rank - h.nth") }}
{# over two lists #}
recsql.list_total(list_transform(list_sort({{ hits }}), lambda r, n: cast(r - n as double)))
