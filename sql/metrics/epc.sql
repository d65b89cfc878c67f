{#
title = "expected popularity complement"
group = "novelty"
formula = "sum over the hits of (1 - u / U) / log2(rank + 1) / the sum of 1 / log2(rank + 1) over the ranks of the list; u = the users of an item in train, U = all users; users without a list are left out"
reference = "Vargas and Castells 2011, Rank and relevance in novelty and diversity metrics"
care = "few items have many of the users of train, so most hits count almost 1, and the value is close to that of relevance alone; compare it only with the same train"
aliases = ["expected_popularity_complement"]
bounds = [0, 1]
exceeds = "duplicates == 'count'"
by_name = true

[[requires]]
one_of = ["train"]
#}
s.unpopular_gain / nullif(s.discount_total, 0e0)
