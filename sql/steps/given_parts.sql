{#
row = "one row per part, model and metric or item: the sum of the metric, or how often the item is recommended; one model stands for all without lists"
inline = true
#}
{{ inputs.tables["parts"].select }}
