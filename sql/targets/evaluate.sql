{# The means over users, with their intervals. With `counted`, also the counts of the report. #}
select {{ model_of("s") }}{% if sliced %}, {{ name_of_slice("s.slice") }} as slice, s.segment{% endif %}, s.metric, {{ as_k("s.k") }}, s.value, s.users{% if sliced %}, {{ share_of_users("s") }} as share{% endif %}{% if spread %}, i.low, i.high, i.std_error, i.few{% endif %}{% if counted %}, {{ "c.users" if user_metrics else "cast(null as bigint)" }} as users_in_mean, n.users_with_truth, n.lists, n.lists_without_truth, n.longest_list{% if small %}, (select count(*) from census as f where {{ same_model("f", "s") }}f.slice > 0 and f.users < {{ min_users }}) as segments_left_out{% endif %}{% endif %}

from summary as s
{% if small %}
inner join census as m on {{ on_keys("m", "s") }} and (m.slice = 0 or m.users >= {{ min_users }})
{% endif %}
{% if spread %}
inner join intervals as i on {{ same_keys("i", "s") }}i.place = s.place and i.k = s.k
{% endif %}
{% if counted %}
left join report as n on {{ on_model("n", "s") }}
{% if user_metrics %}
left join census as c on {{ on_model("c", "s") }}{{ " and c.slice = 0" if sliced }}
{% endif %}
{% endif %}
where {{ measurable() }}
order by {{ "s.model asc nulls first, " if modelled }}{{ "s.slice asc, " ~ order_of_segment("s") ~ "s.segment asc nulls last, " if sliced }}s.place asc, s.k asc
