{# How many users have the best possible value, per model, metric and cut-off. #}
{% for column in user_columns if column.best_is_one and column.shown %}
select {{ model_of("p") }}, {{ literal(column.heading) }} as metric, {{ as_k("p.k") }}, count(*) as users
from per_user as p
where p.{{ column.name }} > 1 - 1e-9
group by {{ model("p") }}p.k
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
