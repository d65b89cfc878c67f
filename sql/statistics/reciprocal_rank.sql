{#
about = "1 / rank of the first hit down to k, NULL without one"
over = "hits"
#}
{{ choose("ties", expected=sql.exact_sum("h.leads / h.rank"), otherwise="1e0 / min(h.rank)") }}
