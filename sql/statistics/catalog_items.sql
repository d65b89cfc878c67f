{#
about = "distinct catalogue items recommended in the top k"
over = "items"
empty = "0"
needs = ["catalog"]
#}
sum(f.catalog_items)
