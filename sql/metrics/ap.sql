{#
title = "average precision"
formula = "sum of precision at the rank of each hit / min(R, k)"
reference = "Buckley and Voorhees 2000; its mean over users is MAP"
aliases = ["map", "average_precision"]
default = 4
bounds = [0, 1]
empty = "0e0"
sparse = "condition()"

[names]
lenskit = ["averageprecision"]
recommenders = ["map_at_k"]
spark = ["meanaverageprecision", "meanaverageprecisionat"]
torchmetrics = ["retrievalmap"]
trec_eval = ["map_cut"]

[options.ap_denominator]
about = "the denominator of average precision"
topic = "definitions"
default = "achievable"
needs_cutoff = ["k"]
list_length = ["achievable_returned"]

[options.ap_denominator.values]
achievable = "min(R, k): a perfect list scores 1 at every k"
relevant = "R: the number of relevant items of the user"
achievable_returned = "min(R, items returned in the top k)"
hits = "the number of hits in the top k"
k = "the cut-off"
#}
{% set denominator = choose("ap_denominator",
    achievable="least(s.k, s.relevant)",
    relevant="s.relevant",
    achievable_returned="least(s.relevant, s.returned)",
    hits="s.hits",
    k="s.k",
) %}
{% set ratio = "s.precision_sum / nullif(" ~ denominator ~ ", 0)" %}
{% set split = condition(ap_denominator="hits") | both(unordered()) %}
{{ "coalesce(" ~ split.then("s.split_precision") ~ ", " ~ ratio ~ ")" if split.possible else ratio }}
