{#
row = "one row per part and model there, or those without a list there, and metric or item: what it comes to, or how often it is recommended"
inline = true
#}
{{ inputs.tables["parts"].select }}
