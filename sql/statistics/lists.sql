{#
Statistics of the contents of a list at a cut-off: sums over its items, its categories, its pairs of items, the
components of its vectors, and its distance to the user's train.
#}

-- name: categories
{#
about = "categories of the items in the top k of the list"
over = "list_categories"
#}
count(g.category)

-- name: category_items
{#
about = "sum over the categories of the number of items in the top k of the list that have it"
over = "list_categories"
#}
sum(g.items)

-- name: category_squares
{#
about = "sum over the categories of the squared number of items in the top k of the list that have it"
over = "list_categories"
#}
sum(g.items * g.items)

-- name: cold_items
{#
about = "items in the top k of the list that are not in train"
over = "list_items"
needs = ["train"]

[joins]
train = "left join train_items as t on t.item_id = r.item_id"
#}
count(*) - count(t.item_id)

-- name: different_items
{#
about = "different items in the top k of the list"
over = "list_items"
#}
{{ sql.distinct("r.item_id") }}

-- name: divergence
{#
about = "sum over the categories of the user's train of p ln(p / q); p = their share in train, q = their share in the list, with a part of p"
over = "list_tastes"
needs = ["category_shares"]
#}
{{ sql.exact_sum("t.wanted * ln(t.wanted / ((1e0 - " ~ double(calibration_alpha) ~ ") * t.listed + " ~ double(calibration_alpha) ~ " * t.wanted))") }}

-- name: exposure_divergence
{#
about = "sum over the groups of the list's items of p log2(2p / (p + q)) + q log2(2q / (p + q)); p = their share of the exposure in the top k, q = what it should be"
over = "list_exposures"
made_with = "discount_at"
needs = ["grouped"]
#}
{% macro term(x, y) %}case when {{ x }} > 0e0 then {{ x }} * log2(2e0 * {{ x }} / ({{ x }} + {{ y }})) else 0e0 end{% endmacro %}
{{ sql.exact_sum(term("e.share", "e.target")) }}
+ {{ sql.exact_sum(term("e.target", "e.share")) }}

-- name: list_size
{#
about = "items in the top k of the list"
over = "list_items"
#}
count(*)

-- name: new_items
{#
about = "items in the top k of the list that the user does not have in train"
over = "list_items"
needs = ["history"]

[joins]
history = "left join seen_items as e on e.user_id = r.user_id and e.item_id = r.item_id"
#}
count(*) - count(e.item_id)

-- name: novelty
{#
about = "sum of the self-information in bits of the items in the top k of the list"
over = "list_items"
needs = ["novelties"]

[joins]
novelties = "left join item_novelties as i on i.item_id = r.item_id"
#}
{% set one_user = "(select log2(nullif(" ~ double("n." ~ novelty_base) ~ ", 0e0)) from train_totals as n)" %}
{% set largest = "(select max(m.novelty) from item_novelties as m)" %}
{% set unseen = one_user if novelty_unseen == "one" else largest if novelty_unseen == "max" else "0e0" %}
{{ sql.exact_sum("i.novelty" if novelty_unseen == "skip" else "coalesce(i.novelty, " ~ unseen ~ ")") }}

-- name: novelty_items
{#
about = "items in the top k of the list that have a novelty"
over = "list_items"
needs = ["novelties"]

[joins]
novelties = "left join item_novelties as i on i.item_id = r.item_id"
#}
{{ "count(i.novelty)" if novelty_unseen == "skip" else "count(*)" }}

-- name: pair_distances
{#
about = "sum over the pairs of items in the top k of the list of the Jaccard distance of their categories"
over = "list_pairs"
#}
{{ sql.exact_sum("p.distance") }}

-- name: popularity
{#
about = "sum of the popularity of the items in the top k of the list"
over = "list_items"
needs = ["popularities"]

[joins]
popularities = "left join train_counts as p on p.item_id = r.item_id"
#}
{{ double("sum(" ~ ("p." ~ popularity_base if popularity_unseen == "skip" else "coalesce(p." ~ popularity_base ~ ", 0)") ~ ")") }}

-- name: popularity_items
{#
about = "items in the top k of the list that have a popularity"
over = "list_items"
needs = ["popularities if popularity_unseen == 'skip'"]

[joins]
popularities = "left join train_counts as p on p.item_id = r.item_id"
#}
{{ "count(p." ~ popularity_base ~ ")" if popularity_unseen == "skip" else "count(*)" }}

-- name: popularity_place
{#
about = "sum over the items in the top k of the list of their place by popularity, as a share of the items of train"
over = "list_items"
needs = ["popularity_shares"]

[joins]
popularity_shares = "left join popularity_shares as y on y.item_id = r.item_id"
#}
{{ sql.exact_sum("coalesce(y.share, 0e0)") }}

-- name: shared_components
{#
about = "sum over the components of the squared sum of the unit vectors of the items, less the sum of their squares"
over = "list_components"
#}
{{ sql.exact_sum("c.total * c.total - c.squares") }}

-- name: shared_weights
{#
about = "sum over the categories of the squared sum of 1 / sqrt(c) over the items with it, less the number of items with a category; c = the categories of an item"
over = "list_categories"
needs = ["category_shares"]
#}
{{ sql.exact_sum("g.weight * g.weight - g.share") }}

-- name: targeted
{#
about = "sum over the groups of the list's items of the share of exposure that they should have"
over = "list_exposures"
made_with = "grouped_items"
needs = ["grouped"]
#}
{{ sql.exact_sum("e.target") }}

-- name: tail_items
{#
about = "items in the top k of the list that are in the long tail of train"
over = "list_items"
needs = ["tail"]

[joins]
tail = "left join tail_items as g on g.item_id = r.item_id"
#}
count(g.item_id)
