{#
row = "one row per model and cut-off: the means of the metrics over users, and the numbers of these users"
#}
select
    n.model,
    c.k{% for column in columns_of("user") %},
    {{ rendering.mean(column) }} as {{ column.name }},
    n.users - coalesce(t.{{ column.name }}_missing, 0) as {{ column.name }}_users
{%- endfor %}

from census as n
cross join cutoffs as c
left join totals as t on t.model is not distinct from n.model and t.k = c.k
