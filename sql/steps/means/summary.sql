{#
row = "one row per model, metric and cut-off"
also = "item interaction"
kept = true
when = "target == 'evaluate'"

[options.metrics]
about = "the names of the metrics to compute, or all; by default, the most common ones"
topic = "definitions"
type = "names"

[options.like]
about = "the preset with the conventions of another library; options that you give override it"
topic = "presets"
type = "preset"
#}
{% macro rows(columns, from, left_out=false) %}
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
    a.place
from {{ from }} as m
cross join asked as a{% if ks_differ %}

where
    case a.place
{% for column in columns %}{% if column.shown %}
        when {{ column.place }} then m.k in ({{ column.ks_text }})
{% endif %}{% endfor %}
    end{% endif %}{% if left_out %}

{{ "    and" if ks_differ else "where" }} m.part is null{% endif %}
{% endmacro %}
{% if user_metrics %}
{{ rows(user_columns, "means") }}
{% endif %}
{% if user_metrics and item_metrics %}
union all
{% endif %}
{% if item_metrics %}
{{ rows(item_columns, "per_run", left_out=item_groups) }}
{% endif %}
