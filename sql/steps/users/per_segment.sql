{#
row = "one row per model, cut-off, user, slice and segment of the user: the metrics"
when = "sliced and of_users and target in ['evaluate', 'partial', 'partial_groups']"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
    p.k{% for column in user_columns %},
    p.{{ column.name }}{% endfor %}

from per_user as p
{{ with_segments("p") }}
