{#
title = "intra-list distance"
group = "diversity"
formula = "mean over the pairs of items in the top k of the distance of their categories or vectors; then the mean over lists"
reference = "Smyth and McClave 2001; Ziegler et al. 2005"
care = "random lists have a high value, so read it beside a metric of accuracy; an item without a category is at distance 1 from all others"
aliases = ["diversity", "intra_list_distance", "intra_list_diversity"]
grain = "list"
bounds = [0, 1]
exceeds = "ild_distance in ['hamming', 'vector'] or ild_divide == 'length'"
better = "neither"
by_name = true
needs = ["cutoff if ild_distance == 'jaccard'", "vectors if ild_distance == 'vector'"]

[names]
evidently = ["diversitymetric"]
jurity = ["intralistdiversity"]
rectools = ["intralistdiversity"]
recpack = ["intralistdiversityk"]

[[requires]]
one_of = ["items"]

[options.ild_distance]
about = "the distance of two items, from their sets of categories A and B, or their vectors"
topic = "lists"
default = "cosine"

[options.ild_distance.values]
cosine = "1 - |A and B| / sqrt(|A| |B|)"
hamming = "the number of categories that one of them has"
jaccard = "1 - |A and B| / |A or B|, 0 for two items without a category; at most 100 items in a list"
vector = "1 - the cosine of their vectors, in the column that vector names; an item without one, or with only zeros, is at distance 1"

[options.ild_single]
about = "the value of a list of one item"
topic = "lists"
default = "null"

[options.ild_single.values]
null = "none: the list is left out of the mean"
zero = "0"

[options.ild_divide]
about = "what the sum over pairs is divided by"
topic = "lists"
default = "pairs"

[options.ild_divide.values]
pairs = "the number of pairs"
length = "the number of items, so that the value grows with k"
#}
{% set pairs = "s.list_size * (s.list_size - 1) / 2e0" %}
{% if ild_distance == "hamming" %}
{% set distances = "(s.list_size * s.category_items - s.category_squares)" %}
{% elif ild_distance in ["cosine", "vector"] %}
{# The sum over all ordered pairs of the cosine is that of the squared sums of unit vectors. Its last digits are none of the distance. #}
{% set alike = "s.shared_weights" if ild_distance == "cosine" else "s.shared_components" %}
{% set similar = "coalesce(" ~ alike ~ ", 0e0) / 2e0" %}
{% set similar = "greatest(" ~ similar ~ ", 0e0)" if ild_distance == "cosine" else similar %}
{% set distances = "greatest(" ~ pairs ~ " - " ~ similar ~ ", 0e0)" %}
{% else %}
{% set sentence = "ild(distance=jaccard): k = {k} has too many pairs; it is at most 100, so use a smaller k or another distance" %}
{% set distances = "case when s.k > 100 then " ~ refusal(sentence, k=said_k("s.k")) ~ " else coalesce(s.pair_distances, 0e0) end" %}
{% endif %}
{% set mean = distances ~ " / nullif(" ~ (pairs if ild_divide == "pairs" else double("s.list_size")) ~ ", 0e0)" %}
{% if ild_single == "zero" or ild_divide == "length" %}
case when s.list_size = 1 then 0e0 else {{ mean }} end
{% else %}
{{ mean }}
{% endif %}
