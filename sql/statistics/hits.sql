{#
about = "relevant items among the first k"
over = "hits"
empty = "0"
#}
{{ choose("ties", expected="sum(h.probability)", otherwise="count(*)") }}
