{#
about = "1 / rank of the first hit in the whole list; NULL without a hit"
over = "list"
#}
{{ choose("ties", expected=sql.exact_sum("h.leads / nullif(h.rank, 0)"), otherwise="1e0 / nullif(min(h.rank), 0)") }}
