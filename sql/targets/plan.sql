{# What a test set can show before it is bought: a row per model or pair of models, metric and cut-off. #}
{% macro spread(squares, mean) %}case when s.users > 1 then sqrt(case when {{ squares }} - s.users * {{ mean }} * {{ mean }} > 1e-12 * {{ squares }} then {{ squares }} - s.users * {{ mean }} * {{ mean }} else 0e0 end / (s.users - 1e0)) end{% endmacro %}
{# No number of users follows from values that are all equal. #}
{% macro users_for(z) %}{% if plan__margin is none %}cast(null as double){% else %}case when s.std_difference > 0e0 then {{ users_to_show(double(plan__margin), z=z, w="w.quantile", deviation="s.std_difference") }} end{% endif %}{% endmacro %}
{% macro among(columns) %}p.place in (0{% for column in columns %}, {{ column.place }}{% endfor %}){% endmacro %}
{% set of_lists = "recs" in tables %}
{% set lower = shown_columns | selectattr("header.better", "defined") | selectattr("header.better", "eq", "lower") %}
select
    p.model, p.baseline, a.metric, {{ as_k("p.k") }}, p.users, p.value, p.std,
    {{ "p.zero_share, p.best_share" if of_lists else "cast(null as double) as zero_share, cast(null as double) as best_share" }},
    p.ideal, p.ideal - p.value as headroom, p.correlation, p.std_difference, p.detectable,
    case when {{ "p.is_binary" if of_lists else among(shown_columns | selectattr("header.binary", "defined")) }} and p.fewest <= p.users then cast(p.fewest as bigint) end as fewest_wins,
    try_cast(p.needed as bigint) as users_needed,
    try_cast(p.not_worse as bigint) as users_not_worse,
    case
        when p.needed is null then null
        when (p.ideal - p.value) * case when {{ among(lower) }} then -1e0 else 1e0 end < p.detectable then 'no_room'
        when p.users >= p.needed then 'enough'
        else 'too_few'
    end as verdict,
    a.definition
from (
    select
        s.*,
        (t.quantile + w.quantile) * s.std_difference / sqrt(s.users) as detectable,
        ceil(s.users * t.quantile * t.quantile / (s.users - 1e0 + t.quantile * t.quantile) - 1e-12) as fewest,
        {{ users_for("z.quantile") }} as needed,
        {{ users_for("o.quantile") }} as not_worse
    from (
        select
            s.*,
{% if wins is not none %}
            cast(null as double) as correlation,
            sqrt({{ double(wins) }} + {{ losses }} - power({{ double(wins) }} - {{ losses }}, 2)) as std_difference
{% else %}
            case when s.baseline is null then {{ double(correlation) }} else (s.std * s.std + s.base_std * s.base_std - s.apart * s.apart) / nullif(2e0 * s.std * s.base_std, 0e0) end as correlation,
            case when s.baseline is null then sqrt(2e0 - 2e0 * {{ correlation }}) * s.std else s.apart end as std_difference
{% endif %}
        from (
            select
                s.*,
                {{ spread("s.squares", "s.value") if of_lists else "sqrt(s.value * (1e0 - s.value))" }} as std,
                {{ spread("s.base_squares", "s.base") }} as base_std,
                {{ spread("s.squares_apart", "(s.value - s.base)") }} as apart
            from plan_sums as s
        ) as s
    ) as s
    left join quantiles as t on t.tail = s.tail and t.df = s.users - 1e0
    inner join quantiles as z on z.tail = s.tail and z.df is null
    inner join quantiles as o on o.tail = 2e0 * s.tail and o.df is null
    inner join quantiles as w on w.tail = 2e0 * (1e0 - {{ power }}) and w.df is null
) as p
inner join asked as a on a.place = p.place
order by {{ turn("p.model") }} asc nulls first, {{ turn("p.baseline") }} asc nulls first, p.place asc, p.k asc nulls last
