{#
about = "rank of the first hit down to k, NULL without one"
over = "hits"
#}
min(h.rank)
