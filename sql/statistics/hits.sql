{#
about = "relevant items among the first k"
over = "hits"
empty = "0"
#}
{{ choose("ties", expected=sql.exact_sum("h.probability"), otherwise="count(*)") }}
