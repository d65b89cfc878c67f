{#
title = "mean absolute percentage error"
group = "ratings"
formula = "mean of |rating - prediction| / |rating|, over the ratings other than 0"
reference = "Makridakis 1993"
care = "a low rating weighs more: an error of 1 counts five times as much at a rating of 1 as at 5, so predictions that are too low look better"
aliases = []
grain = "rating"
bounds = [0]
better = "lower"

[names]
sklearn = ["mean_absolute_percentage_error"]

[options.mape_zero]
about = "a rating of 0"
topic = "ratings"
default = "skip"
splits = true

[options.mape_zero.values]
skip = "left out of the mean"
error = "an error"
epsilon = "divided by 2^-52 instead, as in scikit-learn, which gives a huge value"
#}
s.relative_error / nullif(s.scaled, 0)
