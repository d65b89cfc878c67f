{#
about = "how many items there are to recommend"
also = "item"

[options.catalog_size]
input = true
about = "how many items there are to recommend"
topic = "catalogue"
type = "integer"
above = 0
at_most = 1000000000000
#}
{{ option("catalog_size") }}
