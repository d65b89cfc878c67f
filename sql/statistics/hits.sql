{#
about = "relevant items in the top k"
over = "hits"
empty = "0"
#}
{{ choose("ties", expected=sql.exact_sum("h.probability"), otherwise="count(*)") }}
