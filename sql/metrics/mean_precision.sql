{#
title = "mean precision over the ranks"
formula = "(precision@1 + ... + precision@k) / k"
reference = "Elliot 2021, where it is called MAP"
aliases = ["mean_precision_at_k"]
bounds = [0, 1]
empty = "0e0"
sparse = "true"
needs = ["precision_total", "k", "cutoff"]
#}
s.precision_total / s.k
