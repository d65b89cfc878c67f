{#
title = "false negatives"
group = "confusion"
formula = "relevant items that are not in the top k"
reference = "confusion counts of the top k as a set"
care = "it depends on the number of relevant items: a user with more than k of them has misses even in a perfect list; recall divides by that number"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "1.0" }
aliases = ["false_negatives"]
default_macro = true
bounds = [0]
spans = false
better = "lower"
#}
{{ double("s.relevant - s.distinct_hits") }}
