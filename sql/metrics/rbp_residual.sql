{#
title = "residual of rank-biased precision"
group = "graded"
formula = "1 - (1 - p) x sum of p^(rank - 1) over the items in the top k that have a row in the truth: what rbp could gain if all other ranks were relevant; p = 0.8"
reference = "Moffat and Zobel 2008; trec_eval, rbp_resid, which is 0 for a list that is judged throughout"
care = "it is a worst case and no interval: with a truth of clicks, no item is judged not relevant, and nearly all of the weight is residual"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'c'], 4, relevance := [1, 1, 0]", value = "0.6096" }
aliases = ["rbp_resid"]
bounds = [0, 1]
by_name = true
exceeds = "duplicates == 'count'"
better = "lower"

[[requires]]
where = { ties = "best" }

[[requires]]
where = { ties = "worst" }
#}
1 - (1 - {{ double(rbp_p) }}) * s.judged_persistence
