{#
row = "one row per row of train"
grain = "baseline"
inline = true
#}
{{ tables.past.select }}
