{#
title = "explained variance"
formula = "1 - variance of (rating - prediction) / variance of the ratings; NULL if all ratings are equal"
reference = "r2 that ignores a constant bias of the predictions"
aliases = []
grain = "rating"
bounds = []
needs = ["error_variance", "rating_variance"]

[names]
recommenders = ["exp_var"]
sklearn = ["explained_variance_score"]
#}
1 - s.error_variance / nullif(s.rating_variance, 0e0)
