{# The means over users; with `counted` the counts of the report beside them. #}
select s.model, s.metric, s.k, s.value, s.users{{ ", n.users_with_truth, n.lists, n.lists_without_truth" if inputs.counted }}
from summary as s
{% if inputs.counted %}
left join report as n on n.model is not distinct from s.model
{% endif %}
where {{ rendering.expression("expressions/measurable.sql") }}
order by s.model asc nulls first, s.place asc, s.k asc
