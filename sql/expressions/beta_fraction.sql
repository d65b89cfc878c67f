{#
about = "the continued fraction of the incomplete beta function of `a`, `b` at `x`, but for its first step, in `pairs` pairs from the far end"
#}
{% set step %}
1e0 + m * ({{ b }} - m) * {{ x }} / (({{ a }} + 2e0 * m - 1e0) * ({{ a }} + 2e0 * m))
    / (1e0 - ({{ a }} + m) * ({{ a }} + {{ b }} + m) * {{ x }} / (({{ a }} + 2e0 * m) * ({{ a }} + 2e0 * m + 1e0)) / f)
{% endset %}
{{ sql.fold("f", "m", pairs, step | trim) }}
