{#
row = "one row per model and cut-off: the means of the metrics over users, and the numbers of these users"
buys = "see users_at_k: users without a hit, or alike, are only counted"
#}
select
    {{ key_columns("n") }}n.lists,
    c.k{% for column in user_columns %},
    {{ column.mean(mean_of_totals("n.users"), "n.users") | indent }} as {{ column.name }},
    n.users - coalesce(t.{{ column.name }}_missing, 0) as {{ column.name }}_users{% endfor %}

from census as n
cross join cutoffs as c
left join totals as t on {{ same_keys("t", "n") }}t.k = c.k
