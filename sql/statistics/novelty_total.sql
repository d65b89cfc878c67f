{#
about = "sum of the self-information in bits of all recommended rows"
over = "popularities"
needs = ["novelties"]
#}
{{ sql.exact_sum("y.novelty") }}
