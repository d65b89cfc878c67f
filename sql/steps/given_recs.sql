{#
row = "one row per row of recs, under our names"
inline = true
#}
{{ inputs.tables["recs"].select }}
