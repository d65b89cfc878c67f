{#
title = "false negatives"
formula = "relevant items that are not in the top k"
reference = "confusion counts of the top k as a set"
aliases = ["false_negatives"]
bounds = [0]
better = "lower"
needs = ["relevant", "distinct_hits"]
#}
{{ double("s.relevant - s.distinct_hits") }}
