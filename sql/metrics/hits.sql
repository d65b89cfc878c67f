{#
title = "number of hits"
formula = "relevant items in the top k"
reference = "the numerator of precision and recall"
aliases = []
bounds = [0]
sparse = "true"
needs = ["hits"]

[names]
recpack = ["hitk"]
trec_eval = ["num_rel_ret"]
#}
{{ double("s.hits") }}
