{#
about = "ln(`x`!) less Stirling's formula (x + 1/2) ln(x) - x + ln(2 pi) / 2, for whole numbers `x` > 0: Loader 2000"
#}
{% macro series(z) %}(1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * {{ z }} * {{ z }})) / ({{ z }} * {{ z }})) / ({{ z }} * {{ z }})) / ({{ z }} * {{ z }})) / {{ z }}{% endmacro %}
{% set far = "(" ~ x ~ " + 16e0)" %}
case
    when {{ x }} >= 16
        then {{ series(x) }}
    else
        {{ series(far) }} + ({{ x }} + 16.5e0) * ln({{ x }} + 16e0) - ({{ x }} + 5e-1) * ln({{ x }}) - 16e0
        - ln({% for i in range(1, 17) %}{{ " * " if i > 1 }}({{ x }} + {{ i }}e0){% endfor %})
end
