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
about = "the denominator of precision"
topic = "definitions"
default = "k"
needs_cutoff = ["k"]
list_length = ["returned"]

[options.precision_denominator.values]
k = "the cut-off, even if the list is shorter"
returned = "the number of items returned in the top k"
achievable = "min(k, R): the number of hits of a perfect list"
#}
s.hits / {{ double(choose("precision_denominator",
    k="s.k",
    returned="nullif(s.returned, 0)",
    achievable="nullif(least(s.k, s.relevant), 0)",
)) }}
