{#
about = "1 / rank of the first hit in the whole list; NULL without a hit"
#}
1e0 / list_min(l.hits)
