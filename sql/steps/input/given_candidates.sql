{#
row = "one row per row of candidates"
inline = true
#}
{{ tables.candidates.select }}
