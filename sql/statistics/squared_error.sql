{#
about = "sum of (rating - prediction)^2"
over = "pairs"
#}
{{ sql.any_sum("power(p.rating - p.prediction, 2)") }}
