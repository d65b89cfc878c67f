{#
row = "one row per metric asked for, with its place among them"
#}
{% for place, column in rendering.placed() %}
select {{ place }} as place, {{ literal(column.label or column.asked.metric) }} as metric
{{ "union all" if not loop.last }}
{% endfor %}
