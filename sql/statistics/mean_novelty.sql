{#
about = "self-information in bits of an item, averaged within each list, then over lists"
over = "popularities"
needs = ["novelties"]
#}
{{ sql.exact_mean("y.novelty / nullif(y.novelty_items, 0)") }}
