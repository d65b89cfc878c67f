{#
row = "one row per row of ratings, with recsql's column names"
grain = "rating"
inline = true
when = "target == 'rating_metrics' and ratings_apart"
#}
{{ tables.ratings.select }}
