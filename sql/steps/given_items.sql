{#
row = "one row per item of the catalogue, and category of it"
grain = "item"
inline = true
#}
{{ inputs.tables["items"].select }}
