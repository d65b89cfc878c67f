{#
row = "one row per model and cut-off: the metrics summed over users, and for how many they are missing"
#}
select
    p.model,
    p.k{% for column in columns_of("user") %},
    {% set value = rendering.needed(column).then("p." ~ column.name) %}
    {{ exact(value) }} as {{ column.name }},
{% if rendering.reads("t." ~ column.name ~ "_squares") %}
    {{ sql.any_sum(value ~ " * " ~ value) }} as {{ column.name }}_squares,
    count(case when {{ value }} <> 0 then 1 end) as {{ column.name }}_others,
{% endif %}
    count(*) - count({{ value }}) as {{ column.name }}_missing
{%- endfor %}

from per_user as p
group by p.model, p.k
