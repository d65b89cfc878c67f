{# One row per model, user and cut-off, with a column per metric. #}
select
    s.model,
    s.user_id,
    {{ as_k("s.k") }},
    s.list_length,
    s.relevant{% for column in columns if column.shown %},
    s.{{ column.name }}{{ " as " ~ column.title if column.title != column.name }}
{%- endfor %}

from per_user as s
where
    {{ rendering.expression("expressions/measurable.sql") }}
{% if condition(zero_ideal="skip").possible %}
    and s.is_counted
{% endif %}
{% if not inputs.keyed %}
order by s.model asc nulls first, s.user_id asc, s.k asc
{% endif %}
