{#
about = "|rating - prediction|, summed"
over = "pairs"
#}
{{ sql.any_sum("abs(p.rating - p.prediction)") }}
