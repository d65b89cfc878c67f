{#
row = "one row per part, model and metric or item: the sum, or the number of recommendations; one model stands for all without lists"
inline = true
#}
{{ tables.parts.select }}
