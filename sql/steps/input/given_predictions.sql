{#
row = "one row per row of predictions, with recsql's column names"
grain = "rating"
inline = true
#}
{{ tables.predictions.select }}
