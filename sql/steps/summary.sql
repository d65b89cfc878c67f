{#
row = "one row per model, metric and cut-off"
also = "item"

[options.metrics]
about = "the metrics wanted, by name; all of them by default"
type = "names"

[options.like]
about = "the conventions of another system, by its name; an option that is given beats them"
type = "preset"
#}
{% for column in columns if column.shown %}
{% set wanted = rendering.wanted(column) %}
select m.model, {{ literal(column.label or column.asked.metric) }} as metric, m.k, m.{{ column.name }} as value, m.{{ column.name }}_users as users, {{ loop.index }} as place
from {{ "means" if column.grain == "user" else "per_run" }} as m
{% if column.ks %}
where m.k in ({{ column.ks | join(", ") }})
{% else %}
{{ wanted.where }}
{% endif %}
{{ "union all" if not loop.last }}
{% endfor %}
{% if "metrics" not in options.known %}
union all
select null as model, n.message as metric, null as k, null as value, null as users, null as place
from unavailable as n
{% endif %}
