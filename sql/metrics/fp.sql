{#
title = "false positives"
formula = "items in the top k that are not relevant"
reference = "confusion counts of the top k as a set"
aliases = ["false_positives"]
bounds = [0]
better = "lower"
needs = ["returned", "hits"]
#}
{{ double("s.returned - s.hits") }}
