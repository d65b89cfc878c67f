{#
title = "number of hits"
formula = "relevant items among the first k"
reference = "the count that precision and recall divide"
aliases = []
bounds = [0]
sparse = "condition()"

[names]
recpack = ["hitk"]
trec_eval = ["num_rel_ret"]
#}
{{ double("s.hits") }}
