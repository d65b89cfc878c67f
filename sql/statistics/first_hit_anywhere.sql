{#
about = "rank of the first hit of the whole list, NULL without one"
over = "list"
#}
min(h.rank)
