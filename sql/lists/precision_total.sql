{#
about = "precision at each of the ranks 1..k, summed: a hit at rank r adds 1/r + ... + 1/k"
#}
{{ sql.exact_total(rendering.found_at_k, "h", "list_sum(list_transform(range(h.rank, l.k + 1), lambda r: 1e0 / r))") }}
