{#
about = "variance of rating - prediction"
over = "pairs"
#}
{# What isn't finite is refused by a check, in words, unless the variance stops at it first. #}
var_pop(case when {{ sql.is_finite("p.rating - p.prediction") }} then p.rating - p.prediction end)
