{#
title = "partial area for the first positives"
group = "rank"
formula = "as pauc, over the first K of the hits alone, and averaged over min(R, K) relevant items"
reference = "Budhiraja et al. 2020; RecTools, PAP"
care = "with no more than K relevant items it is the same as pauc; a list that ends before its K-th item that is not relevant leaves out pairs"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.5667" }
aliases = ["partial_auc_positives"]
bounds = [0, 1]
exceeds = "duplicates == 'count'"
by_name = true

[[requires]]
where = { truth_window = "k" }

[[requires]]
where = { truth_window = "rank" }
#}
{% set sentence = "user {user}: the list lacks a relevant item and has fewer than {negatives} items that are not relevant; give longer lists, or set pauc_negatives lower" %}
{% macro value() %}s.negatives_below_first / {{ double("nullif(least(s.relevant, " ~ pauc_negatives ~ ") * " ~ pauc_negatives ~ ", 0)") }}{% endmacro %}
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
