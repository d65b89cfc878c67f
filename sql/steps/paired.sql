{#
Pairs of models: the sums of all metrics in one table.

Goes in: paired_sums, and for metrics that are not means their values without each group of users. Comes out: paired,
one row per pair, metric and cut-off, and pair_reports with the counts beside them.
#}
{% set pair_errors = target == "paired" and grouping %}

-- name: paired_groups
{#
row = "one row per pair of models, cut-off, model of the pair and group of users: over the users who have both values, the sums in units of 1e-18"
grain = "pair"
kept = true
#}
select
    d.pair,
    d.k,
    b.is_baseline,
    g.part{% for column in user_columns %},
    {{ sql.exact_units("case when b.is_baseline then d." ~ column.name ~ "_base else d." ~ column.name ~ " end") }} as {{ column.name }},
    count(d.{{ column.name }}) as {{ column.name }}_users{% endfor %}

from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
inner join user_groups as g on g.user_id = d.user_id
cross join (select false as is_baseline union all select true as is_baseline) as b
group by d.pair, d.k, b.is_baseline, g.part

-- name: left_out_pairs
{#
row = "one row per pair of models, cut-off, model of the pair and group of users that is left out (NULL: none): the sums over all other users who have both values"
grain = "pair"
#}
{% set of_means = by_groups(user_columns)[0].name %}
{% macro over_others(x) %}sum({{ x }}) over (partition by g.pair, g.k, g.is_baseline) - coalesce({{ x }}, 0){% endmacro %}
select
    s.pair,
    s.k,
    s.is_baseline,
    s.part,
    cast(s.users as bigint) as users{% for column in user_columns %},
    {{ sql.of_units("s." ~ column.name) }} as {{ column.name }},
    s.users - s.{{ column.name }}_users as {{ column.name }}_missing{% endfor %}

from (
    select
        g.pair,
        g.k,
        g.is_baseline,
        g.part,
        g.{{ of_means }}_users as own_users,
        {{ over_others("g." ~ of_means ~ "_users") }} as users{% for column in user_columns %},
        {{ over_others("g." ~ column.name) }} as {{ column.name }},
        {{ over_others("g." ~ column.name ~ "_users") }} as {{ column.name }}_users{% endfor %}

    from paired_groups as g
    union all
    select
        g.pair,
        g.k,
        g.is_baseline,
        null as part,
        1 as own_users,
        sum(g.{{ of_means }}_users) as users{% for column in user_columns %},
        sum(g.{{ column.name }}) as {{ column.name }},
        sum(g.{{ column.name }}_users) as {{ column.name }}_users{% endfor %}

    from paired_groups as g
    group by g.pair, g.k, g.is_baseline
) as s
where s.own_users > 0

-- name: paired_means
{#
row = "one row per pair of models, cut-off, model of the pair and group of users that is left out (NULL: none): the metrics that are made of means"
grain = "pair"
#}
{# A mean reads sums of `t` and the number of users of `n`. Here both are in one row. #}
select
    t.pair,
    t.k,
    t.part,
    t.is_baseline,
    t.users{% for column in by_groups(user_columns) %},
    {{ column.mean(mean_of_totals("t.users"), "t.users") | indent }} as {{ column.name }}{% endfor %}

from left_out_pairs as t

-- name: paired_values
{#
row = "one row per pair of models, metric that is not a mean, cut-off and group of users that is left out (NULL: none): both values, and the number of users"
grain = "pair"
kept = true
#}
{# For a metric of all lists together, users with a list count: the smaller number of both models. #}
{% macro of(alias, columns, suffix="") %}
case a.place
{% for column in columns %}
        when {{ column.place }} then {{ alias }}.{{ column.name }}{{ suffix }}
{% endfor %}
    end
{%- endmacro %}
{% if item_metrics %}
select
    p.model,
    p.baseline,
{% if pairs_sliced %}
    m.slice,
    m.segment,
{% endif %}
    a.place,
    m.k,
    m.part,
    least(
        coalesce({{ of("m", by_groups(item_columns), "_users") | indent }}, o.users, 0),
        coalesce({{ of("b", by_groups(item_columns), "_users") | indent }}, q.users, 0)
    ) as users,
    {{ of("m", by_groups(item_columns)) }} as value,
    {{ of("b", by_groups(item_columns)) }} as baseline_value
from model_pairs as p
inner join per_run as m on m.model is not distinct from p.model
inner join per_run as b on b.model is not distinct from p.baseline and {{ same_segment("b", of="m") }}b.k = m.k and b.part is not distinct from m.part
left join served_users as o on {{ same_segment("o", of="m") }}o.model is not distinct from p.model
left join served_users as q on {{ same_segment("q", of="m") }}q.model is not distinct from p.baseline
cross join asked as a
where a.place in ({{ by_groups(item_columns) | map(attribute="place") | join(", ") }})
{% endif %}
{% if item_metrics and pair_groups %}
union all
{% endif %}
{% if pair_groups %}
select
    p.model,
    p.baseline,
{% if pairs_sliced %}
    g.slice,
    g.segment,
{% endif %}
    a.place,
    m.k,
    m.part,
    max(m.users) as users,
    max(case when not m.is_baseline then {{ of("m", by_groups(user_columns)) | indent }} end) as value,
    max(case when m.is_baseline then {{ of("m", by_groups(user_columns)) | indent }} end) as baseline_value
from paired_means as m
{% if pairs_sliced %}
inner join segment_pairs as g on g.number = m.pair
inner join model_pairs as p on p.pair = g.pair
{% else %}
inner join model_pairs as p on p.pair = m.pair
{% endif %}
cross join asked as a
where a.place in ({{ by_groups(user_columns) | map(attribute="place") | join(", ") }})
group by p.model, p.baseline, {{ "g.slice, g.segment, " if pairs_sliced }}a.place, m.k, m.part
{% endif %}

-- name: paired_jackknives
{#
row = "one row per pair of models, metric that is not a mean and cut-off: both values, the standard error of their difference by the jackknife, and the number of groups"
grain = "pair"
#}
{# If the difference is the same without each group but for rounding, nothing tells how far off it could be, unless there is none. #}
{% set all_keys = "v.model, v.baseline, " ~ ("v.slice, v.segment, " if pairs_sliced else "") ~ "v.place, v.k" %}
select
    w.*,
    j.groups,
    case
        when j.std_error > 1e-13 * greatest(abs(w.value), abs(w.baseline_value)) then j.std_error
        when w.value = w.baseline_value then 0e0
    end as std_error
from paired_values as w
left join (
    select
        {{ all_keys }},
        {{ sql.length("v.entries") }} as groups,
        {{ jackknife_error("v.entries", mean="v.mean") | indent(8) }} as std_error
    from (
        select {{ all_keys }}, v.entries, {{ sql.total("v.entries") }} / {{ sql.length("v.entries") }} as mean
        from (
            select {{ all_keys }}, {{ sql.ordered_list("v.value - v.baseline_value", "v.part") }} as entries
            from paired_values as v
            where v.part is not null and v.value - v.baseline_value is not null
            group by {{ all_keys }}
        ) as v
    ) as v
) as j
    on j.model is not distinct from w.model and j.baseline is not distinct from w.baseline and {{ same_segment("j", of="w") }}j.place = w.place and j.k = w.k
where w.part is null

-- name: paired
{#
row = "one row per pair of models, metric and cut-off: the sums for the test and the interval"
grain = "pair"
#}
{% macro sums(names) %}{% for name, column in names.items() %}
    {{ of_metric("s.{name}" ~ column, of="a") | indent }} as {{ name }}{{ "," if not loop.last }}
{% endfor %}{% endmacro %}
{% macro of_groups(text) %}
case a.place
{% for column in by_groups(shown_columns) %}
        when {{ column.place }} then {{ text.format(order=column.order, ks=column.ks | join(", ")) }}
{% endfor %}
    end
{%- endmacro %}
{% if in_rows %}
select
    p.model,
    p.baseline,
    s.place,
    a.metric,
    s.k,
    s.users,
    s.unpaired,
    s.wins,
    s.losses,
    s.sum,
    s.base_sum,
    s.squares,
    s.base_squares,
    s.products{% if perhaps_clustered %},
    e.cluster_squares,
    e.base_cluster_squares,
    e.base_cluster_products,
    e.cluster_products,
    e.cluster_sizes,
    e.clusters{% endif %}

from paired_sums as s
inner join model_pairs as p on p.pair = s.pair
inner join asked as a on a.place = s.place{% if perhaps_clustered %}

left join paired_moments as e on e.pair = s.pair and e.place = s.place and e.k = s.k{% endif %}{% set cut = user_columns | selectattr("needs_cutoff") | map(attribute="place") | join(", ") %}{% if cut %}

where s.k < {{ whole }} or a.place not in ({{ cut }}){% endif %}

{% elif pair_sums %}
select
    p.model,
    p.baseline,
{% if pairs_sliced %}
    g.slice,
    g.segment,
{% endif %}
    {{ of_metric("{order}", of="a") | indent }} as place,
    a.metric,
    a.definition,
    s.k,
    {{ sums({"users": "_users", "unpaired": "_unpaired", "wins": "_wins", "losses": "_losses", "sum": "", "base_sum": "_base", "squares": "_squares", "base_squares": "_base_squares", "products": "_products"}) | trim }}{% if clustered %},
    {{ of_metric("e.{name}_cluster_squares", of="a") | indent }} as cluster_squares,
    {{ of_metric("e.{name}_base_cluster_squares", of="a") | indent }} as base_cluster_squares,
    {{ of_metric("e.{name}_base_cluster_products", of="a") | indent }} as base_cluster_products,
    {{ of_metric("e.{name}_cluster_products", of="a") | indent }} as cluster_products,
    {{ of_metric("e.{name}_cluster_sizes", of="a") | indent }} as cluster_sizes,
    {{ of_metric("e.{name}_clusters", of="a") | indent }} as clusters{% endif %}{% if by_signs %},
    v.total / sqrt(v.squares) as z,
    {{ "coalesce(f.p, h.p, t.p)" if by_flips else "t.p" }} as flipped,
    case
        when {{ "f.p is not null or " if by_flips }}t.is_exact then 'exact'
{% if by_flips %}
        when h.p is not null then 'drawn'
        when t.p is not null then 'rounded'
{% else %}
        when v.users > 50 then 'normal'
{% endif %}
    end as p_method{% endif %}{% if jackknifed %},
    cast(null as double) as value,
    cast(null as double) as baseline_value,
    cast(null as double) as std_error,
    cast(null as bigint) as groups{% endif %}

from paired_sums as s
{% if pairs_sliced %}
inner join segment_pairs as g on g.number = s.pair
inner join model_pairs as p on p.pair = g.pair
{% else %}
inner join model_pairs as p on p.pair = s.pair
{% endif %}
cross join asked as a{% if clustered %}

left join paired_moments as e on e.pair = s.pair and e.k = s.k{% endif %}{% if by_signs %}

left join size_sums as v on v.pair = s.pair and v.place = a.place and v.k = s.k
left join turned as t on t.pair = s.pair and t.place = a.place and t.k = s.k{% if by_flips %}

left join flipped as f on f.pair = s.pair and f.place = a.place and f.k = s.k
left join drawn_signs as h on h.pair = s.pair and h.place = a.place and h.k = s.k{% endif %}{% endif %}{% if ks_differ %}

where
    {{ of_metric("s.k in ({ks})", of="a") | indent }}{% elif pair_groups %}

where
    {{ of_metric("true", of="a") | indent }}{% endif %}

{% endif %}
{% if pair_sums and pair_errors %}
union all
{% endif %}
{% if pair_errors %}
{# A metric that is not a mean has no sums over users. #}
select
    j.model,
    j.baseline,
{% if pairs_sliced %}
    j.slice,
    j.segment,
{% endif %}
    {{ of_groups("{order}") | indent }} as place,
    a.metric,
    a.definition,
    j.k,
    j.users,
    cast(null as bigint) as unpaired,
    cast(null as bigint) as wins,
    cast(null as bigint) as losses,
{% for name in ["sum", "base_sum", "squares", "base_squares", "products"] %}
    cast(null as decimal(38, 0)) as {{ name }},
{% endfor %}
    j.value,
    j.baseline_value,
    j.std_error,
    j.groups
from paired_jackknives as j
inner join asked as a on a.place = j.place{% if ks_differ %}

where
    {{ of_groups("j.k in ({ks})") | indent }}{% endif %}

{% endif %}

-- name: shared_lists
{#
row = "one row per pair of models with shared users: the number of users with truth who have a list of both"
grain = "pair"
#}
select p.pair, count(*) as lists
from model_pairs as p
inner join lists as a on a.model is not distinct from p.model
inner join lists as b on b.model is not distinct from p.baseline and b.user_id = a.user_id
inner join users as u on u.user_id = a.user_id
{% if fixed %}
inner join given_users as c on c.user_id = a.user_id
{% endif %}
group by p.pair

-- name: pair_reports
{#
row = "one row per pair of models: the counts of the report of both, and the number of users with truth who have a list of both"
grain = "pair"
#}
select
    p.model,
    p.baseline,
    n.users_with_truth,
    n.lists as all_lists,
    n.lists_without_truth,
    n.longest_list,
    b.users_with_truth as base_users_with_truth,
    b.lists as base_all_lists,
    b.lists_without_truth as base_lists_without_truth,
    b.longest_list as base_longest_list,
    coalesce(s.lists, 0) as shared_lists
from model_pairs as p
inner join report as n on n.model is not distinct from p.model
inner join report as b on b.model is not distinct from p.baseline
left join shared_lists as s on s.pair = p.pair
