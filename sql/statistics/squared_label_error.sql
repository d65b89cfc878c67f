{#
about = "sum of (label - prediction)^2"
over = "pairs"
needs = ["labels", "probabilities"]
#}
{{ sql.any_sum("power(" ~ label_of("p.rating") ~ " - p.prediction, 2)") }}
