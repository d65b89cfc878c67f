{#
row = "one row per row of segments, with recsql's column names"
inline = true
when = "segmented and 'segments' in tables"
#}
{{ tables.segments.select }}
