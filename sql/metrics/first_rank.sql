{#
title = "rank of the first hit"
group = "rank"
formula = "rank of the first relevant item in the top k; a user without a hit is left out of the mean"
reference = "mean rank of the first relevant item, of which rr is the reciprocal; Voorhees 1999"
care = "the mean leaves out users without a hit, so a model that fails more users can look better; read it beside hit, or set first_rank_missing"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "2.0" }
aliases = ["rank_of_first_hit", "first_hit_rank"]
bounds = [1]
better = "lower"
needs = ["cutoff if first_rank_missing == 'k'"]

[options.first_rank_missing]
about = "the value of a user without a hit"
topic = "retrieval"
default = "null"

[options.first_rank_missing.values]
null = "none: the user is left out of the mean"
k = "k + 1"
returned = "1 + the number of items returned in the top k; a user without a list is left out of the mean"
#}
{% if first_rank_missing == "null" %}
{{ double("s.first_rank") }}
{% else %}
coalesce({{ double("s.first_rank") }}, 0e0) + (1 - s.any_hit) * ({{ "s.k" if first_rank_missing == "k" else "nullif(s.returned, 0)" }} + 1)
{% endif %}
