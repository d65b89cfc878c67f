{#
row = "one row per LIST of recs"
inline = true
#}
{{ inputs.lists }}
