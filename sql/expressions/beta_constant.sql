{#
about = "ln of Gamma(x + 1/2) / (Gamma(x) Gamma(1/2)): Stirling's series ten places up, and ten factors back"
#}
{% set up = "(" ~ x ~ " + 1e1)" %}
5e-1 * ln({{ up }}) - 1e0 / (8e0 * {{ up }}) + 1e0 / (192e0 * power({{ up }}, 3)) - 1e0 / (640e0 * power({{ up }}, 5))
+ 17e0 / (14336e0 * power({{ up }}, 7)) - 31e0 / (18432e0 * power({{ up }}, 9)) - 5.723649429247001e-1
+ ln(
{% for i in range(10) %}
    {{ "* " if i }}({{ x }} + {{ i }}e0) / ({{ x }} + {{ i }}.5e0)
{% endfor %}
)
