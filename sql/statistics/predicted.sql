{#
about = "sum of the predicted probabilities"
over = "pairs"
needs = ["probabilities"]
#}
{{ sql.any_sum("p.prediction") }}
