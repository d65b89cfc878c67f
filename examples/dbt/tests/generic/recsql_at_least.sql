{# Of a model of lists: finds each model whose interval of the metric begins below a value. #}
{% test recsql_at_least(model, truth, metric, k, value) %}
with recs as (select * from {{ model }})
select *
from ({{ recsql.call("evaluate_with_interval", ["recs", truth], dict(kwargs, k=k, metrics=metric)) }})
where low is null or low < {{ value }}
{% endtest %}
