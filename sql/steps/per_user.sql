{#
row = "one row per model, user and cut-off: the metrics"
#}
select
    s.model,
    s.user_id,
    s.k{% for column in columns_of("user") %},
    {% set value = rendering.value(column) %}
    {{ value }}{{ " as " ~ column.name if not value.endswith("." ~ column.name) }}
{%- endfor %}

from at_k as s
