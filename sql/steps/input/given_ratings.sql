{#
row = "one row per row of ratings, with recsql's column names"
grain = "rating"
inline = true
#}
{{ tables.ratings.select }}
