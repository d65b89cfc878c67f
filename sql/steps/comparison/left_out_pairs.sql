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
