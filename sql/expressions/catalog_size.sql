{#
about = "the number of items that can be recommended"
also = "item"

[options.catalog_size]
input = true
about = "the number of items that can be recommended"
topic = "catalogue"
type = "integer"
above = 0
at_most = 1000000000000
#}
{{ option("catalog_size") }}
