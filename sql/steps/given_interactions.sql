{#
row = "one row per interaction, with all its columns"
grain = "interaction"
inline = true
#}
{{ inputs.tables["interactions"].select }}
