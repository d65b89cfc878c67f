{#
title = "false positives"
formula = "items in the top k that are not relevant"
reference = "confusion counts of the top k as a set"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = ["false_positives"]
bounds = [0]
better = "lower"
needs = ["returned", "hits"]
#}
{{ double("s.returned - s.hits") }}
