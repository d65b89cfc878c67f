{#
row = "one row per catalogue item and category"
grain = "item"
inline = true
#}
{{ tables['items'].select }}
