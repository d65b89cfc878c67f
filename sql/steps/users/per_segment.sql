{#
row = "one row per model, cut-off, user, slice and segment of the user: the metrics"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
    p.k{% if in_rows %},
    p.place,
    p.value
from metric_values as p
{% else %}{% for column in user_columns %},
    p.{{ column.name }}{% endfor %}

from per_user as p
{% endif %}
{{ with_segments("p") }}
