{#
about = "the number of items that are read"
needs = ["items"]
#}
len(l.items)
