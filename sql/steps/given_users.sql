{#
row = "one row per user of the fixed population"
inline = true
#}
{{ inputs.tables["users"].select }}
