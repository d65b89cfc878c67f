{#
title = "how unequal recall is between groups of items"
group = "exposure"
formula = "standard deviation / mean over groups of items of their hits in the top k / their relevant rows, over the users with a list"
reference = "Zhu, Wang and Caverlee 2020, Measuring and Mitigating Item Under-Recommendation Bias in Personalized Ranking Systems"
care = "a model without hits has none, and a group with few relevant rows is far from the mean by chance; compare it only with the same truth and groups"
aliases = ["ranking_based_equal_opportunity"]
grain = "item"
also = "user"
bounds = [0]
better = "lower"
by_name = true

[[requires]]
one_of = ["items"]
where = { grouped_by = "category" }

[[requires]]
one_of = ["train"]
where = { grouped_by = "popularity" }

[[requires]]
where = { truth_window = "k" }

[[requires]]
where = { truth_window = "rank" }
#}
case when s.hit_groups > 1 then sqrt(s.hit_squares / s.hit_groups) / nullif(s.hit_rate, 0e0) end
