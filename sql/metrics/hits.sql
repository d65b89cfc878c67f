{#
title = "number of hits"
group = "found"
formula = "relevant items in the top k"
reference = "the numerator of precision and recall"
care = "it grows with k and with the number of relevant items, so a few users with many of them can decide the mean"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = []
default_macro = true
bounds = [0]
further = "higher"
credit = "1e0"
weighting = "ips snips"

[names]
recpack = ["hitk"]
trec_eval = ["num_rel_ret"]
#}
{% set denominator = "s.total_weight" if weighting == "snips" else "" %}
{{ double("s.hits") if weighting == "none" else "s.hit_weights" }}
