{#
title = "true positives"
formula = "relevant items among the first k"
reference = "confusion counts of the set of the first k items"
aliases = ["true_positives"]
bounds = [0]
sparse = "condition()"
#}
{{ double("s.hits") }}
