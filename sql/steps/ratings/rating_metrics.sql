{#
row = "one row per model, and per user if mean = users: the metrics"
grain = "rating"
#}
select
{% if modelled %}
    s.model,
{% endif %}
    s.users{% for column in rating_columns %},
    {{ column.natural }} as {{ column.name }}{% endfor %}

from rating_errors as s
