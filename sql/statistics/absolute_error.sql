{#
about = "sum of |rating - prediction|"
over = "pairs"
#}
{{ sql.any_sum("abs(p.rating - p.prediction)") }}
