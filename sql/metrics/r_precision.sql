{#
title = "R-precision"
group = "found"
formula = "hits in the first R ranks / R, whatever the cut-off"
reference = "Buckley and Voorhees 2005"
care = "with one relevant item per user it looks at the first rank alone, so few users have a hit, and the mean is noisy"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.3333" }
aliases = ["rprec"]
bounds = [0, 1]
by_name = true
empty = "0e0"

[names]
torchmetrics = ["retrievalrprecision"]

[options.r_precision_cut]
about = "where the first R ranks end"
topic = "retrieval"
default = "list"

[options.r_precision_cut.values]
list = "at rank R, whatever the cut-off"
k = "at rank min(R, k); it still divides by R"
#}
{% if r_precision_cut == "k" %}
s.hits_to_r / {{ double("nullif(s.relevant, 0)") }}
{% else %}
s.hits_to_r_anywhere / {{ double("nullif(s.relevant, 0)") }}
{% endif %}
