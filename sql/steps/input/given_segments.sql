{#
row = "one row per row of segments, with recsql's column names"
inline = true
#}
{{ tables.segments.select }}
