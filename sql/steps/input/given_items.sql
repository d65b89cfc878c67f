{#
row = "one row per catalogue item and category"
grain = "item"
inline = true
when = "target == 'candidates' or (items is not none and (catalog_read or (valued and needs.categories_at_k)))"
#}
{{ tables['items'].select }}
