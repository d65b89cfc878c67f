{#
title = "false positives"
formula = "items in the top k that are not relevant"
reference = "confusion counts of the top k as a set"
care = "an item that nobody judged counts as a false positive, and a short list has fewer of them, so a model that returns less looks better"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = ["false_positives"]
bounds = [0]
better = "lower"
#}
{{ double("s.returned - s.hits") }}
