{#
about = "(rating - prediction)^2, summed"
over = "pairs"
#}
{{ sql.any_sum("power(p.rating - p.prediction, 2)") }}
