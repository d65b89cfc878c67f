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
{# Plainly, one SELECT per metric. The other form has the metrics as rows of their own, which in a macro are parameters. #}
{% macro rows(columns, from, lists, left_out=false) %}
{% if not fast %}
{% for column in columns | selectattr("shown") %}{% if not loop.first %}

union all
{% endif %}
select {{ keys("m") }}{{ literal(column.heading) }} as metric, m.k, m.{{ column.name }} as value, m.{{ column.name }}_users as users, {{ lists }}, {{ column.place }} as place, {{ literal(column.label) }} as definition
from {{ from }} as m{% if from == "per_run" %}

left join {{ "list_segments" if sliced else "served" }} as v on {{ on_keys("v", "m") }}{% endif %}{% if ks_differ %}

where m.k in ({{ column.ks | join(", ") }}){% endif %}{% if left_out %}

{{ "    and" if ks_differ else "where" }} m.part is null{% endif %}{% endfor %}
{% else %}
select
    {{ key_columns("m") }}a.metric,
    m.k,
    case a.place
{% for column in columns %}{% if column.shown %}
        when {{ column.place }} then m.{{ column.name }}
{% endif %}{% endfor %}
    end as value,
    case a.place
{% for column in columns %}{% if column.shown %}
        when {{ column.place }} then m.{{ column.name }}_users
{% endif %}{% endfor %}
    end as users,
    {{ lists }},
    a.place{% if not named %},
    a.definition{% endif %}

from {{ from }} as m
cross join asked as a{% if from == "per_run" %}

left join {{ "list_segments" if sliced else "report" if parts else "served" }} as v on {{ on_keys("v", "m") }}{% endif %}{% if named %}
{% set cut = columns | selectattr("needs_cutoff") | map(attribute="metric") | join("', '") %}
{% if cut %}

where m.k < {{ whole }} or a.metric not in ('{{ cut }}'){% endif %}{% endif %}{% if ks_differ %}

where
    case a.place
{% for column in columns %}{% if column.shown %}
        when {{ column.place }} then m.k in ({{ column.ks | join(", ") }})
{% endif %}{% endfor %}
    end{% endif %}{% if left_out %}

{{ "    and" if ks_differ else "where" }} m.part is null{% endif %}
{% endif %}
{% endmacro %}
{% if in_rows %}
{% set cut = user_columns | selectattr("needs_cutoff") | map(attribute="metric") | join("', '") %}
select
    {{ key_columns("n") }}a.metric,
    c.k,
    coalesce(t.total, 0e0) / nullif(n.users - coalesce(t.missing, 0), 0) as value,
    n.users - coalesce(t.missing, 0) as users,
    n.lists,
    a.place
from census as n
cross join cutoffs as c
cross join asked as a
left join totals as t on {{ same_keys("t", "n") }}t.place = a.place and t.k = c.k{% if cut %}

where c.k < {{ whole }} or a.metric not in ('{{ cut }}'){% endif %}

{% elif user_metrics %}
{{ rows(user_columns, "means", "m.lists") }}
{% endif %}
{% if user_metrics and item_metrics %}
union all
{% endif %}
{% if item_metrics %}
{{ rows(item_columns, "per_run", "coalesce(v.lists, 0) as lists", left_out=item_groups) }}
{% endif %}
