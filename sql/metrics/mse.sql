{#
title = "mean squared error"
formula = "sum of (rating - prediction)^2 / pairs"
reference = "Herlocker, Konstan, Terveen and Riedl 2004"
aliases = ["mean_squared_error"]
grain = "rating"
bounds = [0]
better = "lower"
sum_of = "squared_error"
needs = ["squared_error", "pairs"]
#}
s.squared_error / nullif(s.pairs, 0)
