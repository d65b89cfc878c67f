{#
about = "popularity of an item, averaged within each list, then over lists"
over = "popularities"
needs = ["popularities"]
#}
{{ sql.exact_mean("y.popularity / nullif(" ~ double("y.popularity_items") ~ ", 0e0)") }}
