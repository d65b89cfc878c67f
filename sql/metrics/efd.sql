{#
title = "expected free discovery"
group = "novelty"
formula = "sum over the hits of log2(T / c) / log2(rank + 1) / the sum of 1 / log2(rank + 1) over the ranks of the list; c = the rows of an item in train, T = all rows; users without a list are left out"
reference = "Vargas and Castells 2011, Rank and relevance in novelty and diversity metrics"
care = "one hit that hardly anyone has in train counts as much as several others, and relevance and novelty can't be told apart in it, so read it beside recall and novelty, and compare it only with the same train"
aliases = ["expected_free_discovery"]
bounds = [0]
by_name = true

[[requires]]
one_of = ["train"]
#}
s.discovery / nullif(s.discount_total, 0e0)
