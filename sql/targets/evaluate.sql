{# The means over users. With `counted`, also the counts of the report. #}
select {{ model_of("s") }}, s.metric, {{ as_k("s.k") }}, s.value, s.users{% if counted %}, {{ "c.users" if user_metrics else "cast(null as bigint)" }} as users_in_mean, n.users_with_truth, n.lists, n.lists_without_truth, n.longest_list{% endif %}

from summary as s
{% if counted %}
left join report as n on {{ on_model("n", "s") }}
{% if user_metrics %}
left join census as c on {{ on_model("c", "s") }}
{% endif %}
{% endif %}
where {{ measurable() }}
order by {{ "s.model asc nulls first, " if modelled }}s.place asc, s.k asc
