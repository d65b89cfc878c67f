{#
about = "(rating - prediction)^2, summed"
over = "pairs"
#}
sum(power(p.rating - p.prediction, 2))
