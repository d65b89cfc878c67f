{#
about = "variance of the ratings that have a prediction"
over = "pairs"
#}
var_pop(case when p.prediction is not null then p.rating end)
