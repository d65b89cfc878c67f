{#
title = "root mean squared error"
group = "ratings"
formula = "square root of mse"
reference = "Bennett and Lanning 2007, The Netflix Prize"
care = "errors are squared before the mean, so a few large ones decide it; it is in units of the ratings, so don't compare it between scales"
aliases = ["root_mean_squared_error"]
default = 5
grain = "rating"
bounds = [0]
better = "lower"
sum_of = "squared_error"
root = true
#}
sqrt(s.squared_error / nullif(s.pairs, 0))
