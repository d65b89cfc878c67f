{#
about = "1 if the top k has a hit, else 0"
over = "hits"
empty = "0e0"
#}
{{ sql.exact_sum("h.leads") if expected else "1e0" }}
