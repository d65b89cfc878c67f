{#
about = "R: the number of relevant items"
#}
len(l.entries)
