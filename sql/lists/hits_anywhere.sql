{#
about = "hits in the whole list"
#}
len(l.hits)
