{#
row = "one row per warning about input that can be measured: its sentence"
when = "target == 'warnings'"
#}
{% for text in warnings %}
{{ text }}
{{ "union all" if not loop.last }}
{% endfor %}
