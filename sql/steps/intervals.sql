{#
The intervals of means, of metrics that are not means, and of differences.

Goes in: the sums of the chapter on means, and the values without each group of users. Comes out: spreads, the
standard error of each value, and intervals, its ends; paired_intervals, the ends for differences; contributions,
which segments explain a difference.
#}

-- name: deviations
{#
row = "one row per model and mean of ratings: the sum of the users' squared deviations from it, the number of users, and their total weight"
grain = "rating"
#}
{# The weight of a user is the number of pairs, or 1 if the values of users are averaged. #}
select
    {{ model("d") }}d.place,
    {{ sql.any_sum("d.deviation * d.deviation") }} as squares,
    count(d.deviation) as raters,
    {{ "count(d.deviation)" if by_user else "max(d.used)" }} as weight
from (
    select
{% if modelled %}
        s.model,
{% endif %}
        a.place,
{% if not by_user %}
        e.used,
{% endif %}
        case a.place
{% for column in rating_columns %}{% if column.method == "t" %}
            when {{ column.place }} then s.{{ column.name }} - m.{{ column.name }}
{% elif column.method == "clusters" %}
            when {{ column.place }} then s.{{ column.sum_of }} - e.{{ column.sum_of }} / nullif(e.used, 0) * s.used
{% endif %}{% endfor %}
        end as deviation
{% if by_user %}
    from rating_metrics as s
    inner join rating_means as m on {{ on_model("m", "s") }}
{% else %}
    from rater_errors as s
    inner join rating_errors as e on {{ on_model("e", "s") }}
{% endif %}
    cross join asked as a
) as d
group by {{ model("d") }}d.place

-- name: jackknives
{#
row = "one row per model, metric and cut-off: the standard error from the values without each group of users, and the number of groups"
#}
{% macro rows(columns, from) %}
select
    {{ key_columns("m") }}a.place,
{% if not rating_groups %}
    m.k,
{% endif %}
    m.part,
    case a.place
{% for column in columns %}{% if column.shown and column.method == "groups" %}
        when {{ column.place }} then m.{{ column.name }}
{% endif %}{% endfor %}
    end as value
from {{ from }} as m
cross join asked as a
where m.part is not null
{% endmacro %}
{% set all_keys = keys("l") ~ "l.place" ~ ("" if rating_groups else ", l.k") %}
{# In the order of the groups, so that the last bits don't depend on the order of the rows. #}
select
    {{ all_keys }},
    {{ sql.length("l.entries") }} as groups,
    {{ jackknife_error("l.entries", mean="l.mean") | indent }} as std_error
from (
    select {{ all_keys }}, l.entries, {{ sql.total("l.entries") }} / {{ sql.length("l.entries") }} as mean
    from (
        select {{ all_keys }}, {{ sql.ordered_list("l.value", "l.part") }} as entries
        from (
{% if item_groups %}
            {{ rows(item_columns, "per_run") | trim | indent(12) }}
{% endif %}
{% if item_groups and user_groups %}
            union all
{% endif %}
{% if user_groups %}
            {{ rows(user_columns, "left_out_means") | trim | indent(12) }}
{% endif %}
{% if rating_groups %}
            {{ rows(rating_columns, "left_out_metrics") | trim | indent(12) }}
{% endif %}
        ) as l
        where l.value is not null
        group by {{ all_keys }}
    ) as l
) as l

-- name: mean_spreads
{#
row = "one row per mean: its standard error, the degrees of freedom (NULL: normal), and for values from 0 to 1 the effective number of users"
#}
{% set scored = user_columns | selectattr("method", "eq", "wilson") | map(attribute="place") | list %}
{# Values that are only 0 and 1 equal their squares. If all values are equal, rounding leaves a small difference of moments. #}
select
    {{ key_columns("v") }}v.place,
    v.k,
    v.value,
    v.is_scored,
    case when not v.is_binary then v.users - 1e0 end as df,
    sqrt(v.variance / nullif(v.users - 1e0, 0e0)) as std_error,
    case
        when v.users < 2 then null
        when v.is_binary or v.variance = 0e0 then cast(v.users as double)
        else v.value * (1e0 - v.value) * (v.users - 1e0) / nullif(v.variance, 0e0)
    end as effective_users,
    v.users < 200 or v.others < 50 as few
from (
    select
        t.*,
        t.is_scored and t.value = t.moment as is_binary,
        case
            when t.moment - t.value * t.value > 1e-10 * t.moment then t.moment - t.value * t.value
            when t.is_scored then 0e0
        end as variance
    from (
        select
            {{ key_columns("s") | indent(8) }}s.place,
            s.k,
            s.value,
            s.users,
{% if in_rows %}
            {{ "s.place in (" ~ scored | join(", ") ~ ")" if scored else "false" }} as is_scored,
            coalesce(t.squares, 0e0) / nullif(s.users, 0) as moment,
            coalesce(t.others, 0) as others
        from summary as s
        left join totals as t on {{ same_keys("t", "s") }}t.place = s.place and t.k = s.k
{% else %}
            {{ of_metric("{scored}", of="s") | indent(12) }} as is_scored,
            {{ of_metric("coalesce(t.{name}_squares, 0e0)", of="s") | indent(12) }} / nullif(s.users, 0) as moment,
            {{ of_metric("coalesce(t.{name}_others, 0)", of="s") | indent(12) }} as others
        from summary as s
        left join totals as t on {{ same_keys("t", "s") }}t.k = s.k{% if grouping %}

        where
            {{ of_metric("true", of="s") | indent(12) }}{% endif %}

{% endif %}
    ) as t
) as v

-- name: cluster_spreads
{#
row = "one row per mean: its standard error, with the users of a cluster taken together, and what the interval needs"
#}
{% set scored = user_columns | selectattr("method", "eq", "wilson") | map(attribute="place") | list %}
{# If all values are equal, rounding leaves a small error. #}
select
    {{ key_columns("v") }}v.place,
    v.k,
    v.value,
    v.is_scored,
    v.clusters - 1e0 as df,
    v.std_error,
    case
        when v.clusters < 2 then null
        when v.std_error = 0e0 then cast(v.clusters as double)
        else v.value * (1e0 - v.value) / nullif(v.std_error * v.std_error, 0e0)
    end as effective_users,
    v.clusters < 40 or v.others < 50 as few
from (
    select
        t.*,
        case
            when t.errors > 1e-10 * t.squares
                then sqrt(t.errors * t.clusters / nullif(t.clusters - 1e0, 0e0)) / nullif(t.users, 0)
            when t.is_scored then 0e0
        end as std_error
    from (
        select
            {{ key_columns("s") | indent(8) }}s.place,
            s.k,
            s.value,
            s.users,
{% if in_rows %}
            {{ "s.place in (" ~ scored | join(", ") ~ ")" if scored else "false" }} as is_scored,
            e.squares,
            e.squares - 2e0 * s.value * e.products + s.value * s.value * e.sizes as errors,
            e.clusters,
            coalesce(t.others, 0) as others
        from summary as s
        left join cluster_moments as e on {{ same_keys("e", "s") }}e.place = s.place and e.k = s.k
        left join totals as t on {{ same_keys("t", "s") }}t.place = s.place and t.k = s.k
        where exists (select 1 as one from clusters as n)
{% else %}
            {{ of_metric("{scored}", of="s") | indent(12) }} as is_scored,
            {{ of_metric("e.{name}_squares", of="s") | indent(12) }} as squares,
            {{ of_metric("e.{name}_squares - 2e0 * s.value * e.{name}_products + s.value * s.value * e.{name}_sizes", of="s") | indent(12) }} as errors,
            {{ of_metric("e.{name}_clusters", of="s") | indent(12) }} as clusters,
            {{ of_metric("coalesce(t.{name}_others, 0)", of="s") | indent(12) }} as others
        from summary as s
        left join cluster_moments as e on {{ same_keys("e", "s") }}e.k = s.k
        left join totals as t on {{ same_keys("t", "s") }}t.k = s.k{% if grouping %}

        where
            {{ of_metric("true", of="s") | indent(12) }}{% endif %}
{% endif %}
    ) as t
) as v

-- name: rating_spreads
{#
row = "one row per mean of ratings: its standard error, with the pairs of a user taken together, and the degrees of freedom"
grain = "rating"
#}
{# The error of a square root is that of the square, divided by twice the root. #}
select
{% if modelled %}
    s.model,
{% endif %}
    s.place,
    s.value,
    d.raters - 1e0 as df,
    sqrt(d.squares * d.raters / nullif(d.raters - 1e0, 0e0)) / nullif(d.weight, 0){% for column in rating_columns %}{% if column.header.get("root") and column.method == "clusters" %}

    / case when s.place = {{ column.place }} then nullif(2e0 * s.value, 0e0) else 1e0 end{% endif %}{% endfor %} as std_error,
    d.raters < {{ 200 if by_user else 40 }} as few
from rating_summary as s
inner join deviations as d on {{ same_model("d", "s") }}d.place = s.place
where d.raters > 0

-- name: group_spreads
{#
row = "one row per value that is not a mean: its standard error by the jackknife, the degrees of freedom, and the bounds of the metric"
#}
{# If the values without each group are equal, rounding leaves a small error. #}
select
    {{ key_columns("s") }}s.place,
{% if not rating_groups %}
    s.k,
{% endif %}
    s.value,
    j.groups - 1e0 as df,
    case when j.std_error <= 1e-13 * abs(s.value) then 0e0 else j.std_error end as std_error,
    case s.place
{% for column in shown_columns %}{% if column.method == "groups" %}
        when {{ column.place }} then {{ column.bounds[0] | default("cast(null as double)") }}
{% endif %}{% endfor %}
    end as least,
    case s.place
{% for column in shown_columns %}{% if column.method == "groups" %}
        when {{ column.place }} then {{ column.bounds[1] | default("cast(null as double)") }}
{% endif %}{% endfor %}
    end as most,
    {{ "coalesce(s.users, o.users, 0)" if item_groups else "s.users" }} < {{ 40 if rating_groups else 200 }} as few
from {{ "rating_summary" if rating_groups else "summary" }} as s
{% if item_groups %}
left join served_users as o on {{ on_keys("o", "s") }}
{% endif %}
left join jackknives as j on {{ same_keys("j", "s") }}j.place = s.place{{ "" if rating_groups else " and j.k = s.k" }}
where
    case s.place
{% for column in shown_columns %}{% if column.method == "groups" %}
        when {{ column.place }} then true
{% endif %}{% endfor %}
    end

-- name: spreads
{#
row = "one row per model, metric and cut-off: the standard error, its degrees of freedom, and what the interval needs"
kept = true
#}
{% macro rows(from, scored, bounded) %}
{# In a macro, a metric can be asked for by two of its names. #}
select{{ " distinct" if named }}
    {{ key_columns("s") }}s.place,
{% if target == "evaluate" %}
    s.k,
{% endif %}
    s.value,
    {{ "s.is_scored" if scored else "false as is_scored" }},
    s.df,
    s.std_error,
    {{ "s.effective_users" if scored else "cast(null as double) as effective_users" }},
    {{ "s.least" if bounded else "cast(null as double) as least" }},
    {{ "s.most" if bounded else "cast(null as double) as most" }},
    s.few
from {{ from }} as s
{%- endmacro %}
{% set means = has_interval_by("user", "wilson", "t") %}
{% set ratings = has_interval_by("rating", "clusters", "t") %}
{% if means %}{{ rows("cluster_spreads" if clustered else "mean_spreads", true, false) }}{% endif %}
{% if means and perhaps_clustered %}

where not exists (select 1 as one from clusters as n)

union all
{{ rows("cluster_spreads", true, false) }}
{% endif %}
{% if ratings %}{{ rows("rating_spreads", false, false) }}{% endif %}
{% if grouping and (means or ratings) %}

union all
{% endif %}
{% if grouping %}{{ rows("group_spreads", false, true) }}{% endif %}

-- name: dataset_spreads
{#
row = "one row per mean over data sets: its standard error, the degrees of freedom (NULL: normal), and what the interval needs"
#}
{% macro added(x) %}{{ sql.total(sql.ordered_list(x, "v.dataset")) }}{% endmacro %}
{% macro summed(x) %}case when count({{ x }}) = count(*) then {{ added(x) }} end{% endmacro %}
{% set square = "v.std_error * v.std_error" %}
{# Each data set has the same weight, and its own users: variances add up. Welch 1947 and Satterthwaite 1946 for the degrees of freedom. #}
select
    row_number() over (order by c.model asc nulls first, c.metric asc nulls first, c.k asc nulls first, c.definition asc nulls first) as place,
    c.model,
    c.metric,
    c.k,
    c.definition,
    c.value,
    c.is_scored,
    case
        when c.is_binary then null
        when c.total > 0e0 then c.total * c.total / c.below
        else c.least_df
    end as df,
    sqrt(c.errors) / c.datasets as std_error,
    c.datasets * c.datasets * case
        when c.total > 0e0 then c.value * (1e0 - c.value) / c.total
        when c.total = 0e0 then 1e0 / c.inverses
    end as effective_users,
    c.least,
    c.most,
    c.few
from (
    select
        v.model,
        v.metric,
        v.k,
        v.definition,
        v.is_scored,
        v.is_scored and count(v.df) = 0 as is_binary,
        count(*) as datasets,
        {{ summed("v.value") }} / count(*) as value,
        {{ summed(square) }} as errors,
        case when v.is_scored and count(v.df) = 0 then {{ summed("v.value * (1e0 - v.value) / v.effective_users") }} else {{ summed(square) }} end as total,
        {{ added(square ~ " * (" ~ square ~ ") / coalesce(v.df, v.users - 1e0)") }} as below,
        {{ added("1e0 / v.effective_users") }} as inverses,
        min(coalesce(v.df, v.users - 1e0)) as least_df,
        max(v.least) as least,
        max(v.most) as most,
        max(case when v.few then 1 else 0 end) = 1 as few
    from (
{% if "means" in tables %}
        {{ tables.means.select | indent }}
{% else %}
        select d.*, cast(null as double) as least, cast(null as double) as most, false as few
        from dataset_values as d
        where d.is_kept
{% endif %}
    ) as v
    group by v.model, v.metric, v.k, v.definition, v.is_scored
) as c

-- name: degrees
{#
row = "one row per number of degrees of freedom: the tail beyond the interval"
#}
{% if target in ["compare", "rank_pairs"] %}
select distinct c.tail, c.df
from corrections as c
where c.df > 0e0
union all
select 2e0 * (1e0 - {{ power }}) as tail, cast(null as double) as df
{% elif target == "plan" %}
select s.tail, s.users - 1e0 as df
from plan_sums as s
where s.users > 1
{% for tail in ["s.tail", "2e0 * s.tail", "2e0 * (1e0 - " ~ power ~ ")"] %}
union
select {{ tail }} as tail, cast(null as double) as df
from plan_sums as s
{% endfor %}
{% else %}
select distinct 1e0 - {{ interval }} as tail, s.df
from {{ spread_rows }} as s
where s.df > 0e0 or s.df is null
{% endif %}

-- name: quantiles
{#
row = "one row per number of degrees of freedom: the quantile of the t distribution"
#}
{{ t_quantile("degrees") }}

-- name: intervals
{#
row = "one row per model, metric and cut-off: the interval, and whether there are too few users to trust it"
#}
{# Rounding can take an end of Wilson's interval beyond 0 or 1. Without a standard error, the other kind has no ends. #}
select
    {{ key_columns("s") }}s.place,
{% if target == "evaluate" %}
    s.k,
{% endif %}
    case
        when s.penalty > 0e0
            then greatest(
                {{ score_interval("s.value", p="s.penalty", sign="-") }},
                0e0
            )
        when s.margin is not null and not s.is_scored then greatest(s.value - s.margin, s.least)
    end as low,
    case
        when s.penalty > 0e0
            then least(
                {{ score_interval("s.value", p="s.penalty", sign="+") }},
                1e0
            )
        when s.margin is not null and not s.is_scored then least(s.value + s.margin, s.most)
    end as high,
    s.std_error,
    s.few{% if combined %},
    s.df,
    s.is_scored,
    s.effective_users,
    s.least,
    s.most{% endif %}

from (
    select
        p.*,
        q.quantile * nullif(p.std_error, 0e0) as margin,
        case when p.is_scored then q.quantile * q.quantile / nullif(p.effective_users, 0e0) end as penalty
    from {{ spread_rows }} as p
    left join quantiles as q on q.df is not distinct from p.df
) as s

-- name: paired_intervals
{#
row = "one row per pair of models, metric and cut-off: the interval of the difference, the effect size, and the smallest difference that the test would find"
grain = "pair"

[options.effect]
about = "the effect size: the mean difference divided by the standard deviation of the differences"
topic = "comparison"
default = "cohen"

[options.effect.values]
cohen = "as it is (Cohen 1988)"
hedges = "corrected for few users (Hedges 1981)"

[options.power]
about = "the chance with which the test would find a difference as large as `detectable`"
topic = "comparison"
type = "number"
default = 0.8
above = 0.5
below = 1
where = { looks = "one" }
also = "plan"
#}
{# The relative difference needs a baseline that is clearly above 0. #}
select
    s.*,
    s.difference - s.margin as low,
    s.difference + s.margin as high,
    s.difference / nullif(s.deviation, 0e0){% if effect == "hedges" %} * (1e0 - 3e0 / (4e0 * s.users - 5e0)){% endif %} as effect,
    {{ "cast(null as double)" if looks == "many" else "s.margin + s.power_quantile * nullif(s.std_error, 0e0)" }} as detectable,
    s.relative - s.relative_margin as relative_low,
    s.relative + s.relative_margin as relative_high
from (
    select
        r.*,
        r.quantile * nullif(r.std_error, 0e0) as margin,
{% if by_cluster %}
        {{ "case when r.clusters is not null then " if perhaps_clustered }}r.quantile * sqrt(
            greatest(r.cluster_squares - 2e0 * r.relative * r.base_cluster_products + r.relative * r.relative * r.base_cluster_squares, 0e0)
            * r.clusters / nullif(r.clusters - 1e0, 0e0)
        ) / nullif(r.users * r.baseline_value, 0e0){{ " as relative_margin" if clustered }}
{% endif %}
{% if not clustered %}
        {{ "else " if perhaps_clustered }}r.quantile * sqrt(
            greatest(r.moment - 2e0 * r.relative * r.cross_moment + r.relative * r.relative * r.base_moment, 0e0)
            / nullif(r.users - 1e0, 0e0)
        ) / nullif(r.baseline_value, 0e0){{ " end" if perhaps_clustered }} as relative_margin
{% endif %}
    from (
        select
            c.*,
{% if looks == "many" %}
            case when c.reach < c.ratio then sqrt(c.df * (c.reach - 1e0) / (1e0 - c.reach / c.ratio)) end as quantile,
{% else %}
            q.quantile,
            z.quantile as power_quantile,
{% endif %}
            sqrt(c.variance * c.users / nullif(c.users - 1e0, 0e0)) as deviation,
            case
                when c.users > 1 and c.baseline_value > 0e0 and (c.users + 8e0) * c.baseline_value * c.baseline_value >= 9e0 * c.base_moment
                    then c.difference / c.baseline_value
            end as relative
{% if looks == "many" %}
        from (select p.*, power(sqrt(p.ratio) / p.tail, 2e0 / p.users) as reach from corrections as p) as c
{% else %}
        from corrections as c
        left join quantiles as q on q.df = c.df and q.tail = c.tail
        left join quantiles as z on z.df is null
{% endif %}
    ) as r
) as s

-- name: contributions
{#
row = "one row per pair of models, segment, metric and cut-off: what it contributes to the difference, and how far the segments of its slice differ"
grain = "pair"

[options.contributions]
about = "which segments explain the difference: the contribution and excess of each, and Cochran's Q of its slice"
topic = "comparison"
default = "false"

[options.contributions.values]
false = "without"
true = "with the columns contribution, of_difference, excess, q and q_p"
#}
{# Q follows chi-squared. Segments without a standard error don't count, and fewer than two are not tested. #}
{% set whole = "partition by c.model, c.baseline, c.place, c.k" %}
{% set slice = "partition by c.model, c.baseline, c.slice, c.place, c.k order by c.number asc rows between unbounded preceding and unbounded following" %}
select
    x.number,
    x.share,
    x.contribution,
    x.contribution / nullif(x.whole, 0e0) as of_difference,
    x.excess,
    x.q,
    case
        when x.tested > 1{{ " and false" if looks == "many" }}
            then {{ chi_squared_tail("x.q", df="(x.tested - 1)") | indent(12) }}
    end as q_p
from (
    select
        c.number,
        c.share,
        c.whole,
        c.share * c.difference as contribution,
        c.share * (c.difference - c.whole) as excess,
        case
            when c.slice > 0
                then sum(c.weight * power(c.difference - c.middle, 2)) over ({{ slice }})
        end as q,
        case when c.slice > 0 then count(c.weight) over ({{ slice }}) end as tested
    from (
        select
            c.*,
            sum(c.weight * c.difference) over ({{ slice }}) / sum(c.weight) over ({{ slice }}) as middle
        from (
            select
                c.*,
                {{ double("c.users") }} / max(case when c.slice = 0 and c.users > 0 then c.users end) over ({{ whole }}) as share,
                max(case when c.slice = 0 then c.difference end) over ({{ whole }}) as whole,
                1e0 / nullif(c.std_error * c.std_error, 0e0) as weight
            from paired_intervals as c
        ) as c
    ) as c
) as x
