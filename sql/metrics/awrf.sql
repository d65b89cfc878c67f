{#
title = "attention-weighted rank fairness"
group = "exposure"
formula = "1 - the Jensen-Shannon divergence in bits of the shares that groups of items have of the discounts in the top k from a target; then the mean over lists"
reference = "Sapiezynski et al. 2019, Quantifying the Impact of User Attention on Fair Group Representation in Ranked Lists; TREC Fair Ranking 2022"
care = "a short list can't have many groups, so its value is low for any model; parity of groups says nothing of relevance"
aliases = ["attention_weighted_rank_fairness"]
grain = "list"
bounds = [0, 1]
by_name = true

[[requires]]
one_of = ["items"]
where = { grouped_by = "category" }

[[requires]]
one_of = ["train"]
where = { grouped_by = "popularity" }

[[requires]]
one_of = ["train"]
where = { awrf_target = "train" }

[options.awrf_target]
about = "the shares that groups of items should have"
topic = "exposure"
default = "catalog"
splits = true

[options.awrf_target.values]
catalog = "their shares of the items"
train = "their shares of the rows of train"
uniform = "equal ones"
#}
{# Of groups that are not in the list, the target is the divergence. That of a list with the target can be below 0 in its last digits. #}
{% set divergence = "(s.exposure_divergence + 1e0 - s.targeted) / 2e0" %}
case when {{ divergence }} < 0e0 then 1e0 else 1e0 - {{ divergence }} end
