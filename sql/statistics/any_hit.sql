{#
about = "1 if there is a hit down to k, else 0"
over = "hits"
empty = "0e0"
#}
{{ choose("ties", expected=sql.exact_sum("h.leads"), otherwise="1e0") }}
