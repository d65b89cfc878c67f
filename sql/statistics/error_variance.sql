{#
about = "variance of rating - prediction"
over = "pairs"
#}
var_pop(p.rating - p.prediction)
