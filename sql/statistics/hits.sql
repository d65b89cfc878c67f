{#
about = "relevant items among the first k"
over = "hits"
empty = "0"
#}
count(*)
