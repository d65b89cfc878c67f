{#
row = "one row per row of train"
grain = "item"
inline = true
#}
{{ tables.train.select }}
