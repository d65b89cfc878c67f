{#
title = "percentile rank of the relevant items"
formula = "100 x the mean over the relevant items of (rank - 1) / catalog_size; an unlisted item has the mean of the ranks below the list"
reference = "Hu, Koren and Volinsky 2008"
care = "items that are not in a short list decide the value, as each is taken to be halfway between the end of the list and the last item; a random order has 50"
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
one_of = ["catalog_size", "items"]

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
case
    when s.list_length = 0
        then 5e1
    when s.catalog_size >= {{ beside }}
        then
            1e2 * (
                s.irrelevant_above_anywhere
                + s.hits_anywhere * (s.hits_anywhere - 1) / 2e0
                + greatest(s.relevant - s.hits_anywhere, 0) * (s.list_length - 1 + s.catalog_size) / 2e0
            ) / nullif(s.relevant * s.catalog_size, 0e0)
    when s.catalog_size < {{ beside }}
        then {{ refusal(sentence, size="cast(s.catalog_size as bigint)", found="cast(" ~ beside ~ " as bigint)", user="s.user_id") | indent(8) }}
end
