{#
about = "information in bits of the items of a list, averaged in the list and over lists"
over = "lists"
#}
{{ sql.exact_mean("y.information") }}
