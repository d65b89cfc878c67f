{#
about = "hits in the first R ranks of the whole list"
#}
len(list_filter(l.hits, lambda r: r <= l.relevant))
