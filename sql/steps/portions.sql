{#
row = "one row per model, metric and cut-off: the number of users, and the sum of their values"
#}
{% set placed = rendering.placed("user") %}
select
    p.model,
    p.metric,
    p.k,
    p.all_users as headcount,
    p.all_users - coalesce(p.missing, 0) as users,
    coalesce(p.total, 0) as sum,
    coalesce(p.squares, 0e0) as squares,
    p.all_users - coalesce(p.missing, 0) - coalesce(p.others, 0) as zeros,
    p.place
from (
    select
        n.model,
        a.metric,
        c.k,
        n.users as all_users,
        {{ by_place(placed, "t.{name}_missing") | indent(8) }} as missing,
        {{ by_place(placed, "t.{name}") | indent(8) }} as total,
        {{ by_place(placed, "t.{name}_squares") | indent(8) }} as squares,
        {{ by_place(placed, "t.{name}_others") | indent(8) }} as others,
        {{ by_place(placed, "{order}") | indent(8) }} as place
    from census as n
    cross join cutoffs as c
    cross join asked as a
    left join totals as t on t.model is not distinct from n.model and t.k = c.k
    where
        {{ by_place(placed, "c.k in ({ks})") | indent(8) }}
) as p
