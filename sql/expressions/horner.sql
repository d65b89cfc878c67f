{#
about = "the polynomial of `x` with the coefficients `over`, those of the highest power first, by Horner's rule"
#}
{% set steps = over | length - 1 %}
{{ "(" * steps }}{{ over[0] }}{% for coefficient in over[1:] %}

    * {{ x }} + {{ coefficient }}){% endfor %}

