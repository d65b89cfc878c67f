{#
row = "one row per model of a part, and per item recommended there: how often down to a cut-off, and not to the one before"
grain = "item"
inline = true
#}
{{ inputs.tables["parts"].select }}
