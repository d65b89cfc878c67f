{#
row = "one row per row of segments, with recsql's column names"
inline = true
when = "by_table"
#}
{{ tables.segments.select }}
