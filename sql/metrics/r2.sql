{#
title = "coefficient of determination"
formula = "1 - mse / variance of the ratings; NULL where they are all the same"
reference = "Wright 1921; negative where the mean rating predicts better"
aliases = ["rsquared", "r_squared", "r2_score"]
grain = "rating"
bounds = []
#}
1 - s.squared_error / nullif(s.pairs * s.rating_variance, 0e0)
