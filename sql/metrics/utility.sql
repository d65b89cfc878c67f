{#
title = "utility"
group = "confusion"
formula = "tp - fp: a weight for each of the four counts of the top k; by default 1, -1, 0 and 0"
reference = "trec_eval, utility; Lewis 1995, Evaluating and optimizing autonomous text classification systems"
care = "a list of n items without a hit has -n, so the mean depends on how long the lists are and on k; the weights are yours, so compare only under the same"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd'], 3", value = "-1.0" }
aliases = ["linear_utility"]
bounds = []
spans = false
needs = ["cutoff if fp_count == 'k'"]

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
when = "utility_tn != 0"

[options.utility_tp]
about = "what a relevant item in the top k is worth"
topic = "shares"
default = 1
type = "number"

[options.utility_fp]
about = "what an item in the top k that is not relevant is worth"
topic = "shares"
default = -1
type = "number"

[options.utility_fn]
about = "what a relevant item that is not in the top k is worth"
topic = "shares"
default = 0
type = "number"

[options.utility_tn]
about = "what any other item of the catalogue is worth"
topic = "shares"
default = 0
type = "number"
#}
{% for weight, counted in [(utility_tp, metric.tp), (utility_fp, metric.fp), (utility_fn, metric.fn), (utility_tn, metric.tn)] if weight | float %}
{{ "+ " if not loop.first }}{{ weight }} * {{ counted }}
{% else %}
0e0
{% endfor %}
