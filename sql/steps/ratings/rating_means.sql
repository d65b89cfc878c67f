{#
row = "one row per model with predictions: the metrics, and the number of users"
grain = "rating"
#}
select
{% if modelled %}
    n.model{% for column in rating_columns %},
    {{ sql.any_sum("s." ~ column.name) }} / count(s.{{ column.name }}) as {{ column.name }},
    cast(coalesce(sum(case when s.{{ column.name }} is not null then s.users end), 0) as bigint) as {{ column.name }}_users{% endfor %}

{% else %}
    count(*) as models{% for column in rating_columns %},
    {{ sql.any_sum("s." ~ column.name) }} / count(s.{{ column.name }}) as {{ column.name }},
    cast(coalesce(sum(case when s.{{ column.name }} is not null then s.users end), 0) as bigint) as {{ column.name }}_users{% endfor %}

{% endif %}
from rating_counts as n
left join rating_metrics as s on {{ on_model("s", "n") }}{% if modelled %}

group by n.model{% endif %}
