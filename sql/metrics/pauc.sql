{#
title = "partial area under the ROC curve"
group = "rank"
formula = "of the first K items of the list that are not relevant, the share that each relevant item is above, averaged over the relevant items; an unlisted one is above none"
reference = "Dodd and Pepe 2003, Partial AUC estimation and regression; RecTools, PartialAUC"
care = "a list that ends before its K-th item that is not relevant leaves out pairs that a longer list would have, so give lists of at least K + R items"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.5667" }
aliases = ["partial_auc"]
bounds = [0, 1]
exceeds = "duplicates == 'count'"
by_name = true

[[requires]]
where = { truth_window = "k" }

[[requires]]
where = { truth_window = "rank" }

[options.pauc_negatives]
about = "K: how many of the items that are not relevant count, the first ones of the list"
topic = "shares"
default = 10
type = "integer"
at_least = 1
at_most = 1000000
aliases = ["negatives"]
splits = true

[options.pauc_insufficient]
about = "what a list counts that lacks a relevant item and has fewer than K items that are not relevant"
topic = "shares"
default = "zero"
aliases = ["insufficient"]

[options.pauc_insufficient.values]
zero = "the relevant items that it lacks count 0"
skip = "nothing: the user is left out of the mean"
error = "nothing: it is an error"
#}
{% set sentence = "user {user}: the list lacks a relevant item and has fewer than {negatives} items that are not relevant; give longer lists, or set pauc_negatives lower" %}
{% macro value() %}s.negatives_below / {{ double("nullif(s.relevant * " ~ pauc_negatives ~ ", 0)") }}{% endmacro %}
{% if pauc_insufficient == "zero" %}
{{ value() }}
{% else %}
case
    when s.lacks_negatives = 0
        then {{ value() }}
{% if pauc_insufficient == "error" %}
    when s.lacks_negatives > 0
        then {{ refusal(sentence, user="s.user_id", negatives=pauc_negatives) | indent(8) }}
{% endif %}
end
{% endif %}
