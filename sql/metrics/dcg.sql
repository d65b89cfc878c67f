{#
title = "discounted cumulative gain"
formula = "sum of gain x discount, discount = 1 / log2(rank + 1)"
reference = "Järvelin and Kekäläinen 2002"
aliases = ["discounted_cumulative_gain"]
bounds = [0]
sparse = "true"
needs = ["dcg"]

[names]
recpack = ["dcgk"]
sklearn = ["dcg_score"]
#}
s.dcg
