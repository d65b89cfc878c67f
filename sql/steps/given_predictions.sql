{#
row = "one row per row of predictions, under our names"
grain = "rating"
inline = true
#}
{{ inputs.tables["predictions"].select }}
