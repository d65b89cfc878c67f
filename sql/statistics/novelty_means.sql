{#
about = "self-information in bits of an item, averaged within each list, then added up over lists"
over = "popularities"
needs = ["novelties"]
#}
{{ sql.exact_sum("y.novelty / nullif(y.novelty_items, 0)") }}
