{#
Statistics over the hits h in the top k, under each way in which the cut-off can divide ties (splits), and over their
categories g. The rows are those of hits_in_force or readings; summed(x) adds up over them, whatever the order of the
rows and the ties. Below each: the same over two lists.
#}

-- name: any_hit
{#
about = "1 if the top k has a hit, else 0"
over = "hits"
spans = true
budget = true
empty = "0e0"
#}
{{ summed("h.leads") if expected else "1e0" }}
{# over two lists #}
case when len({{ hits }}) > 0 then 1e0 else 0e0 end

-- name: cg
{#
about = "sum of the gains of the hits"
over = "hits"
spans = true
budget = true
made_with = "gain_of weight_of"
empty = "0e0"
needs = ["gains", "propensities if weighting != 'none'"]
#}
{{ summed(as_weighted("h.gain")) }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain))

-- name: dcg
{#
about = "sum of the discounted gains of the hits"
over = "hits"
budget = true
made_with = "gain_of weight_of"
empty = "0e0"
needs = ["gains", "propensities if weighting != 'none'"]
#}
{{ summed(as_weighted("h.gain") ~ " * " ~ discount_at("h.rank")) }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain * {{ discount_at("h.rank") }}))

-- name: discovery
{#
about = "sum of the discounts of the hits x the self-information in bits of their items: log2(T / c), c = the rows of the item in train, T = all rows"
over = "hits"
empty = "0e0"
needs = ["discoveries"]

[joins]
discoveries = """
left join discoveries as n on n.item_id = h.item_id
cross join unknown_discovery as a"""
#}
{{ summed(discount_at("h.rank") ~ " * coalesce(n.information, a.information)") }}

-- name: distinct_hits
{#
about = "distinct relevant items in the top k; duplicates = count counts each copy as a hit, but here the item counts once"
over = "hits"
spans = true
budget = true
empty = "0"
#}
{% if not expected and duplicates == "count" %}
{{ sql.distinct("h.item_id") }}
{% else %}
{{ summed("1") }}
{% endif %}
{# over two lists #}
{{ "list_unique(list_transform(" ~ hits ~ ", lambda r: l.items[r]))" if duplicates == "count" else "len(" ~ hits ~ ")" }}

-- name: expected_stop
{#
about = "the mean of 1 / rank at which a reader stops, 0 for one who reads to the end"
over = "hits"
made_with = "gain_of"
empty = "0e0"
needs = ["gains", "readings"]
#}
{{ summed("h.reached * " ~ stop_chance("h.gain") ~ " / nullif(h.rank, 0)") }}
{# over two lists #}
{% set highest = "list_max(l.gains)" %}
{% set sentence = "{truth}: gain {gain} is above that of the highest grade {most}; set err_max_grade= to that of your scale" %}
{% set reached = "coalesce(list_product(list_transform(readings[:n - 1], lambda h: 1 - h.chance)), 1e0)" %}
case
    when {{ stop_chance(highest) }} > 1 - power(2e0, -{{ err_max_grade }})
        then {{ refusal(sentence, gain=highest, most=err_max_grade) | indent(8) }}
    else list_transform(
        [list_sort(list_transform({{ hits }}, lambda h: {
            'rank': h.rank,
            'chance': {{ stop_chance("h.gain") }}
        }), 'ASC')],
        lambda readings: recsql.list_total(list_transform(
            readings,
            lambda h, n: {{ reached }} * h.chance / h.rank
        ))
    )[1]
end

-- name: first_rank
{#
about = "rank of the first hit in the top k; NULL without a hit"
over = "hits"
spans = true
budget = true
#}
{{ summed("h.leads * h.rank") if expected else "min(h.rank)" }}
{# over two lists #}
list_min({{ hits }})

-- name: hit_categories
{#
about = "distinct categories of the hits in the top k"
over = "hit_categories"
empty = "0"
#}
{# How many categories tied hits have in all depends on which of them are in the top k. #}
{% if not expected %}
count(distinct g.category)
{% endif %}

-- name: hits
{#
about = "relevant items in the top k"
over = "hits"
spans = true
budget = true
empty = "0"
#}
{{ summed("1") }}
{# over two lists #}
len({{ hits }})

-- name: hit_weights
{#
about = "sum of the weights of the hits"
over = "hits"
made_with = "weight_of"
empty = "0e0"
needs = ["propensities"]
#}
{{ summed("h.weight") }}

-- name: hits_to_r
{#
about = "relevant items in the first R ranks of the top k"
over = "hits"
empty = "0"
needs = ["truth_sizes"]

[joins]
truth_sizes = "inner join users as v on v.user_id = h.user_id"
#}
{{ summed("1", where="h.rank <= v.relevant") }}
{# over two lists #}
len(list_filter({{ hits }}, lambda r: r <= l.relevant))

-- name: interpolated_precision
{#
about = "the highest precision at a hit, of those from the one on that reaches the recall; 0 without one"
over = "hits"
empty = "0e0"
needs = ["truth_sizes"]

[joins]
truth_sizes = "inner join users as v on v.user_id = h.user_id"
#}
{# The highest of several values has no mean over the orders of ties that follows from means. #}
{% if not expected %}
coalesce(max(case when h.nth >= {{ hits_for("v.relevant * " ~ double(interpolated_precision_recall)) }} then h.nth / {{ double("h.rank") }} end), 0e0)
{% endif %}
{# over two lists #}
coalesce(list_max(list_transform(
    list_sort({{ hits }}, 'ASC'),
    lambda r, n: case when n >= {{ hits_for("l.relevant * " ~ double(interpolated_precision_recall)) }} then n / cast(r as double) end
)), 0e0)

-- name: interpolated_precisions
{#
about = "the sum of the highest precisions from the recalls 0, 0.1, ..., 1 on"
over = "hits"
empty = "0e0"
needs = ["truth_sizes"]

[joins]
truth_sizes = "inner join users as v on v.user_id = h.user_id"
#}
{% if not expected %}
{% for tenths in range(11) %}
{{ "+ " if tenths }}coalesce(max(case when h.nth >= {{ hits_for(tenths ~ "e-1 * v.relevant") }} then h.nth / {{ double("h.rank") }} end), 0e0)
{% endfor %}
{% endif %}
{# over two lists #}
list_sum(list_transform(
    range(0, 11),
    lambda i: coalesce(list_max(list_transform(
        list_sort({{ hits }}, 'ASC'),
        lambda r, n: case when n >= {{ hits_for("i / 10e0 * l.relevant") }} then n / cast(r as double) end
    )), 0e0)
))

-- name: irrelevant_above
{#
about = "sum over the hits of rank - m: the items above the m-th hit that are not relevant"
over = "hits"
empty = "0e0"
#}
{{ summed("h.rank - h.nth") }}
{# over two lists #}
recsql.list_total(list_transform(list_sort({{ hits }}, 'ASC'), lambda r, n: cast(r - n as double)))

-- name: persistent_gain
{#
about = "sum of gain x p^(rank - 1) over the hits"
over = "hits"
made_with = "gain_of weight_of"
empty = "0e0"
needs = ["gains", "propensities if weighting != 'none'"]
#}
{{ summed(as_weighted("h.gain") ~ " * power(" ~ double(rbp_p) ~ ", h.rank - 1)") }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda h: h.gain * power({{ double(rbp_p) }}, h.rank - 1)))

-- name: precision_sum
{#
about = "sum of precision at the rank of each hit"
over = "hits"
budget = true
empty = "0e0"
#}
{{ summed("h.nth / nullif(" ~ double("h.rank") ~ ", 0)") }}
{# over two lists #}
recsql.list_total(list_transform(list_sort({{ hits }}, 'ASC'), lambda r, n: n / cast(r as double)))

-- name: precision_total
{#
about = "sum of precision at each rank 1..k; a hit at rank r adds 1/r + ... + 1/k"
over = "hits"
empty = "0e0"
needs = ["harmonics"]

[joins]
harmonics = """
left join harmonics as upto on upto.rank = h.k
left join harmonics as before on before.rank = h.rank - 1"""
#}
{{ summed("upto.harmonic - before.harmonic") }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda r: list_sum(list_transform(range(r, l.k + 1), lambda i: 1e0 / i))))

-- name: promoted_places
{#
about = "sum over the hits of the places that they stand above their place by popularity in train; an item that is not in train comes after the catalogue"
over = "hits"
empty = "0e0"
needs = ["popularity_places"]

[joins]
popularity_places = """
left join popularity_places as q on q.item_id = h.item_id
cross join unknown_place as n"""
#}
{{ summed("greatest(coalesce(q.place, n.place) - h.rank, 0)") }}

-- name: unpopular_gain
{#
about = "sum of the discounts of the hits x (1 - u / U), u = the users of the item in train, U = all users"
over = "hits"
empty = "0e0"
needs = ["discoveries"]

[joins]
discoveries = """
left join discoveries as n on n.item_id = h.item_id
cross join unknown_discovery as a"""
#}
{{ summed(discount_at("h.rank") ~ " * coalesce(n.complement, a.complement)") }}

-- name: reciprocal_rank
{#
about = "1 / rank of the first hit in the top k; NULL without a hit"
over = "hits"
spans = true
budget = true
#}
{{ summed("h.leads / nullif(h.rank, 0)") if expected else "1e0 / nullif(min(h.rank), 0)" }}
{# over two lists #}
1e0 / list_min({{ hits }})

-- name: reciprocal_ranks
{#
about = "sum of 1 / rank over the hits in the top k"
over = "hits"
made_with = "weight_of"
empty = "0e0"
needs = ["propensities if weighting != 'none'"]
#}
{{ summed(as_weighted("1 / nullif(" ~ double("h.rank") ~ ", 0)")) }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda r: 1 / cast(r as double)))

-- name: split_precision
{#
about = "the mean precision at the hits, if the cut-off separates tied items"
over = "splits"
needs = ["harmonics"]
#}
{% set precision = "coalesce(y.precision, 0e0)" %}
{% if ties == "best" %}
max({{ precision }})
{% elif ties == "worst" %}
min({{ precision }})
{% else %}
({{ sql.exact_sum("y.weight * " ~ precision) }}) / ({{ sql.exact_sum("y.weight") }})
{% endif %}
