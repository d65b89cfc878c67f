{#
row = "one row per model, metric and cut-off"
also = "item"

[options.metrics]
about = "the names of the metrics to compute; by default, all of them"
topic = "definitions"
type = "names"

[options.like]
about = "the preset with the conventions of another library; options that you give override it"
topic = "presets"
type = "preset"
#}
{% if "metrics" in options.known %}
{% for grain in ["user", "item"] if rendering.placed(grain) %}
{% set placed = rendering.placed(grain) %}
{% set differing = placed | map(attribute="1.ks") | unique | list | length > 1 or (placed | length < rendering.placed() | length) %}
{{ "union all" if not loop.first }}
select
    m.model,
    a.metric,
    m.k,
    {{ by_place(placed, "m.{name}") | indent }} as value,
    {{ by_place(placed, "m.{name}_users") | indent }} as users,
    a.place
from {{ "means" if grain == "user" else "per_run" }} as m
cross join asked as a
{% if differing %}
where
    {{ by_place(placed, "m.k in ({ks})") | indent }}
{% endif %}
{% endfor %}
{% else %}
{% for column in columns if column.shown %}
{% set wanted = rendering.wanted(column) %}
select m.model, {{ literal(column.label or column.asked.metric) }} as metric, m.k, m.{{ column.name }} as value, m.{{ column.name }}_users as users, {{ loop.index }} as place
from {{ "means" if column.grain == "user" else "per_run" }} as m
{{ wanted.where }}
{{ "union all" if not loop.last }}
{% endfor %}
union all
select null as model, n.message as metric, null as k, null as value, null as users, null as place
from unavailable as n
{% endif %}
