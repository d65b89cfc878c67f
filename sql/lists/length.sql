{#
about = "how many items are read"
#}
len(l.items)
