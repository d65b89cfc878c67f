{#
about = "1 if the top k has a hit, else 0"
over = "hits"
empty = "0e0"
#}
{{ summed("h.leads") if expected else "1e0" }}
