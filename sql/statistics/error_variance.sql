{#
about = "variance of rating - prediction"
over = "pairs"
needs = ["means"]
#}
{{ sql.any_sum("power(p.rating - p.prediction - c.error, 2)") }} / nullif(count(p.prediction), 0)
