{#
title = "coefficient of determination"
group = "ratings"
formula = "1 - mse / variance of the ratings; NULL if all ratings are equal"
reference = "Wright 1921; negative if the mean rating predicts better"
care = "it depends on how much the ratings vary: if they hardly do, small errors make it negative, so compare it only over the same ratings"
aliases = ["r_squared"]
default = 4
grain = "rating"
bounds = []

[names]
recommenders = ["rsquared"]
sklearn = ["r2_score"]
#}
1 - s.squared_error / nullif(s.pairs * s.rating_variance, 0e0)
