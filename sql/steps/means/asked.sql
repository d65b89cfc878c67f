{#
row = "one row per requested metric, with its place in the request"
#}
{% if named %}
{{ asked_rows() }}
{% else %}
{% for column in shown_columns %}{% if column.place > 1 %}

union all
{% endif %}
select {{ column.place }} as place, {{ literal(column.heading) }} as metric, {{ literal(column.label) }} as definition{% endfor %}
{% endif %}
