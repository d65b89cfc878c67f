{#
about = "variance of the ratings that have a prediction"
over = "pairs"
needs = ["means"]
#}
{{ sql.any_sum("power(p.rating - c.rating, 2)") }} / nullif(count(p.prediction), 0)
