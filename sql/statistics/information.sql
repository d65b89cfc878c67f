{#
about = "entropy in bits of the items recommended down to k"
over = "items"
#}
{{ sql.exact_sum("f.items * (f.times / f.total) * log2(f.total / f.times)") }}
