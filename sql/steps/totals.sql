{#
row = "one row per model and cut-off: the metrics summed over users, and for how many they are missing"
#}
select
    p.model,
    p.k{% for column in columns_of("user") %},
    {% set value = rendering.needed(column).then("p." ~ column.name) %}
    {{ sql.exact_sum(value) }} as {{ column.name }},
    count(*) - count({{ value }}) as {{ column.name }}_missing
{%- endfor %}

from per_user as p
group by p.model, p.k
