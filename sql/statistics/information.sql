{#
about = "entropy in bits of the items recommended in the top k"
over = "items"
#}
{{ sql.exact_sum("f.items * (f.times / f.total) * log2(f.total / f.times)") }}
