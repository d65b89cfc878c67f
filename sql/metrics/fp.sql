{#
title = "false positives"
formula = "items returned down to k that are not relevant"
reference = "confusion counts of the set of the first k items"
aliases = ["false_positives"]
bounds = [0]
list_length = true
#}
{{ double("s.returned - s.hits") }}
