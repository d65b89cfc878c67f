{#
row = "one row per row of predictions, with recsql's column names"
grain = "rating"
inline = true
when = "target == 'rating_metrics'"
#}
{{ tables.predictions.select }}
