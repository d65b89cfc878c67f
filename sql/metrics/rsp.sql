{#
title = "how unequally groups of items are shown"
group = "exposure"
formula = "standard deviation / mean over groups of items of their rows in the top k / the pairs of user and item that could be shown: users with a list x items, less their rows in train"
reference = "Zhu, Wang and Caverlee 2020, Measuring and Mitigating Item Under-Recommendation Bias in Personalized Ranking Systems"
care = "parity of groups says nothing of relevance, and a group of few items is far from it by chance; compare it only with the same train, catalogue and groups"
aliases = ["ranking_based_statistical_parity"]
grain = "item"
bounds = [0]
better = "lower"
by_name = true
needs = ["train_of_users"]

[[requires]]
one_of = ["train"]

[[requires]]
one_of = ["items"]
where = { grouped_by = "category" }

[options.rsp_ungrouped]
about = "what items without a group are"
topic = "exposure"
default = "out"
splits = true
where = { grouped_by = "category" }

[options.rsp_ungrouped.values]
out = "left out"
group = "a group of their own"
#}
case when s.shown_groups > 1 then sqrt(s.shown_squares / s.shown_groups) / nullif(s.shown_rate, 0e0) end
