{# What the means over users are made of, to be added to that of other users; for a model that has no list here, too. #}
select
    nullif(p.model, chr(1)) as model,
    p.model is distinct from chr(1) as has_lists,
    p.metric,
    p.k,
    p.headcount,
    p.users,
    p.sum,
    p.squares,
    p.zeros,
    n.users_with_truth,
    n.lists,
    n.lists_without_truth,
    n.longest_list,
    p.place
from portions as p
left join report as n on n.model is not distinct from p.model
where {{ rendering.expression("expressions/measurable.sql") }}
order by p.model asc nulls first, p.place asc, p.k asc
