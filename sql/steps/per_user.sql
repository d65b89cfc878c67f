{#
row = "one row per model, user and cut-off: the metrics"
#}
select
    s.model,
    s.user_id,
    s.k{% for column in columns %},
    {{ metric_value(column) }} as {{ column.name }}
{%- endfor %}

from at_k as s
