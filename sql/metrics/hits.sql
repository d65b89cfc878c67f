{#
title = "number of hits"
formula = "relevant items among the first k"
reference = "the count that precision and recall divide"
aliases = ["num_rel_ret", "hitk"]
bounds = [0]
sparse = "condition()"
#}
{{ double("s.hits") }}
