{#
title = "mean absolute error"
group = "ratings"
formula = "sum of |rating - prediction| / pairs"
reference = "Herlocker, Konstan, Terveen and Riedl 2004"
care = "pairs without a prediction are left out, so a model that predicts only for well-known items looks better; check that the models have the same number of pairs"
aliases = ["mean_absolute_error"]
default = 2
grain = "rating"
bounds = [0]
better = "lower"
sum_of = "absolute_error"
#}
s.absolute_error / nullif(s.pairs, 0)
