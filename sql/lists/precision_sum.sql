{#
about = "sum of precision at the rank of each hit"
#}
recsql.list_total(list_transform(list_sort({{ hits }}), lambda r, n: n / cast(r as double)))
