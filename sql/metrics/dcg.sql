{#
title = "discounted cumulative gain"
group = "graded"
formula = "sum of gain x discount, discount = 1 / log2(rank + 1)"
reference = "Järvelin and Kekäläinen 2002"
care = "it has no upper bound, and users with many relevant items or high grades decide the mean; use ndcg to compare groups of users"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "1.0616" }
aliases = ["discounted_cumulative_gain"]
default_macro = true
bounds = [0]
further = "higher"
credit = "{{ gain_of(double(judge__grade)) }} * {{ discount_at(x) }}"
weighting = "ips snips"
of_means = "dcg_mean"

[names]
recpack = ["dcgk"]
sklearn = ["dcg_score"]

[[requires]]
where = { dcg_mean = "micro", weighting = "none ips" }
why = "only self-normalised values have a denominator"

[options.dcg_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.dcg_mean.values]
users = "each user counts the same"
micro = "the sum of the numerators / the sum of the denominators, for weighting = snips: each unit of weight x gain counts the same"
#}
{% set denominator = "s.total_gain" if weighting == "snips" else "" %}
s.dcg
