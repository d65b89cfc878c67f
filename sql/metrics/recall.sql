{#
title = "recall"
formula = "hits / R"
reference = "Cleverdon, Mills and Keen 1966"
aliases = ["r", "recall_at", "recallat", "recall_at_k", "recallatk", "recallk", "recalltopk", "retrievalrecall", "recommender_recall"]
default = 2
bounds = [0, 1]
empty = "0e0"
sparse = "condition()"

[options.recall_denominator]
about = "what the hits are divided by"
topic = "definitions"
default = "relevant"

[options.recall_denominator.values]
relevant = "R: all relevant items of the user"
achievable = "min(k, R): the hits a perfect list would have"
#}
s.hits / {{ double(choose("recall_denominator",
    relevant="nullif(s.relevant, 0)",
    achievable="nullif(least(s.k, s.relevant), 0)",
)) }}
