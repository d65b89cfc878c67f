{#
about = "the factor of the gain at rank `x`"
also = "item"

[options.discount]
about = "the factor that a gain is multiplied by at its rank"
topic = "discount"
default = "log2p1"

[options.discount.values]
log2p1 = "1 / log2(rank + 1)"
jk2002 = "1 / max(1, log2(rank)), as in Järvelin and Kekäläinen 2002"
ln1p = "1 / ln(rank + 1)"
geometric = "discount_p ^ (rank - 1)"
none = "1: no discount"

[options.discount_p]
where = { discount = "geometric" }
about = "the factor from one rank to the next, for discount = geometric"
topic = "discount"
default = 0.8
type = "number"
above = 0
at_most = 1
#}
{# A check refuses rank 0, but Spark may evaluate this expression first. nullif avoids a division by zero. #}
{% if discount == "log2p1" %}
(1e0 / nullif(log2({{ x }} + 1), 0))
{% elif discount == "jk2002" %}
(1e0 / greatest(1e0, log2({{ x }})))
{% elif discount == "ln1p" %}
(1e0 / nullif(ln({{ x }} + 1), 0))
{% elif discount == "geometric" %}
power({{ double(discount_p) }}, {{ x }} - 1)
{% else %}
1e0
{% endif %}
