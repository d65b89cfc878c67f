{#
title = "true positives"
formula = "relevant items in the top k"
reference = "confusion counts of the top k as a set"
aliases = ["true_positives"]
bounds = [0]
sparse = "true"
needs = ["hits"]
#}
{{ double("s.hits") }}
