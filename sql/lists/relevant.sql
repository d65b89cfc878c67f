{#
about = "R: the number of relevant items"
needs = ["entries"]
#}
len(l.entries)
