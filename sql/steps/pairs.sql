{#
Pairs of models, user by user: the sums that the t test and the sign test need.

Goes in: per_user and the models. Comes out: differences, one row per pair, user and cut-off with both values;
paired_sums, their sums, squares and products; sizes and size_sums, the sizes of the differences for the tests of
ranks and of flipped signs.
#}

-- name: model_pairs
{#
row = "one row per pair of models that is compared; without any, a row for the checks to refuse"
grain = "pair"
also = "overlap judge"

[options.baseline]
about = "the model that all others are compared with; without it, every pair of models is compared"
topic = "comparison"
type = "model"
#}
select
    row_number() over (order by {{ turn("a.model") }} asc nulls first, {{ turn("b.model") }} asc nulls first) as pair,
    a.model,
    {{ "case when n.models = 1 then a.model else b.model end" if ranked else "b.model" }} as baseline
from models as a
{% if named and leading %}
{# The pairs of a verdict: with the best model, and with the baseline of the call. #}
inner join models as b on b.model is distinct from a.model
inner join {{ leading }} as l on l.model = cast(b.model as varchar) and (l.turn = 1 or l.model = cast({{ baseline }} as varchar))
{% else %}
cross join (select count(*) as models from models) as n
{% if named and baseline is not none %}
left join models as b
    on case when {{ baseline }} is null then b.model > a.model or (a.model is null and b.model is not null) else {{ sql.text("b.model") }} = {{ sql.text(baseline) }} end
where n.models = 1 or case when {{ baseline }} is null then b.model is not null else b.model is distinct from a.model end
{% elif baseline is none %}
left join models as b on b.model is not null and coalesce({{ turn("b.model") }} > {{ turn("a.model") }}, true)
where b.model is not null or n.models = 1
{% else %}
left join models as b on b.model = {{ literal(baseline) }}
where b.model is distinct from a.model or n.models = 1
{% endif %}
{% endif %}

-- name: common_values
{#
row = "one row per model, user and cut-off: the values of per_user if every model has one, else NULL and whether another model has one"
grain = "pair"
#}
{# Models are ranked over the same users, so that values, pairs and ranks agree. #}
select
    u.model,
    u.user_id,
    u.k{% for column in user_columns %}{% set there = "count(u." ~ column.name ~ ") over (partition by u.user_id, u.k)" %},
    case when {{ there }} = n.models then u.{{ column.name }} end as {{ column.name }},
    {{ there }} between 1 and n.models - 1 as {{ column.name }}_unpaired{% endfor %}

from per_user as u
cross join (select count(*) as models from models as m) as n

-- name: differences
{#
row = "one row per pair of models, cut-off and user: the values of both models where both have one, and whether only one has"
grain = "pair"
kept = true
#}
{% macro values_of(name) %}
{% if in_rows %}
select p.pair, u.user_id, u.place, u.k, u.value{{ ", u.unpaired" if ranked }}
from model_pairs as p
inner join metric_values as u on u.model is not distinct from p.{{ name }}
{% else %}
select
    p.pair,
    u.user_id,
{% if target == "differences" %}
    u.list_length,
    u.relevant,
{% endif %}
    u.k{% for column in user_columns %},
    u.{{ column.name }}{% if ranked %},
    u.{{ column.name }}_unpaired{% endif %}{% endfor %}

from model_pairs as p
inner join {{ "common_values" if ranked else "per_user" }} as u on u.model is not distinct from p.{{ name }}
{% endif %}
{% endmacro %}
select
    coalesce(a.pair, b.pair) as pair,
    coalesce(a.user_id, b.user_id) as user_id,
{% if target == "differences" %}
    a.list_length,
    b.list_length as baseline_list_length,
    coalesce(a.relevant, b.relevant) as relevant,
{% endif %}
{% if in_rows %}
    coalesce(a.place, b.place) as place,
    coalesce(a.k, b.k) as k,
    case when b.value is not null then a.value end as value,
    case when a.value is not null then b.value end as base,
    {{ "coalesce(a.unpaired, b.unpaired)" if ranked else "(a.value is null) <> (b.value is null)" }} as unpaired
{% else %}
    coalesce(a.k, b.k) as k{% for column in user_columns %},
    case when b.{{ column.name }} is not null then a.{{ column.name }} end as {{ column.name }},
    case when a.{{ column.name }} is not null then b.{{ column.name }} end as {{ column.name }}_base,
    {{ "coalesce(a." ~ column.name ~ "_unpaired, b." ~ column.name ~ "_unpaired)" if ranked else "(a." ~ column.name ~ " is null) <> (b." ~ column.name ~ " is null)" }} as {{ column.name }}_unpaired{% endfor %}

{% endif %}
from (
    {{ values_of("model") | trim | indent }}
) as a
full outer join (
    {{ values_of("baseline") | trim | indent }}
) as b on b.pair = a.pair and b.user_id = a.user_id {{ "and b.place = a.place " if in_rows }}and b.k = a.k

-- name: segment_pairs
{#
row = "one row per pair of models, slice and segment with users"
grain = "pair"
#}
select
    row_number() over (order by d.pair asc, d.slice asc, d.segment asc) as number,
    d.pair,
    d.slice,
    d.segment
from (
    select distinct
        d.pair,
        s.slice,
        {{ segment_joined() }}{{ " as segment" if by_activity }}
    from differences as d
    {{ with_segments("d") | indent }}
) as d

-- name: sliced_differences
{#
row = "one row per pair of models with a segment, cut-off and user: the same as differences; the number of both is the pair"
grain = "pair"
kept = true
#}
select
    p.number as pair,
    d.user_id,
    d.k{% for column in user_columns %},
    d.{{ column.name }},
    d.{{ column.name }}_base,
    d.{{ column.name }}_unpaired{% endfor %}

from differences as d
{{ with_segments("d") }}
inner join segment_pairs as p on p.pair = d.pair and p.slice = s.slice and p.segment is not distinct from {{ segment_joined() }}

-- name: shared (fast)
{#
row = "one row per pair of models and cut-off: over the users with a hit in both lists, the products, and who is ahead"
#}
{# Other users have a value above 0 in one list at most, so their part follows from the sums of each model. #}
select
    p.pair,
    a.k{% for column in user_columns %}{% set x, base = "a." ~ column.name, "b." ~ column.name %},
    count(case when {{ x }} > 5e-13 then 1 end) as {{ column.name }}_others,
    count(case when {{ base }} > 5e-13 then 1 end) as {{ column.name }}_base_others,
    count(case when {{ x }} - {{ base }} > 5e-13 then 1 end) as {{ column.name }}_wins,
    count(case when {{ base }} - {{ x }} > 5e-13 then 1 end) as {{ column.name }}_losses,
    {{ sql.exact_units(x ~ " * " ~ base) }} as {{ column.name }}_products{% endfor %}

from model_pairs as p
inner join per_user as a on a.model is not distinct from p.model
inner join per_user as b on b.model is not distinct from p.baseline and b.user_id = a.user_id and b.k = a.k
group by p.pair, a.k

-- name: paired_sums
{#
row = "one row per pair of models and cut-off: over the users who have both values, the sums, squares and products, in units of 1e-18"
grain = "pair"
#}
{# Values beyond 1e7 have no squares, because these would be too large for such units. #}
{% macro products(column, x, y) %}
{% if column.method == "wilson" %}{{ sql.exact_units(x ~ " * " ~ y) }}{% else %}case when max(greatest(abs(d.{{ column.name }}), abs(d.{{ column.name }}_base))) < 1e7 then {{ sql.exact_units("case when abs(" ~ x ~ ") < 1e7 and abs(" ~ y ~ ") < 1e7 then " ~ x ~ " * " ~ y ~ " end") }} end{% endif %}
{% endmacro %}
{% macro product_sum(x, y) %}{% if named %}recsql.product_sum({{ x }}, {{ y }}, d.value, d.base){% else %}case when max(greatest(abs(d.value), abs(d.base))) < 1e7 then {{ sql.exact_units("case when abs(" ~ x ~ ") < 1e7 and abs(" ~ y ~ ") < 1e7 then " ~ x ~ " * " ~ y ~ " end") }} end{% endif %}{% endmacro %}
{% if in_rows %}
select
    d.pair,
    d.place,
    d.k,
    count(d.value) as users,
    count(case when d.unpaired then 1 end) as unpaired,
    count(case when d.value - d.base > 5e-13 then 1 end) as wins,
    count(case when d.base - d.value > 5e-13 then 1 end) as losses,
    min(least(d.value, d.base)) as least,
    max(greatest(d.value, d.base)) as most,
    {{ sql.exact_units("d.value") }} as sum,
    {{ sql.exact_units("d.base") }} as base_sum,
    {{ product_sum("d.value", "d.value") }} as squares,
    {{ product_sum("d.base", "d.base") }} as base_squares,
    {{ product_sum("d.value", "d.base") }} as products
from differences as d
group by d.pair, d.place, d.k
{% else %}
select
    d.pair,
    d.k{% for column in user_columns %}{% set x, base = "d." ~ column.name, "d." ~ column.name ~ "_base" %},
    count({{ x }}) as {{ column.name }}_users,
    count(case when {{ x }}_unpaired then 1 end) as {{ column.name }}_unpaired,
    count(case when {{ x }} - {{ base }} > 5e-13 then 1 end) as {{ column.name }}_wins,
    count(case when {{ base }} - {{ x }} > 5e-13 then 1 end) as {{ column.name }}_losses,
    {{ sql.exact_units(x) }} as {{ column.name }},
    {{ sql.exact_units(base) }} as {{ column.name }}_base,
    {{ products(column, x, x) | trim }} as {{ column.name }}_squares,
    {{ products(column, base, base) | trim }} as {{ column.name }}_base_squares,
    {{ products(column, x, base) | trim }} as {{ column.name }}_products{% endfor %}{% if checked %},
    {{ beyond_bounds(columns=user_columns, least="min(least(d.{0}, d.{0}_base))", most="max(greatest(d.{0}, d.{0}_base))") | indent }} as beyond_bounds{% endif %}

from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
group by d.pair, d.k
{% endif %}

-- name: paired_sums (fast)
{#
row = "one row per pair of models and cut-off: over the users who have both values, the sums, squares and products, in units of 1e-18"
buys = "three models compared with a fourth, 20 million rows, six metrics at four cut-offs: 1.6 CPU seconds instead of 2.3"
when = "sparse"
#}
{# Every model has the same users, and each has a value. #}
select
    p.pair,
    c.k{% for column in user_columns %}{% set name = column.name %},
    n.users as {{ name }}_users,
    cast(0 as bigint) as {{ name }}_unpaired,
    coalesce(a.{{ name }}_others, 0) - coalesce(s.{{ name }}_others, 0) + coalesce(s.{{ name }}_wins, 0) as {{ name }}_wins,
    coalesce(b.{{ name }}_others, 0) - coalesce(s.{{ name }}_base_others, 0) + coalesce(s.{{ name }}_losses, 0) as {{ name }}_losses,
    coalesce(a.{{ name }}, 0) as {{ name }},
    coalesce(b.{{ name }}, 0) as {{ name }}_base,
    coalesce(a.{{ name }}_squares, 0) as {{ name }}_squares,
    coalesce(b.{{ name }}_squares, 0) as {{ name }}_base_squares,
    coalesce(s.{{ name }}_products, 0) as {{ name }}_products{% endfor %}

from model_pairs as p
cross join cutoffs as c
inner join census as n on n.model is not distinct from p.model
left join totals as a on a.model is not distinct from p.model and a.k = c.k
left join totals as b on b.model is not distinct from p.baseline and b.k = c.k
left join shared as s on s.pair = p.pair and s.k = c.k

-- name: paired_clusters
{#
row = "one row per pair of models, cut-off and cluster of users: the sums of the differences and of the baseline, and the numbers of users"
grain = "pair"
#}
{# A user without a cluster is one. #}
{% if in_rows %}
select
    d.pair,
    d.place,
    d.k,
    c.cluster,
    case when c.cluster is null then d.user_id end as loner,
    {{ sql.exact_sum("d.value - d.base") }} as difference,
    {{ sql.exact_sum("d.base") }} as base,
    count(d.value) as users
from differences as d
left join clusters as c on c.user_id = d.user_id
where exists (select 1 as one from clusters as n)
group by d.pair, d.place, d.k, c.cluster, case when c.cluster is null then d.user_id end
{% else %}
select
    d.pair,
    d.k,
    c.cluster,
    case when c.cluster is null then d.user_id end as loner{% for column in user_columns %},
    {{ sql.exact_sum("d." ~ column.name ~ " - d." ~ column.name ~ "_base") }} as {{ column.name }},
    {{ sql.exact_sum("case when d." ~ column.name ~ " is not null then d." ~ column.name ~ "_base end") }} as {{ column.name }}_base,
    count(d.{{ column.name }}) as {{ column.name }}_users{% endfor %}

from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
left join clusters as c on c.user_id = d.user_id
group by d.pair, d.k, c.cluster, case when c.cluster is null then d.user_id end
{% endif %}

-- name: paired_moments
{#
row = "one row per pair of models and cut-off: sums over the clusters: of the squared differences, of these times the baseline's values and times the number of users, and of the squared numbers"
grain = "pair"
#}
{% macro products(x, y) %}case when max(greatest(abs({{ x }}), abs({{ y }}))) < 1e9 then {{ sql.exact_units("case when abs(" ~ x ~ ") < 1e9 and abs(" ~ y ~ ") < 1e9 then " ~ x ~ " * " ~ y ~ " end") }} end{% endmacro %}
{# Sums beyond 1e9 have no squares, because these would be too large for units of 1e-18. #}
{% if in_rows %}
select
    t.pair,
    t.place,
    t.k,
    {{ products("t.difference", "t.difference") }} as cluster_squares,
    {{ products("t.base", "t.base") }} as base_cluster_squares,
    {{ products("t.difference", "t.base") }} as base_cluster_products,
    {{ sql.exact_units("t.difference * t.users") }} as cluster_products,
    sum({{ double("t.users") }} * t.users) as cluster_sizes,
    count(t.difference) as clusters
from paired_clusters as t
group by t.pair, t.place, t.k
{% else %}
select
    t.pair,
    t.k{% for column in user_columns %}{% set x, base, users = "t." ~ column.name, "t." ~ column.name ~ "_base", "t." ~ column.name ~ "_users" %},
    {{ products(x, x) }} as {{ column.name }}_cluster_squares,
    {{ products(base, base) }} as {{ column.name }}_base_cluster_squares,
    {{ products(x, base) }} as {{ column.name }}_base_cluster_products,
    {{ sql.exact_units(x ~ " * " ~ users) }} as {{ column.name }}_cluster_products,
    sum({{ double(users) }} * {{ users }}) as {{ column.name }}_cluster_sizes,
    count({{ x }}) as {{ column.name }}_clusters{% endfor %}

from paired_clusters as t
group by t.pair, t.k
{% endif %}

-- name: alike_differences
{#
row = "one row per pair of models, metric, cut-off and difference that is not 0: the number of users who have it"
grain = "pair"
kept = true
#}
{# Rounded, so that differences that should be equal are ties. #}
select d.pair, d.place, d.k, d.difference, count(*) as users
from (
    select
        d.pair,
        a.place,
        d.k,
        round({{ of_metric("d.{name} - d.{name}_base", of="a") | indent(8) }}, 12) as difference
    from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
    cross join asked as a
) as d
where d.difference <> 0e0
group by d.pair, d.place, d.k, d.difference

-- name: sizes
{#
row = "one row per pair of models, metric, cut-off and size of a difference: the number of users who have it, and their wins less their losses"
grain = "pair"
kept = true
#}
{% if test == "wilcoxon" %}
{# The sizes are ranks from 1, the smallest first. Users with the same size share the mean of their ranks, doubled to be a whole number. #}
{% endif %}
select
    s.pair,
    s.place,
    s.k,
    s.users,
    s.ahead,
{% if test == "wilcoxon" %}
    2e0 * sum(s.users) over (partition by s.pair, s.place, s.k order by s.size asc) - s.users + 1e0 as size
{% else %}
    s.size,
    sum(s.users) over (partition by s.pair, s.place, s.k order by s.size desc) - s.users as larger
{% endif %}
from (
    select
        d.pair,
        d.place,
        d.k,
        abs(d.difference) as size,
        cast(sum(d.users) as bigint) as users,
        cast(sum(case when d.difference > 0e0 then d.users else -d.users end) as bigint) as ahead
    from alike_differences as d
    group by d.pair, d.place, d.k, abs(d.difference)
) as s

-- name: size_sums
{#
row = "one row per pair of models, metric and cut-off: the sums of the sizes and of their squares, and the sum with the signs of the differences"
grain = "pair"
kept = true
#}
{# Sums are in the order of the sizes, not of the rows. #}
{% macro total(x) %}{{ sql.total(sql.ordered_list(x, "s.size")) }}{% endmacro %}
{% set top = "least(s.users, greatest(500 - s.larger, 0))" %}
select
    s.pair,
    s.place,
    s.k,
    sum(s.users) as users,
    {{ total("s.ahead * s.size") }} as total,
    {{ total("s.users * s.size") }} as sum,
    {{ total("s.users * s.size * s.size") }} as squares{% if by_flips %},
    count(*) as sizes,
    min(s.size) as smallest,
    max(s.size) as largest,
    {{ total(top ~ " * s.size") }} + 9e0 * sqrt({{ total("(s.users - " ~ top ~ ") * s.size * s.size") }}) as reach{% endif %}

from sizes as s
group by s.pair, s.place, s.k
