{#
title = "true positives"
formula = "relevant items in the top k"
reference = "confusion counts of the top k as a set"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = ["true_positives"]
bounds = [0]
needs = ["hits"]
#}
{{ double("s.hits") }}
