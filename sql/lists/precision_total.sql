{#
about = "sum of precision at each rank 1..k; a hit at rank r adds 1/r + ... + 1/k"
needs = ["found", "k"]
#}
{{ sql.exact_total(found_at_k, "h", "list_sum(list_transform(range(h.rank, l.k + 1), lambda r: 1e0 / r))") }}
