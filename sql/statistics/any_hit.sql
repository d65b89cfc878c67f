{#
about = "1 if the top k has a hit, else 0"
over = "hits"
empty = "0e0"
#}
{{ choose("ties", expected=sql.exact_sum("h.leads"), otherwise="1e0") }}
