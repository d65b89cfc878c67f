{#
row = "one row per model, cut-off and user or group of alike users: the metrics"
plain_row = "one row per model, cut-off and user: the metrics"
#}
select
{% if modelled %}
    s.model,
{% endif %}
    s.user_id,
{% if grouped %}
    s.users,
{% endif %}
{% if target in ["per_user", "differences"] %}
{% if zero_ideal == "skip" %}
    s.relevant = 0 or {{ has_ideal() }} as is_counted,
{% endif %}
    s.list_length,
    s.relevant,
{% endif %}
    s.k{% for column in user_columns %},
    {{ column.value | indent }} as {{ column.name }}{% endfor %}

from at_k as s
