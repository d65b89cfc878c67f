{#
title = "number of hits"
formula = "relevant items in the top k"
reference = "the numerator of precision and recall"
care = "it grows with k and with the number of relevant items, so a few users with many of them can decide the mean"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = []
default_macro = true
bounds = [0]

[names]
recpack = ["hitk"]
trec_eval = ["num_rel_ret"]
#}
{{ double("s.hits") }}
