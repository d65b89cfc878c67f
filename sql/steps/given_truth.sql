{#
row = "one row per row of truth, under our names"
inline = true
#}
{{ inputs.tables["truth"].select }}
