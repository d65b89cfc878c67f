{#
about = "the chance of at least `x` heads in `n` tosses of a fair coin, for `x` >= `n` / 2"
#}
{# The chance of x heads, by Loader 2000, times the sum of the ratios of the further terms to it, which fall fast. #}
case
    when {{ x }} = {{ n }} then exp(-{{ n }} * 6.931471805599453e-1)
    else
        exp(
            {{ stirling_error(n) | indent(12) }}
            - {{ stirling_error(x) | indent(12) }}
            - {{ stirling_error("(" ~ n ~ " - " ~ x ~ ")") | indent(12) }}
            - {{ x }} * ln(2e0 * {{ x }} / {{ n }}) - ({{ n }} - {{ x }}) * ln(2e0 * ({{ n }} - {{ x }}) / {{ n }})
        )
        * sqrt({{ n }} / (6.283185307179586e0 * {{ x }} * ({{ n }} - {{ x }})))
        * {{ sql.fold("f", "m", "cast(least(" ~ n ~ " - " ~ x ~ ", 40e0 + 5e0 * sqrt(" ~ n ~ ")) as bigint)", "1e0 + f * (" ~ n ~ " - " ~ x ~ " - m + 1e0) / (" ~ x ~ " + m)") | indent(8) }}
end
