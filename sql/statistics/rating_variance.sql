{#
about = "variance of the ratings that have a prediction"
over = "pairs"
#}
var_pop(case when p.prediction is not null and {{ sql.is_finite("p.rating") }} then p.rating end)
