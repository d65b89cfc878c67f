{#
about = "the number of items that are read"
#}
len(l.items)
