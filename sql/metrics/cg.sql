{#
title = "cumulative gain"
group = "graded"
formula = "sum of the gains of the hits"
reference = "Järvelin and Kekäläinen 2002"
care = "it grows with k and with the number of relevant items, so a few users with many of them can decide the mean; it ignores the order within the top k"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4, relevance := [3, 1, 2]", value = "4.0" }
aliases = ["cumulative_gain"]
default_macro = true
bounds = [0]
further = "higher"
credit = "{{ gain_of(double(judge__grade)) }}"
weighting = "ips snips"
#}
{% set denominator = "s.total_gain" if weighting == "snips" else "" %}
s.cg
