{#
about = "how many items there are to recommend"

[options.catalog_size]
about = "how many items there are to recommend"
type = "integer"
above = 0
#}
{{ option("catalog_size") }}
