{#
row = "one row per row of candidates"
inline = true
when = "candidates_read"
#}
{{ tables.candidates.select }}
