{#
about = "the time from which interactions are truth"
grain = "interaction"

[options.gap]
about = "the time between the cut and the truth; interactions in it are unused; a number, or such as 7 days"
topic = "cuts"
type = "span"
where = { protocol = "temporal backtest" }
#}
{% if named %}
c.begins
{% elif gap is not none %}
c.cut + {{ gap }}
{% else %}
c.cut
{% endif %}
