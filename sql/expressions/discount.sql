{#
about = "what the gain at rank `x` is multiplied by"
also = "item"

[options.discount]
about = "what the gain at a rank is multiplied by"
topic = "discount"
default = "log2p1"

[options.discount.values]
log2p1 = "1 / log2(rank + 1)"
jk2002 = "1 / max(1, log2(rank)), as Järvelin and Kekäläinen 2002 have it"
ln1p = "1 / ln(rank + 1)"
geometric = "discount_p ^ (rank - 1)"
none = "1: no discount"

[options.discount_p]
where = { discount = "geometric" }
about = "what discount = geometric multiplies by from rank to rank"
topic = "discount"
default = 0.8
type = "number"
above = 0
at_most = 1
#}
{# A rank of 0 is refused, but by a check that Spark may run later. #}
{{ choose("discount",
    log2p1="(1e0 / nullif(log2(" ~ x ~ " + 1), 0))",
    jk2002="(1e0 / greatest(1e0, log2(" ~ x ~ ")))",
    ln1p="(1e0 / nullif(ln(" ~ x ~ " + 1), 0))",
    geometric="power(" ~ double(option("discount_p")) ~ ", " ~ x ~ " - 1)",
    none="1e0",
) }}
