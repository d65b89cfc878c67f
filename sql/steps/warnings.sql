{#
row = "one row per warning about input that can be measured: its sentence"
#}
{% for text in rendering.warnings() %}
{{ text }}
{{ "union all" if not loop.last }}
{% endfor %}
