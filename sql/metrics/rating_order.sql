{#
title = "rank correlation of ratings and predictions"
group = "ratings"
formula = "Spearman's correlation: that of the places by rating and by prediction, equal ones sharing their mean place; NULL if all ratings or all predictions are equal"
reference = "Spearman 1904; Herlocker, Konstan, Terveen and Riedl 2004"
care = "all pairs together also reward a model for knowing which users give high ratings; mean = users correlates within each user, where a user with two ratings has 1 or -1"
aliases = ["spearman", "spearman_correlation"]
grain = "rating"
bounds = [-1, 1]
by_name = true
without_interval = "true"
#}
s.place_correlation
