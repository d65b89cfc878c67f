{#
row = "one row per row of ratings, under our names"
grain = "rating"
inline = true
#}
{{ inputs.tables["ratings"].select }}
