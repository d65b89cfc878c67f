{#
row = "one row per model, cut-off and user or group of alike users: the metrics"
#}
select
    s.model,
    s.user_id,
{% if rendering.alike %}
    s.users,
{% endif %}
{% if rendering.reads("s.is_counted") %}
    s.relevant = 0 or {{ rendering.expression("expressions/has_ideal.sql") }} as is_counted,
{% endif %}
{% if not inputs.averaged %}
    s.list_length,
    s.relevant,
{% endif %}
    s.k{% for column in columns_of("user") %},
    {% set value = rendering.value(column) %}
    {{ value }}{{ " as " ~ column.name if not value.endswith("." ~ column.name) }}
{%- endfor %}

from at_k as s
