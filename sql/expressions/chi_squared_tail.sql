{#
about = "the upper tail of the chi-squared distribution with `df` = 1, 2, 3, ... degrees of freedom at `x` >= 0: the finite sum of Abramowitz and Stegun 26.4.4 and 26.4.5"
#}
{% macro series(further) %}exp(-{{ x }} / 2e0) * case when {{ df }} < 4 then 1e0 else {{ sql.fold("f", "m", "cast(floor(" ~ df ~ " / 2e0) as bigint) - 1", "1e0 + f * " ~ x ~ " / (2e0 * m" ~ further ~ ")") | indent(4) }} end{% endmacro %}
case
    when {{ df }} % 2 = 0
        then {{ series("") }}
    else
        2e0 * {{ upper_normal("sqrt(" ~ x ~ ")") | indent(8) }}
        + case when {{ df }} > 1 then sqrt(2e0 * {{ x }} / 3.141592653589793e0) * {{ series(" + 1e0") }} else 0e0 end
end
