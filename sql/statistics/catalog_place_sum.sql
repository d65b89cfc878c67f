{#
about = "sum of times recommended x place over the catalogue items, the least recommended first"
over = "items"
needs = ["catalog"]
#}
sum(f.times * (f.catalog_items * f.catalog_below + f.catalog_items * (f.catalog_items + 1) / 2e0))
