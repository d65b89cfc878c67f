{#
about = "information in bits of an item, averaged within each list, then over lists"
over = "lists"
#}
{{ sql.exact_mean("y.information") }}
