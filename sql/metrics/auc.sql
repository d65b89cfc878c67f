{#
title = "area under the ROC curve"
group = "rank"
formula = "the share of the pairs of a relevant item and a candidate that is not relevant in which the relevant item is above the other, whatever the cut-off; a pair counts half if neither is in the list"
reference = "Hanley and McNeil 1982; Rendle et al. 2009"
care = "most pairs are of items far down, so a short list leaves the value to what unlisted items count, and models that differ at the top have almost the same value"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.8196", options = { catalog_size = 100 } }
aliases = ["roc_auc"]
bounds = [0, 1]
exceeds = "duplicates == 'count'"
by_name = true
needs = ["cutoff if auc_negatives == 'k'", "train_of_users if auc_candidates == 'unseen' and auc_over != 'list'"]
of_means = "auc_mean"

[names]
elliot = ["gauc", "lauc"]
recbole = ["gauc"]
replay = ["rocauc"]

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
where = { auc_over = "candidates top_k" }

[[requires]]
one_of = ["train"]
where = { auc_candidates = "unseen", auc_over = "candidates top_k" }

[[requires]]
where = { auc_over = "list", ties = "best" }

[[requires]]
where = { auc_over = "list", ties = "worst" }

[[requires]]
where = { auc_over = "list", duplicates = "set" }

[[requires]]
where = { truth_window = "k" }

[[requires]]
where = { truth_window = "rank" }

[options.auc_over]
about = "which items that are not relevant the relevant ones are compared with"
topic = "retrieval"
default = "candidates"

[options.auc_over.values]
candidates = "all candidates, with the hits of the whole list"
top_k = "all candidates, with the hits in the top k, as a share of the pairs of min(k, R) relevant items: the limited AUC"
list = "those in the top k, with the hits there"

[options.auc_candidates]
about = "which items are candidates"
topic = "duplicates"
default = "catalog"
where = { auc_over = "candidates top_k" }

[options.auc_candidates.values]
catalog = "all items of the catalogue"
unseen = "those that the user does not have in train, and the relevant ones"

[options.auc_unlisted]
about = "what a pair counts whose relevant item is not in the list"
topic = "duplicates"
default = "half"
where = { auc_over = "candidates" }

[options.auc_unlisted.values]
half = "1/2 if the other item is not in the list either, else 0: unlisted items are tied below the list"
worst = "0: unlisted relevant items are below all others"
drop = "nothing: only hits are compared"

[options.auc_negatives]
about = "how many items of the top k are not relevant"
topic = "duplicates"
default = "returned"
where = { auc_over = "list" }

[options.auc_negatives.values]
returned = "those in the list"
k = "k - hits: those that a shorter list lacks count as above the hits"

[options.auc_empty]
about = "the value of a user without a pair"
topic = "definitions"
default = "hit"

[options.auc_empty.values]
hit = "1 for a user with a hit, as all items are relevant, else 0"
zero = "0"
half = "1/2"
one = "1"
null = "none: the user is left out of the mean"

[options.auc_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.auc_mean.values]
users = "each user counts the same"
weighted = "each user counts as often as the user has relevant items, of which a value over hits has the hits: GAUC"
#}
{% set weight = "s.hits" if auc_over == "list" else "s.hits_anywhere" if auc_over == "candidates" and auc_unlisted == "drop" else "s.relevant" %}
{% set others = "(s.candidates - s.relevant - s.seen_not_relevant)" if auc_candidates == "unseen" else "(s.candidates - s.relevant)" %}
{% if auc_over == "list" %}
{# A gap in the ranks counts as an item that is not relevant. #}
{% set hits, above, others = "s.hits", "s.irrelevant_above", "(s.last_rank - s.hits)" %}
{% set pairs = "s.hits * (s.k - s.hits)" if auc_negatives == "k" else "s.hits * (s.last_rank - s.hits)" %}
{% elif auc_over == "top_k" %}
{% set hits, above, listed, pairs = "s.hits", "s.irrelevant_above", "s.returned - s.hits", "least(s.k, s.relevant) * " ~ others %}
{% else %}
{% set hits, above, listed = "s.hits_anywhere", "s.irrelevant_above_anywhere", "s.list_length - s.hits_anywhere" %}
{% set pairs = "s.hits_anywhere * " ~ others if auc_unlisted == "drop" else "s.relevant * " ~ others %}
{% endif %}
{% macro value() %}
coalesce(
    (
        {{ hits }} * {{ others }} - {{ above }}
{% if auc_over == "candidates" and auc_unlisted == "half" %}
        + greatest(s.relevant - s.hits_anywhere, 0) * ({{ others }} - ({{ listed }})) / 2e0
{% endif %}
    ) / {{ double("nullif(" ~ pairs ~ ", 0)") }},
{% if auc_empty == "hit" %}
    least({{ double(hits) }}, 1e0)
{% else %}
    {{ "0e0" if auc_empty == "zero" else "5e-1" if auc_empty == "half" else "1e0" if auc_empty == "one" else "null" }}
{% endif %}
)
{%- endmacro %}
{% if auc_over == "list" %}
{{ value() }}
{% else %}
{% set sentence = "catalog_size: {size} is too small; the list of user {user} alone has {found} items that are not relevant, and there are only {others} such candidates" %}
{% set deep = "rank: the list of user {user} has ranks beyond the {size} candidates; number the ranks 1, 2, ... or give all candidates" %}
{% set above_all = hits ~ " * " ~ others %}
case
    when
        {{ listed }} <= {{ others }}
        and {{ above }} <= {{ above_all }}
        then {{ value() | indent(8) }}
    when {{ listed }} > {{ others }}
        then {{ refusal(sentence, size="cast(s.candidates as bigint)", found="cast(" ~ listed ~ " as bigint)", others="cast(" ~ others ~ " as bigint)", user="s.user_id") | indent(8) }}
    when {{ above }} > {{ above_all }}
        then {{ refusal(deep, size="cast(s.candidates as bigint)", user="s.user_id") | indent(8) }}
end
{% endif %}
