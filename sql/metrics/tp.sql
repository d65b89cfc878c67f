{#
title = "true positives"
group = "confusion"
formula = "relevant items in the top k"
reference = "confusion counts of the top k as a set"
care = "it can't exceed a user's number of relevant items, so a low mean may come from a small truth; precision and recall divide by k and by that number"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = ["true_positives"]
default_macro = true
bounds = [0]
spans = false
#}
{{ double("s.hits") }}
