{#
row = "one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value"
#}
{% if "parts" in inputs.tables %}
select
    a.model,
    a.k{% for column in columns_of("user") %},
    {{ sql.of_units("sum(case when a.place = " ~ column.place ~ " then a.sum end)") }} as {{ column.name }},
    cast(sum(case when a.place = {{ column.place }} then a.headcount - a.users end) as bigint) as {{ column.name }}_missing
{%- endfor %}

from addends as a
group by a.model, a.k
{% else %}
select
    p.model,
    p.k{% for column in columns_of("user") %},
    {% set value = rendering.needed(column).then("p." ~ column.name) %}
    {{ exact(value, "p.users") if rendering.alike else exact(value) }} as {{ column.name }},
{% if rendering.reads("t." ~ column.name ~ "_squares") %}
    {{ sql.any_sum(value ~ " * " ~ value) }} as {{ column.name }}_squares,
    count(case when {{ value }} <> 0 then 1 end) as {{ column.name }}_others,
{% endif %}
{% if rendering.alike %}
    cast(sum(case when {{ value }} is null then p.users else 0 end) as bigint) as {{ column.name }}_missing
{%- else %}
    count(*) - count({{ value }}) as {{ column.name }}_missing
{%- endif %}
{% endfor %}

from per_user as p
group by p.model, p.k
{% endif %}
