{#
title = "share of judged items"
group = "lists"
formula = "items in the top k that have a row in the truth, of any relevance / items returned in the top k"
reference = "judged@k; Sakai 2007, Alternatives to bpref"
care = "it tells how far to trust the other metrics, not which model is better: where few items are judged, a model that recommends what nobody has seen is measured too low"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'c'], 4, relevance := [1, 1, 0]", value = "0.75" }
aliases = ["judgment_rate", "judgement_rate"]
bounds = [0, 1]
better = "neither"
by_name = true
empty = "0e0"
needs = ["cutoff if judged_denominator == 'k'"]

[[requires]]
where = { ties = "best" }

[[requires]]
where = { ties = "worst" }

[options.judged_denominator]
about = "the denominator of judged"
topic = "retrieval"
default = "returned"

[options.judged_denominator.values]
returned = "the number of items returned in the top k"
k = "the cut-off, even if the list is shorter"
#}
{% if judged_denominator == "k" %}
s.judged / {{ double("s.k") }}
{% else %}
s.judged / {{ double("nullif(s.returned, 0)") }}
{% endif %}
