{#
row = "one row per requested metric, with its place in the request"
#}
{% for place, column in rendering.placed() %}
select {{ place }} as place, {{ literal(column.label or column.asked.metric) }} as metric
{{ "union all" if not loop.last }}
{% endfor %}
