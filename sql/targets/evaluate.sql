{# The means over users. With `counted`, also the counts of the report. #}
{% set in_mean = "c.users" if columns_of("user") else "cast(null as bigint)" %}
select s.model, s.metric, {{ as_k("s.k") }}, s.value, s.users{{ ", " ~ in_mean ~ " as users_in_mean, n.users_with_truth, n.lists, n.lists_without_truth, n.longest_list" if inputs.counted }}
from summary as s
{% if inputs.counted %}
left join report as n on n.model is not distinct from s.model
{% if columns_of("user") %}
left join census as c on c.model is not distinct from s.model
{% endif %}
{% endif %}
where {{ rendering.expression("expressions/measurable.sql") }}
order by s.model asc nulls first, s.place asc, s.k asc
