{#
title = "interpolated precision at a recall"
group = "rank"
formula = "the highest precision at a hit in the top k, of those from the c-th hit on; c = recall x R, rounded; 0 with fewer than c hits"
reference = "Salton and McGill 1983; trec_eval, iprec_at_recall"
care = "with few relevant items, neighbouring levels of recall are the same hit, and the rounding decides which one; versions of trec_eval differ in it"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.5" }
aliases = ["iprec", "iprec_at_recall"]
bounds = [0, 1]

[options.interpolated_precision_recall]
about = "the recall from which on the highest precision counts"
topic = "shares"
default = 0.5
type = "number"
at_least = 0
at_most = 1
splits = true

[options.interpolated_precision_rounding]
about = "how the number of relevant items that a recall stands for is rounded"
topic = "shares"
default = "nearest"
aliases = ["rounding"]
splits = true

[options.interpolated_precision_rounding.values]
nearest = "to the nearest number, halves up, as in trec_eval 10"
up = "up if it is at least a tenth above a whole number, as in trec_eval before 10"
#}
s.interpolated_precision
