{#
title = "number of hits"
formula = "relevant items in the top k"
reference = "the numerator of precision and recall"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = []
bounds = [0]
needs = ["hits"]

[names]
recpack = ["hitk"]
trec_eval = ["num_rel_ret"]
#}
{{ double("s.hits") }}
