{#
about = "sum of precision at each rank 1..k; a hit at rank r adds 1/r + ... + 1/k"
#}
recsql.list_total(list_transform({{ hits }}, lambda r: list_sum(list_transform(range(r, l.k + 1), lambda i: 1e0 / i))))
