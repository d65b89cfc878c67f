{#
Ranks of models, from all pairs of them.

Goes in: corrections, the pairs with their p-values; and values per user or scores, if the call has these in place of lists. Comes
out: dataset_values and model_values, the means; ranked_models, the ranks with their intervals; tiers, the first model of each.
#}
{# Whether a high value of a row is good, as a factor. #}
{% macro sign(x) %}
{{ "case when " ~ meaning(x) ~ " in ('" ~ lower | join("', '") ~ "') then -1e0 else 1e0 end" if lower else "1e0" }}
{%- endmacro %}
{% macro meaning(x) %}{{ "recsql.meaning(" ~ x ~ ".metric)" if named else x ~ ".metric" }}{% endmacro %}
{% macro same(a, b, model="model") %}
{{ a }}.model is not distinct from {{ b }}.{{ model }} and {{ a }}.place = {{ b }}.place and {{ a }}.k = {{ b }}.k
{%- endmacro %}

-- name: score_rows
{#
row = "one row per model, data set, metric, cut-off and perhaps user: a value that the call gives; the cell is that of data set and place"
grain = "rank"
kept = true
#}
{# Of a number of users alone, the variance of a value from 0 to 1 is at most v (1 - v): Bhatia and Davis 2000. #}
select
    s.*,
    s.metric as definition,
    coalesce(s.given_error, case when s.is_scored then sqrt(s.value * (1e0 - s.value) / s.users) end) as std_error,
    case when s.given_error is not null then s.users - 1e0 end as df
from (
    select
        s.*,
        dense_rank() over (order by s.metric asc, s.k asc) as place,
        dense_rank() over (order by s.metric asc, s.k asc, s.dataset asc) as cell,
        dense_rank() over (order by s.model asc nulls first) as model_number,
        avg(s.value) over (partition by s.metric, s.k, s.model) as middle,
        min(case when s.value between 0e0 and 1e0 then 1 else 0 end) over (partition by s.metric, s.k) = 1 as is_scored
    from ({{ tables.scores.select }}) as s
) as s

-- name: score_contrasts
{#
row = "one row per pair of models, data set, metric and cut-off: the difference of their scores, with its standard error"
grain = "rank"
#}
{# There are at most 1,000 models. #}
select
    (a.cell * 1000 + a.model_number) * 1000 + b.model_number as number,
    a.model, b.model as baseline, a.place, a.metric, a.definition, a.k, a.dataset,
    least(a.users, b.users) as users,
    cast(null as bigint) as unpaired,
    cast(null as bigint) as wins,
    cast(null as bigint) as losses,
    a.value,
    b.value as baseline_value,
    a.value - b.value as difference,
    a.middle - b.middle as middle,
    coalesce(least(a.df, b.df), 1e15) as df, -- as good as normal
    sqrt(
        a.std_error * a.std_error + b.std_error * b.std_error
        - 2e0 * {{ double(rank__correlation) }} * a.std_error * b.std_error
    ) as std_error
from score_rows as a
inner join score_rows as b on b.cell = a.cell and b.model > a.model

-- name: dataset_values
{#
row = "one row per model, data set, metric and cut-off: the mean, whether it counts, its standard error, and what its interval needs"
grain = "rank"
kept = true

[options.rank__correlation]
about = "of scores alone: how the values of two models correlate, user by user; 0 is cautious"
topic = "ranking"
type = "number"
default = 0
at_least = -1
below = 1

[options.rank__missing]
about = "what to do about a model without a value on some data set"
topic = "ranking"
default = "error"

[options.rank__missing.values]
error = "it is an error"
leave_out = "the model has no rank; it still has Borda points where it has values"
common = "only the data sets count on which all models have a value"
#}
{% set scored = shown_columns | selectattr("method", "eq", "wilson") | map(attribute="metric" if named else "heading") | list %}
{# The values of a model are in each of its pairs. #}
{% macro side(model, value, sum, squares) %}
{% set mean = sql.of_units("p." ~ sum) ~ " / nullif(p.users, 0)" %}
select
    p.{{ model }} as model,
    {{ "'' as dataset" if named else "p.dataset" }},
    p.place,
    p.metric,
    {{ "p.metric as definition" if named else "p.definition" }},
    p.k,
    p.users,
    p.unpaired,
{% if scored %}
    {{ meaning("p") }} in ('{{ scored | join("', '") }}') as is_scored,
{% else %}
    {{ "false" if shown_columns else "p.least >= 0e0 and p.most <= 1e0" }} as is_scored,
{% endif %}
    {{ "coalesce(p." ~ value ~ ", " ~ mean ~ ")" if jackknifed else mean }} as value,
    {{ sql.of_units("p." ~ squares) }} / nullif(p.users, 0) as moment
from given_paired as p
{% endmacro %}
{% macro values_of_datasets() %}
{% if "scores" in tables %}
select
    s.model, s.dataset, s.place, s.metric, s.definition, s.k, s.users,
    cast(null as bigint) as unpaired,
    s.is_scored, s.value, s.df, s.std_error,
    case
        when s.std_error > 0e0 then s.value * (1e0 - s.value) / (s.std_error * s.std_error)
        else cast(s.users as double)
    end as effective_users
from score_rows as s
{% else %}
select
    v.model, v.dataset, v.place, v.metric, v.definition, v.k, v.users, v.unpaired, v.is_scored, v.value,
    case when not (v.is_scored and v.value = v.moment) then v.users - 1e0 end as df,
    sqrt(v.variance / nullif(v.users - 1e0, 0e0)) as std_error,
    case
        when v.users < 2 then null
        when v.value = v.moment or v.variance = 0e0 then cast(v.users as double)
        else v.value * (1e0 - v.value) * (v.users - 1e0) / v.variance
    end as effective_users
from (
    select
        u.model, u.dataset, u.place, u.metric, u.definition, u.k, u.is_scored,
        max(u.users) as users,
        max(u.unpaired) as unpaired,
        max(u.value) as value,
        max(u.moment) as moment,
        max(case
            when u.moment - u.value * u.value > 1e-10 * u.moment then u.moment - u.value * u.value
            when u.is_scored then 0e0
        end) as variance
    from (
        {{ side("model", "value", "sum", "squares") | trim | indent(8) }}
        union all
        {{ side("baseline", "baseline_value", "base_sum", "base_squares") | trim | indent(8) }}
    ) as u
    group by u.model, u.dataset, u.place, u.metric, u.definition, u.k, u.is_scored
) as v
{% endif %}
{% endmacro %}
{% set of_metric, counted = "over (partition by w.place, w.k)", "count(w.value) over (partition by w.place, w.k, w." %}
select
    w.*,
    max(w.model_number) {{ of_metric }} as models,
    max(w.dataset_number) {{ of_metric }} as datasets,
{% if rank__missing == "common" %}
    {{ counted }}dataset) = max(w.model_number) {{ of_metric }} as is_kept
{% elif rank__missing == "leave_out" %}
    {{ counted }}model) = max(w.dataset_number) {{ of_metric }} as is_kept
{% else %}
    true as is_kept
{% endif %}
from (
    select
        v.*,
        dense_rank() over (partition by v.place, v.k order by v.model asc nulls first) as model_number,
        dense_rank() over (partition by v.place, v.k order by v.dataset asc) as dataset_number
    from (
        {{ values_of_datasets() | trim | indent(8) }}
    ) as v
) as w

-- name: model_values
{#
row = "one row per model, metric and cut-off: the mean over data sets (NULL if one has no value), its rank and turn, Borda points and mean rank"
grain = "rank"
kept = true
#}
{# On each data set, models with equal values share the mean of their ranks. A model without a value earns no points. #}
{% set complete = "count(*) > 0" if rank__missing == "common" else "count(*) = max(v.datasets)" %}
{% set best, best_first = sign("d") ~ " * d.value", "round(" ~ sign("m") ~ " * m.value, 12) desc nulls last" %}
{% set behind = "'On ' || " ~ sql.text("v.dataset") ~ " || ', ' || v.leader || ' is better than ' || v.model || '.'" %}
select
    m.*,
    case when m.value is not null then rank() over (partition by m.place, m.k order by {{ best_first }}) end as rank,
    row_number() over (partition by m.place, m.k order by {{ best_first }}, m.model asc nulls first) as turn
from (
    select
        v.model,
        v.place,
        v.metric,
        v.definition,
        v.k,
        {{ "count(*)" if rank__missing == "common" else "max(v.datasets)" }} as datasets,
        cast(sum(v.users) as bigint) as users,
        cast(sum(v.unpaired) as bigint) as unpaired,
        case when {{ complete }} then {{ sql.total(sql.ordered_list("v.value", "v.dataset")) }} / count(*) end as value,
        sum(v.models - v.turn) as borda,
        case when {{ complete }} then avg(v.turn) end as mean_rank,
        count(case when v.above = 1 then 1 end) as firsts{% if not named %},
        {{ sql.ordered_list("case when v.above > 1 then " ~ behind ~ " end", "v.dataset") }} as behind{% endif %}

    from (
        select w.*, w.above + (w.equals - 1) / 2e0 as turn
        from (
            select
                d.*,
                rank() over (partition by d.place, d.k, d.dataset order by {{ best }} desc) as above,
                count(*) over (partition by d.place, d.k, d.dataset, d.value) as equals,
                first_value(d.model) over (partition by d.place, d.k, d.dataset order by {{ best }} desc, d.model asc nulls first) as leader
            from dataset_values as d
            where d.value is not null{{ " and d.is_kept" if rank__missing == "common" }}
        ) as w
    ) as v
    group by v.model, v.place, v.metric, v.definition, v.k
) as m

-- name: model_spreads
{#
row = "one row per model, metric and cut-off: the standard error of its mean, if the data sets are a sample"
grain = "rank"
#}
{% set squares = sql.total(sql.ordered_list("power(d.value - v.value, 2)", "d.dataset")) %}
select
    row_number() over (order by v.model asc nulls first, v.place asc, v.k asc) as place,
    v.model,
    v.metric,
    v.k,
    v.definition,
    v.value,
    false as is_scored,
    cast(null as double) as effective_users,
    count(*) - 1e0 as df,
    case when count(*) > 1 then sqrt({{ squares }} / (count(*) - 1e0) / count(*)) end as std_error,
{% for end, name in [("0e0", "least"), ("1e0", "most")] %}
    case when min(case when d.is_scored then 1 else 0 end) = 1 then {{ end }} end as {{ name }},
{% endfor %}
    count(*) < 10 as few
from model_values as v
inner join dataset_values as d on {{ same("d", "v") }} and d.is_kept
where v.value is not null
group by v.model, v.place, v.metric, v.k, v.definition, v.value

-- name: ranked_models
{#
row = "one row per model with a value, metric and cut-off: its rank, with its interval, the turns of the first and last better model, and what its pairs lack"
grain = "rank"
kept = true
#}
{# Each pair is seen from both sides. `shown` says that the one with the better value is shown to be better. #}
select
    m.model, m.place, m.k, m.rank, m.turn,
    1 + count(case when p.other < m.turn then p.shown end) as rank_low,
    max(m.turn) over (partition by m.place, m.k) - count(case when p.other > m.turn then p.shown end) as rank_high,
    min(case when p.other < m.turn and p.shown = 1 then p.other end) as first,
    max(case when p.other < m.turn and p.shown = 1 then p.other end) as last,
    count(p.untested) as untested,
    coalesce(max(p.few), 0) = 1 as few
from model_values as m
left join (
    select
        c.place,
        c.k,
        case when w.way = 1 then m.turn else b.turn end as turn,
        case when w.way = 1 then b.turn else m.turn end as other,
        case when c.p_adjusted < round(1e0 - {{ interval }}, 12) and c.difference <> 0e0 then 1 end as shown,
        case when c.p is null then 1 end as untested,
        case
{% if vary == "datasets" %}
            when c.df < 9e0 then 1
{% else %}
            when coalesce(c.df < {{ fewest.users - 1 }}, true) or coalesce(c.wins + c.losses < {{ fewest.differing }}, false) then 1
{% endif %}
        end as few
    from corrections as c
    inner join model_values as m on {{ same("m", "c") }}
    inner join model_values as b on {{ same("b", "c", "baseline") }} and b.turn <> m.turn
    cross join (select 1 as way union all select 2 as way) as w
) as p on p.place = m.place and p.k = m.k and p.turn = m.turn
where m.value is not null
group by m.model, m.place, m.k, m.rank, m.turn

-- name: tiers
{#
row = "one row per tier, metric and cut-off: the turn of its first model"
grain = "rank"
#}
{# A tier ends before the first model that some model of it is shown to be better than. #}
with recursive starts as (
    select m.place, m.k, m.turn, 1 as tier from ranked_models as m where m.turn = 1
    union all
    select m.place, m.k, min(m.turn) as turn, min(s.tier) + 1 as tier
    from starts as s
    inner join ranked_models as m on m.place = s.place and m.k = s.k and m.turn > s.turn and m.last >= s.turn
    group by m.place, m.k
)

select s.place, s.k, s.turn, s.tier
from starts as s
