{#
title = "false negatives"
formula = "relevant items that are not in the top k"
reference = "confusion counts of the top k as a set"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "1.0" }
aliases = ["false_negatives"]
bounds = [0]
better = "lower"
needs = ["relevant", "distinct_hits"]
#}
{{ double("s.relevant - s.distinct_hits") }}
