{#
title = "mean squared error"
group = "ratings"
formula = "sum of (rating - prediction)^2 / pairs"
reference = "Herlocker, Konstan, Terveen and Riedl 2004"
care = "errors are squared, so a few large ones decide it: a single default prediction, such as 0 for an unknown user, can outweigh many good ones"
aliases = ["mean_squared_error"]
default = 3
grain = "rating"
bounds = [0]
better = "lower"
sum_of = "squared_error"
#}
s.squared_error / nullif(s.pairs, 0)
