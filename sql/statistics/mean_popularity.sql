{#
about = "popularity of an item, averaged within each list, then over lists"
over = "popularities"
needs = ["popularities"]
#}
{{ sql.exact_mean("y.popularity") }}
