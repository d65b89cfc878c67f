{#
about = "sum over the hits of the whole list of rank - m: the items above the m-th hit that are not relevant"
over = "list"
empty = "0e0"
needs = ["whole_list"]
#}
{{ summed("h.rank - h.nth") }}
{# over two lists #}
recsql.list_total(list_transform(list_sort(l.hits), lambda r, n: cast(r - n as double)))
