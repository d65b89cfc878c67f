{#
about = "sum of the self-information in bits of all recommended rows"
over = "popularities"
needs = ["novelties"]
units = true
#}
{{ exact_sum("y.novelty") }}
