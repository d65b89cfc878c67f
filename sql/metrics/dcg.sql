{#
title = "discounted cumulative gain"
formula = "sum of gain x discount, discount = 1 / log2(rank + 1)"
reference = "Järvelin and Kekäläinen 2002"
care = "it has no upper bound, and users with many relevant items or high grades decide the mean; use ndcg to compare groups of users"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "1.0616" }
aliases = ["discounted_cumulative_gain"]
default_macro = true
bounds = [0]

[names]
recpack = ["dcgk"]
sklearn = ["dcg_score"]
#}
s.dcg
