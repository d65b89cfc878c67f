{# The means over users, with their intervals. With `counted`, also the counts of the report. #}
select {{ model_of("s") }}, s.metric, {{ as_k("s.k") }}, s.value, s.users{% if spread %}, i.low, i.high, i.std_error, i.few{% endif %}{% if counted %}, {{ "c.users" if user_metrics else "cast(null as bigint)" }} as users_in_mean, n.users_with_truth, n.lists, n.lists_without_truth, n.longest_list{% endif %}

from summary as s
{% if spread %}
inner join intervals as i on {{ same_model("i", "s") }}i.place = s.place and i.k = s.k
{% endif %}
{% if counted %}
left join report as n on {{ on_model("n", "s") }}
{% if user_metrics %}
left join census as c on {{ on_model("c", "s") }}
{% endif %}
{% endif %}
where {{ measurable() }}
order by {{ "s.model asc nulls first, " if modelled }}s.place asc, s.k asc
