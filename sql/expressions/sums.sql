{#
Sums: over hits with ties, over the items of lists, over parts, and without each group of users.
#}

-- name: summed
{#
about = "the sum of `x` over the hits h that meet the condition `where`; or its expected value, if ties spread each hit over several ranks"
#}
{# `leads`, the probability that a hit is the first one and at this rank, is the weight itself. Without ties, each hit counts 1. #}
{% set where = where | default("") %}
{% set one = x == "1" %}
{% set weight = "h.probability" if one else x if "h.leads" in x else ("(" ~ x ~ ")" if " " in x else x) ~ " * h.probability" %}
{% if expected %}
{{ sql.exact_sum("case when " ~ where ~ " then " ~ weight ~ " else 0e0 end" if where else weight) }}
{% elif one %}
count({{ "case when " ~ where ~ " then 1 end" if where else "*" }})
{% else %}
{{ sql.exact_sum("case when " ~ where ~ " then " ~ x ~ " end" if where else x) }}
{% endif %}

-- name: sums_of_each_list
{#
about = "the statistics of a `kind` of rows `x`, with the alias `row`, for each list at each cut-off; rows `from_rank` count from their rank on"
#}
{% set cut = "c" if from_rank is defined else row %}
select
{% if modelled %}
    {{ row }}.model,
{% endif %}
    {{ row }}.user_id,
    {{ cut }}.k{% for one in statistics(kind) %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from {{ x }} as {{ row }}
{% if from_rank is defined %}
inner join cutoffs as c on c.k >= {{ row }}.rank
{% endif %}
{% for join in joins(kind) %}
{{ join }}
{% endfor %}
group by {{ model(row) }}{{ row }}.user_id, {{ cut }}.k

-- name: sums_of_lists
{#
about = "the `sums` over the lists of `x` for each cut-off; for intervals, also without each group of users"
#}
{% macro sums_by(group) %}
select
{% if modelled %}
    y.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    y.k{% if group %},
    u.part{% endif %}{% for one in sums %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from {{ x }} as y{% if sliced %}

{{ with_segments("y") }}{% endif %}{% if group %}

inner join list_groups as u on {{ same_model("u", "y") }}u.user_id = y.user_id{% endif %}

group by {{ model("y") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}y.k{{ ", u.part" if group }}
{% endmacro %}
{% if item_groups %}
select
    {{ key_columns("w") }}w.k,
    o.part{% for one in sums %},
    w.{{ one }} - coalesce(g.{{ one }}, 0) as {{ one }}{% endfor %}

from (
    {{ sums_by(false) | trim | indent }}
) as w
{{ with_left_out("w") }}
left join (
    {{ sums_by(true) | trim | indent }}
) as g on {{ same_keys("g", "w") }}g.k = w.k and g.part = o.part
{% else %}
{{ sums_by(false) }}
{% endif %}

-- name: shares_added
{#
about = "the sums over lists of the `columns` of each item, or of each value of another column `of`, from the rows `x`, in units of 1e-18; with `group`, per group of users"
#}
{% set of = of | default("item_id") %}
select
{% if modelled %}
    y.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    y.k,
    y.{{ of }}{% if group is defined %},
    {{ group }}.part{% endif %}{% for one in columns %},
    {{ sql.exact_units("y." ~ one) }} as {{ one }}{% endfor %}

from {{ x }} as y
{% if sliced %}
{{ with_segments("y") }}
{% endif %}
{% if group is defined %}
inner join list_groups as {{ group }} on {{ same_model(group, "y") }}{{ group }}.user_id = y.user_id
{% endif %}
group by {{ model("y") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}y.k, y.{{ of }}{{ ", " ~ group ~ ".part" if group is defined }}

-- name: items_by_times
{#
about = "one row per model, cut-off and number of times: how many items are recommended that often"
#}
select
    {{ key_columns("i") }}i.k,
    i.times,
{% if needs.catalog %}
    {{ "count(g.item_id)" if with_catalog else "count(*)" }} as catalog_items,
{% endif %}
{% if needs.train %}
    count(t.item_id) as train_items,
{% endif %}
{% if needs.weights %}
    sum(w.weight) as weight,
{% endif %}
    count(*) as items
from item_counts as i
{% if needs.weights %}
inner join item_weights as w on {{ same_keys("w", "i") }}w.k = i.k and w.item_id = i.item_id
{% endif %}
{% if needs.catalog and with_catalog %}
left join catalog as g on g.item_id = i.item_id
{% endif %}
{% if needs.train %}
left join train_items as t on t.item_id = i.item_id
{% endif %}
group by {{ keys("i") }}i.k, i.times

-- name: with_left_out
{#
about = "the join of the rows `x`, of the model in `of`, with the groups of users `o` that are left out"
#}
{% set of = of | default(x) %}
{% set same = ["o.model is not distinct from " ~ of ~ ".model"] if modelled and not of_pairs else [] %}
{% set same = same + (["o.slice = " ~ x ~ ".slice", "o.segment is not distinct from " ~ x ~ ".segment"] if sliced else []) %}
{{ "inner join left_out as o on " ~ same | join(" and ") if same else "cross join left_out as o" }}

-- name: jackknife_error
{#
about = "the standard error by the jackknife from the list `x` of values without each group, and their `mean`"
#}
sqrt(
    {{ sql.total(sql.mapped(x, "e", "(e - " ~ mean ~ ") * (e - " ~ mean ~ ")")) }}
    * ({{ sql.length(x) }} - 1e0) / {{ sql.length(x) }}
)

-- name: rounded
{#
about = "a decimal x as a whole number"
grain = "interaction"

[options.rounding]
about = "how the number of a user's interactions in truth is rounded; shares are decimals, so that 0.1 of 10 is 1"
topic = "cuts"
default = "ceil"
where = { protocol = "last_fraction random users" }

[options.rounding.values]
ceil = "up"
floor = "down"
nearest = "to the nearest number, halves up"
nearest_even = "to the nearest number, halves to the even one, as Python and NumPy do"
train_nearest_even = "train is rounded, to the nearest number, halves to the even one; truth is the rest"
#}
{% set half = "cast(5e-1 as decimal(2, 1))" %}
{% if rounding == "ceil" %}
ceil({{ x }})
{% elif rounding == "floor" %}
floor({{ x }})
{% elif rounding == "nearest" %}
floor({{ x }} + {{ half }})
{% else %}
(floor({{ x }} + {{ half }}) - case when {{ x }} % 2 = {{ half }} then 1 else 0 end)
{% endif %}

-- name: added
{#
about = "the sum over parts, rows `a`, of their column `x` for the metric at `place`"
#}
sum(case when a.place = {{ place }} then a.{{ x }} end)

-- name: added_if_all
{#
about = "the sum over parts, rows `a`, of their column `x` for the metric at `place`; NULL if a part with users has none"
#}
case
    when count(case when a.place = {{ place }} and a.users > 0 and a.{{ x }} is null then 1 end) = 0
        then {{ added(x, place=place) }}
end
