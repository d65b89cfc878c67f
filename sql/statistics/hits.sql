{#
about = "relevant items in the top k"
over = "hits"
empty = "0"
#}
{{ sql.exact_sum("h.probability") if expected else "count(*)" }}
