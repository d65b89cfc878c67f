{#
row = "one row per warning about input that can be measured: the check, and its sentence"
#}
{% for name, text in warnings() %}
select {{ literal(name) }} as finding, w.message
from (
    {{ text | indent }}
) as w
{{ "union all" if not loop.last }}
{% endfor %}
