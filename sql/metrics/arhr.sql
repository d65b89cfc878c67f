{#
title = "average reciprocal hit rank"
group = "rank"
formula = "sum of 1 / rank over the hits in the top k"
reference = "Deshpande and Karypis 2004"
care = "with several relevant items per user it can exceed 1, and users with many of them decide the mean; with one it is the same as rr"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.75" }
aliases = ["average_reciprocal_hit_rank"]
default_macro = true
bounds = [0]
weighting = "ips"
empty = "0e0"

[options.arhr_denominator]
about = "what the sum of reciprocal ranks is divided by"
topic = "definitions"
default = "none"

[options.arhr_denominator.values]
none = "1"
relevant = "the number of relevant items"
#}
{% if arhr_denominator == "none" %}
s.reciprocal_ranks
{% else %}
s.reciprocal_ranks / {{ double("nullif(s.relevant, 0)") }}
{% endif %}
