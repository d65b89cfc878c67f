{#
row = "one row per catalogue item and category"
grain = "item"
inline = true
when = "target == 'candidates' or (items is not none and (finding or catalog_read or (of_users and catalog_size is none and user_needs('catalog_size')) or categories_read or (of_users and needs.vectors)))"
#}
{{ tables['items'].select }}
