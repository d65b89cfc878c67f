{#
title = "median absolute error"
group = "ratings"
formula = "median of |rating - prediction|; of an even number of pairs, the mean of the two in the middle"
reference = "Hampel 1974, The Influence Curve"
care = "half of the errors can be of any size without changing it, and with ratings in whole stars it moves in steps; read it beside mae"
aliases = ["median_error"]
grain = "rating"
bounds = [0]
better = "lower"

[names]
sklearn = ["median_absolute_error"]
#}
s.median_absolute_error
