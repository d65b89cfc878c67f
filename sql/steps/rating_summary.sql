{#
row = "one row per model and metric"
grain = "rating"
#}
{% if "metrics" in options.known %}
{% set placed = rendering.placed("rating") %}
select
    m.model,
    a.metric,
    {{ by_place(placed, "m.{name}") | indent }} as value,
    {{ by_place(placed, "m.{name}_users") | indent }} as users,
    a.place
from rating_means as m
cross join asked as a
{% else %}
{% for column in columns if column.shown %}
{% set wanted = rendering.wanted(column) %}
select m.model, {{ literal(column.label or column.asked.metric) }} as metric, m.{{ column.name }} as value, m.{{ column.name }}_users as users, {{ loop.index }} as place
from rating_means as m
{{ wanted.where }}
{{ "union all" if not loop.last }}
{% endfor %}
union all
select null as model, n.message as metric, null as value, null as users, null as place
from unavailable as n
{% endif %}
