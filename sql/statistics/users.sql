{#
Statistics of a user u at a cut-off, over users_at_k: no sums, but columns of the user's truth, list and train.
#}

-- name: all_categories
{#
about = "categories in the table of items"
over = "user"
needs = ["list_categories_at_k"]
#}
{{ double("(select count(distinct g.category) from item_categories as g)") }}

-- name: candidates
{#
about = "number of items that the user's list is chosen from: the catalogue, or with a table candidates those of the user"
over = "user"
needs = ["candidate_counts if candidates is not none"]

[joins]
candidate_counts = "left join candidate_counts as m on m.user_id = u.user_id"
#}
{% if candidates is not none %}
{{ double("coalesce(m.items, 0)") }}
{% elif catalog_size is none %}
{{ double("(select count(distinct i.item_id) from given_items as i)") }}
{% else %}
{{ double(catalog_size) }}
{% endif %}
{# over two lists #}
{{ double(catalog_size) }}

-- name: discount_total
{#
about = "sum of the discounts of the ranks that a list has, or could have; 0 without a list"
over = "user"
needs = ["discounts", "returned", "cutoff if discovery_depth == 'k'"]

[joins]
discounts = "cross join discounts as d"

[options.discovery_depth]
about = "the ranks whose discounts divide efd and epc"
topic = "discount"
default = "k"

[options.discovery_depth.values]
k = "the first k, even if the list is shorter"
returned = "as many as there are items in the top k"
#}
{% set items = statistic("returned") %}
{% set total = sql.total_units(sql.first("d.weights", "u.k" if discovery_depth == "k" else items)) %}
case when {{ items }} > 0 then {{ total }} end

-- name: highest_popularity
{#
about = "popularity of the most popular item of train"
over = "user"
#}
{{ double("(select max(t." ~ popularity_base ~ ") from train_counts as t)") }}

-- name: idcg
{#
about = "sum of the discounted gains of the ideal list in the top k"
over = "user"
made_with = "gain_of"
empty = "0e0"
positive = """
gain in ['linear', 'binary', 'exp2'] and relevant == 'positive' and (relevance_threshold is none or relevance_threshold > 0)
and ideal in ['truth', 'truth_uncut', 'constant'] and truth_window in ['all', 'rank']"""
needs = [
    "gains",
    "discounts if ideal not in ['candidates', 'truth_as_given']",
    "ideals if ideal in ['truth', 'truth_uncut', 'truth_returned'] and truth_window != 'k'",
    "entries if ideal == 'truth_as_given' or (truth_window == 'k' and ideal in ['truth', 'truth_uncut', 'truth_returned'])",
    "truth_rank if ideal == 'truth_as_given'",
    "returned if ideal == 'truth_returned'",
    "candidate_gains if ideal == 'candidates'",
    "cutoff if ideal == 'constant'",
]

[joins]
discounts = "cross join discounts as d"
ideals = "left join ideals as i on {{ 'i.profile = u.profile and i.relevant = u.relevant' if profiled else 'i.user_id = u.user_id' }}"

[options.ideal]
about = "which items the ideal list contains"
topic = "discount"
default = "truth"

[options.ideal.values]
truth = "the user's k relevant items with the highest gains"
constant = "k items of gain 1, even if the user has fewer relevant items"
truth_uncut = "all of the user's relevant items, not cut at k"
truth_returned = "as truth, but no longer than the returned list"
candidates = "the k items with the highest gains in the user's list"
truth_as_given = "the items of the truth with rank <= k, in that order"
#}
{# If all gains are 1, the sum of the first discounts is the IDCG, so no gains are collected. It is added up as the DCG is, so that the NDCG of
   a perfect list is 1 to the last bit. #}
{% set window = sql.filtered("u.entries", "e", "e.rank <= u.k") %}
{% macro best(n) %}
{% if gains_of_one %}
{{ sql.total_units(sql.first("d.weights", "least(" ~ n ~ ", " ~ statistic("relevant") ~ ")")) }}
{%- elif truth_window == "k" %}
{{ sql.total_units(sql.discounted(sql.first(sql.mapped(window, "e", "e.gain"), n), discount_at)) }}
{%- else %}
{{ sql.total_units(sql.first("i.weights", n)) }}
{%- endif %}
{% endmacro %}
{% if ideal == "constant" %}
{{ sql.total_units(sql.first("d.weights", "u.k")) }}
{% elif ideal == "truth_uncut" %}
{{ best(statistic("relevant")) }}
{% elif ideal == "truth_returned" %}
{{ best("least(u.k, " ~ statistic("returned") ~ ")") }}
{% elif ideal == "candidates" %}
{{ sql.total_units(sql.discounted(sql.first(statistic("candidate_gains"), "u.k"), discount_at)) }}
{% elif ideal == "truth_as_given" %}
{{ sql.total_units(sql.mapped(window, "e", sql.in_units("e.gain * " ~ discount_at("e.rank")))) }}
{% else %}
{{ best("u.k") }}
{% endif %}
{# over two lists #}
{% set length = {"truth_uncut": "", "truth_returned": "[:least(l.k, l.returned)]"}.get(ideal, "[:l.k]") %}
{% set gains = "list_sort(l.gains[:l.k], 'DESC', 'NULLS LAST')" if truth_window == "k" and ideal != "truth_as_given" else "l.gains" %}
{% if ideal == "constant" %}
recsql.list_total(list_transform(range(1, l.k + 1), lambda r: {{ discount_at("r") }}))
{% elif ideal == "candidates" %}
recsql.list_total(list_transform(
    list_sort(list_transform(l.hits, lambda h: h.gain), 'DESC')[:l.k],
    lambda g, r: g * {{ discount_at("r") }}
))
{% else %}
recsql.list_total(list_transform({{ gains }}{{ length }}, lambda g, r: g * {{ discount_at("r") }}))
{% endif %}

-- name: ideal_stop
{#
about = "the mean of 1 / rank at which a reader of the ideal list stops: the k relevant items with the highest grades"
over = "user"
made_with = "gain_of"
empty = "0e0"
needs = ["gains", "ideals"]

[joins]
ideals = "left join ideals as i on {{ 'i.profile = u.profile and i.relevant = u.relevant' if profiled else 'i.user_id = u.user_id' }}"
#}
{{ sql.mean_stop(sql.first("i.gains", "u.k"), stop_chance("g")) }}
{# over two lists #}
{% set gains = "list_sort(list_filter(l.gains, lambda g: g is not null), 'DESC')" if in_order else "l.gains" %}
{{ sql.mean_stop(gains ~ "[:l.k]", stop_chance("g")) }}

-- name: judged
{#
about = "number of items in the top k that have a row in the truth, of any relevance"
over = "user"
needs = ["judgements"]

[joins]
judgements = 'left join judgements as o on {{ same_model("o", "u") }}o.user_id = u.user_id and o.k = u.k'
#}
coalesce(o.items, 0)
{# over two lists #}
len(l.judged)

-- name: judged_persistence
{#
about = "sum of p^(rank - 1) over the items in the top k that have a row in the truth, of any relevance"
over = "user"
needs = ["judgements"]

[joins]
judgements = 'left join judgements as o on {{ same_model("o", "u") }}o.user_id = u.user_id and o.k = u.k'
#}
coalesce(o.persistence, 0e0)
{# over two lists #}
recsql.list_total(list_transform(l.judged, lambda r: power({{ double(rbp_p) }}, r - 1)))

-- name: k
{#
about = "the cut-off"
over = "user"
spans = true
positive = "true"
#}
u.k

-- name: lacks_negatives
{#
about = "1 if the whole list lacks a relevant item and has fewer than K items that are not relevant, else 0; a gap in its ranks is such an item"
over = "user"
needs = ["hits_anywhere", "lengths", "ranks"]
#}
{% set hits = statistic("hits_anywhere") %}
case
    when {{ hits }} < {{ statistic("relevant") }} and coalesce({{ sql.highest("u.ranks") }}, u.returned, 0) - {{ hits }} < {{ pauc_negatives }} then 1
    else 0
end
{# over two lists #}
case when len(l.hits) < l.relevant and l.list_length - len(l.hits) < {{ pauc_negatives }} then 1 else 0 end

-- name: last_place
{#
about = "the last place by popularity in train"
over = "user"
needs = ["popularity_places"]
#}
(select max(q.place) from popularity_places as q)

-- name: last_rank
{#
about = "the last rank in the top k, beyond the number of items there if the ranks have gaps"
over = "user"
needs = ["lengths", "ranks"]
#}
{% set within = sql.length(sql.filtered("u.ranks", "e", "e <= u.k")) %}
coalesce({{ sql.nth("u.ranks", "nullif(" ~ within ~ ", 0)") }}, least(coalesce(u.returned, 0), u.k))
{# over two lists #}
l.returned

-- name: list_length
{#
about = "number of items in the whole list; 0 without a list"
over = "user"
needs = ["lengths"]
#}
coalesce(u.returned, 0)

-- name: listed
{#
about = "1 if the user has a list, else 0"
over = "user"
needs = ["lengths"]
#}
case when u.returned is null then 0 else 1 end

-- name: not_relevant
{#
about = "J: the number of items of the user that are judged not relevant"
over = "user"
needs = ["preferences"]

[joins]
preferences = "left join rejections as j on j.user_id = u.user_id"
#}
coalesce(j.items, 0)
{# over two lists #}
len(l.rejected)

-- name: relevant
{#
about = "R: the number of relevant items of the user"
over = "user"
spans = true
budget = true
positive = "true"
#}
{{ "u.relevant" if plain and plain_population else "coalesce(u.relevant, 0)" }}

-- name: relevant_categories
{#
about = "distinct categories of the user's relevant items"
over = "user"
needs = ["relevant_categories_read"]

[joins]
relevant_categories_read = "left join relevant_categories as f on f.user_id = u.user_id"
#}
{{ double("coalesce(f.categories, 0)") }}

-- name: returned
{#
about = "number of items in the top k, counted if the ranks have gaps"
over = "user"
spans = true
budget = true
needs = ["lengths if budget is none", "ranks if budget is none", "rows_in_force if budget is not none"]
#}
{% if budgeted %}
{{ statistic("rows_in_force") }}
{% else %}
coalesce({{ sql.length(sql.filtered("u.ranks", "e", "e <= u.k")) }}, least(coalesce(u.returned, 0), u.k))
{% endif %}

-- name: seen_not_relevant
{#
about = "number of candidates that the user has in train and that are not relevant"
over = "user"
needs = ["histories"]

[joins]
histories = "left join histories as y on y.user_id = u.user_id"
#}
coalesce(y.items, 0)

-- name: total_gain
{#
about = "sum over the relevant items of weight x gain"
over = "user"
made_with = "gain_of weight_of"
positive = """
gain in ['linear', 'binary', 'exp2'] and relevant == 'positive' and (relevance_threshold is none or relevance_threshold > 0)"""
needs = ["gains", "propensities"]

[joins]
propensities = "left join truth_weights as w on w.user_id = u.user_id"
#}
coalesce(w.gain, 0e0)

-- name: total_weight
{#
about = "sum of the weights of the relevant items"
over = "user"
made_with = "weight_of"
positive = "true"
needs = ["propensities"]

[joins]
propensities = "left join truth_weights as w on w.user_id = u.user_id"
#}
coalesce(w.weight, 0e0)

-- name: train_popularity
{#
about = "sum of the popularity of all items of train"
over = "user"
#}
{{ double("(select sum(t." ~ popularity_base ~ ") from train_counts as t)") }}

-- name: train_users
{#
about = "users of train"
over = "user"
#}
{{ double("(select n.users from train_totals as n)") }}
