{#
row = "one row per warning about input that can be measured: its sentence"
when = "target == 'warnings' or (target == 'compare' and pairs_reported)"
#}
{% for text in warnings() %}
{{ text }}
{{ "union all" if not loop.last }}
{% endfor %}
