{#
row = "one row per oddity of input that can be measured: its sentence"
#}
{% for text in rendering.warnings() %}
{{ text }}
{{ "union all" if not loop.last }}
{% endfor %}
