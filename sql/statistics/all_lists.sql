{#
Statistics of all lists together: over item_frequencies f, exposures, similarities and categories, and over the sums
of the run.
#}

-- name: alike_lists
{#
about = "lists that have an item in the top k, as sets"
over = "similarities"
empty = "0"
#}
{# The different items of a list have shares that add up to 1. #}
cast(round({{ sql.exact_sum("x.share") }}) as bigint)

-- name: catalog_exposure
{#
about = "sum of the discounts of the recommended rows whose item is in the catalogue"
over = "exposures"
made_with = "discount_at"
needs = ["exposures", "catalog"]
#}
{{ sql.exact_sum("case when x.is_of_catalog then x.exposure end") }}

-- name: catalog_exposure_place_sum
{#
about = "sum of exposure x place over the catalogue items, the least exposed first"
over = "exposures"
made_with = "discount_at"
needs = ["exposures", "catalog"]
#}
{{ sql.exact_sum("case when x.is_of_catalog then x.exposure * x.catalog_place end") }}

-- name: catalog_information
{#
about = "entropy in bits of the catalogue items recommended in the top k"
over = "items"
needs = ["catalog"]
#}
{% set information = "f.catalog_items * (f.times / f.catalog_total) * log2(f.catalog_total / f.times)" %}
{{ sql.exact_sum("case when f.catalog_items > 0 then " ~ information ~ " end") }}

-- name: catalog_items
{#
about = "distinct catalogue items recommended in the top k"
over = "items"
empty = "0"
needs = ["catalog"]
#}
sum(f.catalog_items)

-- name: catalog_place_sum
{#
about = "sum of times recommended x place over the catalogue items, the least recommended first"
over = "items"
needs = ["catalog"]
#}
sum(f.times * (f.catalog_items * f.catalog_below + f.catalog_items * (f.catalog_items + 1) / 2e0))

-- name: catalog_recommendations
{#
about = "recommended rows in the top k whose item is in the catalogue"
over = "items"
needs = ["catalog"]
#}
sum(f.times * f.catalog_items)

-- name: catalog_size
{#
about = "number of items in the catalogue; an error if more than catalog_size of them are recommended"
over = "run"
needs = ["catalog_items if catalog_size is not none"]
grain = "item"
also = "user"

[options.catalog_size]
input = true
about = "the number of items that can be recommended"
topic = "catalogue"
type = "integer"
above = 0
at_most = 1000000000000
#}
{% set sentence = "catalog_size: {size} is too small; at k = {k} there are {found} different items" %}
{% if named %}
case
    when {{ statistic("catalog_items") }} > {{ catalog_size }}
        then {{ refusal(sentence, size=catalog_size, found=statistic("catalog_items"), k=said_k("c.k")) | indent(8) }}
    else {{ double("coalesce(" ~ catalog_size ~ ", (select count(*) from catalog as g))") }}
end
{% elif catalog_size is none %}
{{ double("(select count(*) from catalog as g)") }}
{% elif plain %}
{{ double(catalog_size) }}
{% else %}
case
    when {{ statistic("catalog_items") }} > {{ catalog_size }}
        then {{ refusal(sentence, size=catalog_size, found=statistic("catalog_items"), k=said_k("c.k")) | indent(8) }}
    else {{ double(catalog_size) }}
end
{% endif %}

-- name: category_information
{#
about = "sum over lists of the entropy in bits of the categories in a list"
over = "categories"
made_with = "category_entropies"
#}
{{ sql.exact_sum("y.entropy") }}

-- name: category_lists
{#
about = "lists that have an item with a category in the top k; with smoothing, all lists"
over = "categories"
made_with = "category_entropies"
empty = "0"
#}
count(y.entropy)

-- name: catalog_share
{#
about = "share of the items with a group that the group of items has"
over = "item_group"
made_with = "grouped_items"
#}
x.items / nullif(x.all_items, 0e0)

-- name: distinct_items
{#
about = "distinct items recommended in the top k"
over = "items"
empty = "0"
#}
sum(f.items)

-- name: exposure
{#
about = "sum of the discounts of all recommended rows"
over = "exposures"
made_with = "discount_at"
needs = ["exposures"]
#}
{{ sql.exact_sum("x.exposure") }}

-- name: exposure_place_sum
{#
about = "sum of exposure x place over the items, the least exposed first"
over = "exposures"
made_with = "discount_at"
needs = ["exposures"]
#}
{{ sql.exact_sum("x.exposure * x.place") }}

-- name: exposure_share
{#
about = "share of the discounts of the rows in the top k that the group of items has; NULL if no item with a group is shown"
over = "item_group"
made_with = "discount_at"
needs = ["group_exposures"]
#}
{% set all_groups = "over (partition by " ~ model("m") ~ ("n.slice, n.segment, " if sliced) ~ "c.k)" %}
coalesce({{ sql.of_units("y.exposure") }}, 0e0) / nullif({{ sql.of_units("sum(y.all_exposure) " ~ all_groups) }}, 0e0)

-- name: hit_groups
{#
about = "groups of items with a relevant row"
over = "groups"
made_with = "grouped_items"
empty = "0"
needs = ["hit_rates"]
#}
count(x.hit_rate)

-- name: hit_rate
{#
about = "mean over the groups of items of the share of their relevant rows that are hits in the top k, as a multiple of that of all groups together"
over = "groups"
made_with = "grouped_items"
needs = ["hit_rates"]
#}
max(x.mean_hit_rate)

-- name: hit_squares
{#
about = "sum over the groups of items of the squared difference of their share of hits from the mean"
over = "groups"
made_with = "grouped_items"
needs = ["hit_rates"]
#}
{{ sql.exact_sum("(x.hit_rate - x.mean_hit_rate) * (x.hit_rate - x.mean_hit_rate)") }}

-- name: information
{#
about = "entropy in bits of the items recommended in the top k"
over = "items"
#}
{{ sql.exact_sum("f.items * (f.times / f.total) * log2(f.total / f.times)") }}

-- name: list_information
{#
about = "information in bits of an item, averaged within each list, then over lists"
over = "items"
needs = ["weights"]
#}
{# The items of a list have weights that add up to 1. #}
{{ sql.exact_sum("f.weight * log2(f.total / f.times)") }} / nullif({{ sql.exact_sum("f.weight") }}, 0e0)

-- name: lists
{#
about = "lists that have an item in the top k"
over = "items"
empty = "0"
needs = ["weights"]
#}
cast(round({{ sql.exact_sum("f.weight") }}) as bigint)

-- name: place_sum
{#
about = "sum of times recommended x place over the items, the least recommended first"
over = "items"
#}
sum(f.times * (f.items * f.below + f.items * (f.items + 1) / 2e0))

-- name: recommendations
{#
about = "recommended rows in the top k"
over = "items"
#}
sum(f.times * f.items)

-- name: shared_roots
{#
about = "sum over the items of the squared sum over the lists with the item of 1 / sqrt(n); n = the number of different items in the list"
over = "similarities"
needs = ["root_shares"]
#}
{{ sql.exact_sum("x.root_share * x.root_share") }}

-- name: shown_groups
{#
about = "groups of items that could be shown"
over = "groups"
made_with = "grouped_items"
empty = "0"
needs = ["shown_rates"]
#}
count(x.shown_rate)

-- name: shown_rate
{#
about = "mean over the groups of items of their rows in the top k divided by the pairs of user and item that could be shown, as a multiple of that of all groups together"
over = "groups"
made_with = "grouped_items"
needs = ["shown_rates"]
#}
max(x.mean_shown_rate)

-- name: shown_squares
{#
about = "sum over the groups of items of the squared difference of their rate from the mean"
over = "groups"
made_with = "grouped_items"
needs = ["shown_rates"]
#}
{{ sql.exact_sum("(x.shown_rate - x.mean_shown_rate) * (x.shown_rate - x.mean_shown_rate)") }}

-- name: squared_times
{#
about = "sum over the items of the squared number of lists that have it"
over = "similarities"
needs = ["set_times"]
#}
{{ sql.exact_sum("x.times * x.times") }}

-- name: train_items
{#
about = "distinct items of train recommended in the top k"
over = "items"
empty = "0"
needs = ["train"]
#}
sum(f.train_items)

-- name: train_size
{#
about = "number of items in train"
over = "run"
needs = ["train"]
#}
{{ double("(select count(*) from train_items as t)") }}

-- name: train_share
{#
about = "share of the rows of train that the group of items has"
over = "item_group"
made_with = "grouped_items"
needs = ["train_shares"]
#}
coalesce(t.share, 0e0)
