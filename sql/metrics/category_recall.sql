{#
title = "recall of categories"
group = "diversity"
formula = "distinct categories of the hits in the top k / those of the user's relevant items; 0 if these have none"
reference = "Zhai, Cohen and Lafferty 2003, S-recall"
care = "an item with many categories covers them all at once, so it rises with how finely items are labelled; compare it only with the same table of items"
aliases = ["subtopic_recall", "s_recall", "srecall"]
bounds = [0, 1]
empty = "0e0"
by_name = true
spans = false

[[requires]]
one_of = ["items"]

[[requires]]
where = { ties = "best" }

[[requires]]
where = { ties = "worst" }

[options.category_recall_denominator]
about = "which categories the list should cover"
topic = "shares"
default = "relevant"

[options.category_recall_denominator.values]
relevant = "those of the user's relevant items"
all = "all in the table items"
#}
s.hit_categories / nullif({{ "s.all_categories" if category_recall_denominator == "all" else "s.relevant_categories" }}, 0e0)
