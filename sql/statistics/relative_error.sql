{#
about = "sum of |rating - prediction| / |rating|"
over = "pairs"
#}
{% if mape_zero == "epsilon" %}
{{ sql.any_sum("abs(p.rating - p.prediction) / greatest(abs(p.rating), 2220446049250313e-31)") }}
{% else %}
{{ sql.any_sum("abs(p.rating - p.prediction) / nullif(abs(p.rating), 0e0)") }}
{% endif %}
