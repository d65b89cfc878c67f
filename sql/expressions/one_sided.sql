{#
about = "the p-value of the alternative, from the two-sided `x` of a statistic with this `sign`"
#}
{% if alternative == "two_sided" %}{{ x }}{% else %}case when {{ sign }} {{ ">" if alternative == "greater" else "<" }} 0e0 then {{ x }} / 2e0 else 1e0 - {{ x }} / 2e0 end{% endif %}
