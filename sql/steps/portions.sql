{#
row = "one row per model, metric and cut-off: over how many users, and what their values add up to"
#}
{% for column in columns if column.shown %}
{% set users = "n.users - coalesce(t." ~ column.name ~ "_missing, 0)" %}
select
    n.model,
    {{ literal(column.label) }} as metric,
    c.k,
    {{ users }} as users,
    coalesce(t.{{ column.name }}, 0) as sum,
    coalesce(t.{{ column.name }}_squares, 0e0) as squares,
    {{ users }} - coalesce(t.{{ column.name }}_others, 0) as zeros,
    {{ column.place }} as place
from census as n
cross join cutoffs as c
left join totals as t on t.model is not distinct from n.model and t.k = c.k
{% if column.ks %}
where c.k in ({{ column.ks | join(", ") }})
{% endif %}
{{ "union all" if not loop.last }}
{% endfor %}
