{#
title = "percentile rank of the relevant items"
group = "rank"
formula = "100 x the mean over the relevant items of (rank - 1) / catalog_size; an unlisted item has the mean of the ranks below the list, and a user without a list has 50, as in RecPack"
reference = "Hu, Koren and Volinsky 2008"
care = "items that are not in a short list decide the value, as each is taken to be halfway between the end of the list and the last item; a random order has 50 x (catalog_size - 1) / catalog_size, a little less than no list"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "18.5", options = { catalog_size = 100 } }
aliases = ["expected_percentile_rank", "mean_percentile_rank"]
bounds = [0, 100]
exceeds = "duplicates == 'count'"
better = "lower"
by_name = true
of_means = "percentile_rank_mean"

[names]
recpack = ["percentileranking"]

[[requires]]
one_of = ["catalog_size", "items", "candidates"]

[[requires]]
where = { truth_window = "k" }

[[requires]]
where = { truth_window = "rank" }

[options.percentile_rank_mean]
about = "how the values of users are averaged"
topic = "averages"
default = "users"

[options.percentile_rank_mean.values]
users = "each user counts the same"
weighted = "each relevant item counts the same, so a user as often as the user has relevant items"
#}
{% set weight = "s.relevant" %}
{# The ranks of the hits, less 1, are the items above them: those that are not relevant, and the earlier hits. #}
{% set beside = "s.list_length + s.relevant - s.hits_anywhere" %}
{% set sentence = "catalog_size: {size} is too small; user {user} alone has {found} items in list and truth" %}
{% set deep = "rank: the list of user {user} has ranks beyond the {size} candidates; number the ranks 1, 2, ... or give all candidates" %}
{% set above_all = "s.hits_anywhere * (s.candidates - s.relevant)" %}
case
    when s.list_length = 0
        then 5e1
    when
        s.candidates >= {{ beside }}
        and s.irrelevant_above_anywhere <= {{ above_all }}
        then
            1e2 * (
                s.irrelevant_above_anywhere
                + s.hits_anywhere * (s.hits_anywhere - 1) / 2e0
                + greatest(s.relevant - s.hits_anywhere, 0) * (s.candidates + s.list_length - 1) / 2e0
            ) / nullif(s.relevant * s.candidates, 0e0)
    when s.candidates < {{ beside }}
        then {{ refusal(sentence, size="cast(s.candidates as bigint)", found="cast(" ~ beside ~ " as bigint)", user="s.user_id") | indent(8) }}
    when s.irrelevant_above_anywhere > {{ above_all }}
        then {{ refusal(deep, size="cast(s.candidates as bigint)", user="s.user_id") | indent(8) }}
end
