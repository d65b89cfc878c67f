{#
title = "explained variance"
formula = "1 - variance of rating - prediction / variance of the ratings; NULL where they are all the same"
reference = "r2 without the bias of the predictions"
aliases = ["exp_var", "explained_variance_score"]
grain = "rating"
bounds = []
#}
1 - s.error_variance / nullif(s.rating_variance, 0e0)
