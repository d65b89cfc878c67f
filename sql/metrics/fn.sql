{#
title = "false negatives"
formula = "relevant items that are not among the first k"
reference = "confusion counts of the set of the first k items"
aliases = ["false_negatives"]
bounds = [0]
distinct = true
#}
{{ double("s.relevant - s.distinct_hits") }}
