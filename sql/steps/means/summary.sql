{#
row = "one row per model, metric and cut-off"
also = "item interaction"
kept = true

[options.metrics]
about = "the names of the metrics to compute, or all; by default, the most common ones"
topic = "definitions"
type = "names"

[options.like]
about = "the preset with the conventions of another library; options that you give override it"
topic = "presets"
type = "preset"
#}
{% macro rows(columns, from, lists, left_out=false) %}
{% for column in columns | selectattr("shown") %}{% if not loop.first %}

union all
{% endif %}
select {{ keys("m") }}{{ literal(column.heading) }} as metric, m.k, m.{{ column.name }} as value, m.{{ column.name }}_users as users, {{ lists }}, {{ column.place }} as place, {{ literal(column.label) }} as definition
from {{ from }} as m{% if from == "per_run" %}

left join {{ "list_segments" if sliced else "served" }} as v on {{ on_keys("v", "m") }}{% endif %}{% if ks_differ %}

where m.k in ({{ column.ks | join(", ") }}){% endif %}{% if left_out %}

{{ "    and" if ks_differ else "where" }} m.part is null{% endif %}{% endfor %}
{% endmacro %}
{% if user_metrics %}
{{ rows(user_columns, "means", "m.lists") }}
{% endif %}
{% if user_metrics and item_metrics %}
union all
{% endif %}
{% if item_metrics %}
{{ rows(item_columns, "per_run", "coalesce(v.lists, 0) as lists", left_out=item_groups) }}
{% endif %}
