{#
about = "popularity of an item, averaged within each list, then added up over lists"
over = "popularities"
needs = ["popularities"]
units = true
#}
{{ exact_sum("y.popularity") }}
