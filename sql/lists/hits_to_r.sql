{#
about = "hits in the first R ranks of the top k"
#}
len(list_filter({{ hits }}, lambda r: r <= l.relevant))
