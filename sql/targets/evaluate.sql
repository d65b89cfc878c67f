{# The means over users; with `counted` the counts of the report beside them. #}
select o.model, o.metric, o.k, o.value, o.users{{ ", n.users_with_truth, n.lists, n.lists_without_truth" if counted }}
from (
    select s.model, s.metric, s.k, s.value, s.users, s.place
    from summary as s
    union all
    select null as model, null as metric, null as k, null as value, null as users, null as place
    from problems as p
    where {{ sql.error("p.message") }} is not null
) as o
{% if counted %}
left join report as n on n.model is not distinct from o.model
{% endif %}
order by o.model nulls first, o.place, o.k
