{#
about = "popularity of an item, averaged within each list, then added up over lists"
over = "popularities"
needs = ["popularities"]
#}
{{ sql.exact_sum("y.popularity") }}
