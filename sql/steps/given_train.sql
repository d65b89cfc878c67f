{#
row = "one row per row of train"
grain = "item"
inline = true
#}
{{ inputs.tables["train"].select }}
