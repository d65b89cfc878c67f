{#
title = "false positives"
group = "confusion"
formula = "items in the top k that are not relevant"
reference = "confusion counts of the top k as a set"
care = "an item that nobody judged counts as a false positive, and a short list has fewer of them, so a model that returns less looks better"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = ["false_positives"]
bounds = [0]
spans = false
better = "lower"
needs = ["cutoff if fp_count == 'k'"]

[options.fp_count]
about = "the number of items of a list: those that are no hits are false positives"
topic = "catalogue"
default = "returned"

[options.fp_count.values]
returned = "the number of items returned in the top k"
k = "the cut-off, even if the list is shorter: a rank without an item is a false positive"
#}
{{ double(("s.k" if fp_count == "k" else "s.returned") ~ " - s.hits") }}
