{#
about = "1 if the sum `x` of flipped differences reaches the sum of the row `u`, up to rounding; else NULL"
grain = "pair"
#}
case when {% if alternative == "greater" %}{{ x }} >= u.total{% elif alternative == "less" %}-{{ x }} >= -u.total{% else %}abs({{ x }}) >= abs(u.total){% endif %} - 1e-9 * u.sum then 1 end
