{#
about = "1 / rank of the first hit of the whole list, NULL without one"
#}
1e0 / (l.found)[1].rank
