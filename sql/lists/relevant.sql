{#
about = "R: the relevant items"
#}
len(l.entries)
