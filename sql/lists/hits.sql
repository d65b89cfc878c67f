{#
about = "hits in the top k"
#}
len({{ hits }})
