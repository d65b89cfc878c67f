{#
title = "mean precision over the ranks"
group = "rank"
formula = "(precision@1 + ... + precision@k) / k"
reference = "Elliot 2021, where it is called MAP"
care = "a user with fewer than k relevant items can't reach 1, and the first ranks weigh most, as they are part of all k precisions"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.3333" }
aliases = ["mean_precision_at_k"]
bounds = [0, 1]
empty = "0e0"
needs = ["cutoff"]
#}
s.precision_total / s.k
