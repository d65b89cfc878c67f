{#
row = "one row per model and metric"
grain = "rating"
#}
select
{% if modelled %}
    m.model,
{% endif %}
    a.metric,
    case a.place
{% for column in rating_columns %}
        when {{ column.place }} then m.{{ column.name }}
{% endfor %}
    end as value,
    case a.place
{% for column in rating_columns %}
        when {{ column.place }} then m.{{ column.name }}_users
{% endfor %}
    end as users,
    a.place{% if not named %},
    a.definition{% endif %}

from rating_means as m
cross join asked as a
