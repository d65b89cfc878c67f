{#
about = "sum of the gains of the hits"
#}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain))
