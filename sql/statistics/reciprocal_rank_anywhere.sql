{#
about = "1 / rank of the first hit of the whole list, NULL without one"
over = "list"
#}
{{ choose("ties", expected=sql.exact_sum("h.leads / h.rank"), otherwise="1e0 / min(h.rank)") }}
