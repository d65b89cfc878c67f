{#
title = "explained variance"
group = "ratings"
formula = "1 - variance of (rating - prediction) / variance of the ratings; NULL if all ratings are equal"
reference = "r2 that ignores a constant bias of the predictions"
care = "it ignores a constant bias: predictions that are all too high by 1 get the value of perfect ones, so read it beside mae or rmse"
aliases = []
default = 1
grain = "rating"
bounds = []

[names]
recommenders = ["exp_var"]
sklearn = ["explained_variance_score"]
#}
1 - s.error_variance / nullif(s.rating_variance, 0e0)
