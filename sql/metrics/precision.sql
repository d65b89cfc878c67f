{#
title = "precision"
formula = "hits / k"
reference = "Cleverdon, Mills and Keen 1966"
aliases = ["recommender_precision"]
default = 3
bounds = [0, 1]
empty = "0e0"
sparse = "condition()"

[names]
trec_eval = ["p"]
evidently = ["precisiontopk"]
hivemall = ["precision_at"]
ir_measures = ["p"]
recommenders = ["precision_at_k"]
recpack = ["precisionk"]
spark = ["precisionat", "precisionatk"]
torchmetrics = ["retrievalprecision"]

[options.precision_denominator]
about = "what the hits are divided by"
topic = "definitions"
default = "k"
needs_cutoff = ["k"]
list_length = ["returned"]

[options.precision_denominator.values]
k = "the cut-off, also when the list is shorter"
returned = "the items returned down to k"
achievable = "min(k, R): the hits a perfect list would have"
#}
s.hits / {{ double(choose("precision_denominator",
    k="s.k",
    returned="nullif(s.returned, 0)",
    achievable="nullif(least(s.k, s.relevant), 0)",
)) }}
