{#
title = "number of hits"
formula = "relevant items in the top k"
reference = "the numerator of precision and recall"
aliases = []
bounds = [0]
sparse = "condition()"

[names]
recpack = ["hitk"]
trec_eval = ["num_rel_ret"]
#}
{{ double("s.hits") }}
