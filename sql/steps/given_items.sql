{#
row = "one row per catalogue item and category"
grain = "item"
inline = true
#}
{{ inputs.tables["items"].select }}
