{#
row = "one row per interaction, with all columns"
grain = "interaction"
inline = true
#}
{{ inputs.tables["interactions"].select }}
