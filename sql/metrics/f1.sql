{#
title = "F-measure of precision and recall"
group = "found"
formula = "(1 + beta^2) precision recall / (beta^2 precision + recall)"
reference = "van Rijsbergen 1979, Information Retrieval, ch. 7"
care = "it depends on k and on the number of relevant items: with one per user, a list that has it gets 2 / (k + 1), so compare values only at the same k"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.5714" }
aliases = ["f", "fbeta", "f_measure", "f1_score"]
default_macro = true
bounds = [0, 1]
spans = false
exceeds = "duplicates == 'count'"
empty = "0e0"
of_means = "f1_average"

[names]
cornac = ["fmeasure"]
evidently = ["fbetatopk"]
rectools = ["f1beta"]

[options.beta]
about = "the weight of recall relative to precision"
topic = "definitions"
default = 1
type = "number"
above = 0
at_most = 1000000

[options.f1_average]
about = "what is averaged over users"
topic = "definitions"
default = "per_user"

[options.f1_average.values]
per_user = "the F-measure of each user"
of_means = "precision and recall, from whose means the F-measure is computed"
#}
{% set weight = "power(" ~ double(beta) ~ ", 2)" %}
(1 + {{ weight }}) / (
    {{ weight }} / nullif({{ metric.recall }}, 0e0)
    + 1 / nullif({{ metric.precision }}, 0e0)
)
