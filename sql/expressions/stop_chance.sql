{#
about = "the probability that a reader stops at an item of gain `x`; the gain is the grade g, or 2^g - 1, depending on the option gain"
#}
{% if gain in ["exp2", "exp2_shifted"] %}
(greatest({{ x }}, 0e0) / power(2e0, {{ err_max_grade }}))
{% else %}
((power(2e0, greatest({{ x }}, 0e0)) - 1) / power(2e0, {{ err_max_grade }}))
{% endif %}
