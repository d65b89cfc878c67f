{#
title = "false negatives"
formula = "relevant items that are not among the first k"
reference = "confusion counts of the set of the first k items"
aliases = ["false_negatives"]
bounds = [0]
clipped = true
#}
{{ double("greatest(s.relevant - s.hits, 0)") }}
