{#
title = "reciprocal rank"
formula = "1 / rank of the first hit, 0 without one"
reference = "Voorhees 1999, TREC-8 question answering track"
aliases = ["mrr", "reciprocal_rank"]
default = 6
bounds = [0, 1]
empty = "0e0"
sparse = "condition(rr_cutoff='k')"

[names]
lenskit = ["reciprank"]
recpack = ["reciprocalrankk"]
torchmetrics = ["retrievalmrr"]
trec_eval = ["recip_rank"]

[options.rr_cutoff]
about = "how far down the first hit is looked for"
topic = "definitions"
default = "k"
whole_list = ["none"]

[options.rr_cutoff.values]
k = "to the cut-off"
none = "to the end of the list, whatever the cut-off"
#}
{{ choose("rr_cutoff", k="s.reciprocal_rank", none="s.reciprocal_rank_anywhere") }}
