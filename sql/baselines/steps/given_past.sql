{#
row = "one row per row of train"
grain = "baseline"
inline = true
when = "'past' in tables"
#}
{{ tables.past.select }}
