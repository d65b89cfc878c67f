{#
title = "serendipity"
group = "novelty"
formula = "sum over the hits of max(0, (N + 1 - rank) / N - (N + 1 - place) / N) / items in the top k; place = the item's place by popularity in train; then the mean over lists"
reference = "Ge, Delgado-Battenfeld and Jannach 2010; RecTools, Serendipity"
care = "it is small wherever hits are few, and depends on the size of the catalogue, so compare it only with the same train and catalogue"
aliases = ["unexpected_hits"]
grain = "list"
also = "user"
bounds = [0, 1]
by_name = true

[[requires]]
one_of = ["train"]

[[requires]]
one_of = ["items", "catalog_size"]
#}
{% set sentence = "catalog_size: {size} is too small; train or a list has {found} different items; give the number of items that can be recommended" %}
case
    when s.catalog_size < greatest(s.last_place, s.list_size)
        then {{ refusal(sentence, size="cast(s.catalog_size as bigint)", found="greatest(s.last_place, s.list_size)") | indent(8) }}
    else s.promoted_places / nullif(s.catalog_size, 0e0) / {{ double("nullif(s.list_size, 0)") }}
end
