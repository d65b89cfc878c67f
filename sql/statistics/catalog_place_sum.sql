{#
about = "the same among the items of the catalogue"
over = "items"
#}
sum(f.times * (f.catalog_items * f.catalog_below + f.catalog_items * (f.catalog_items + 1) / 2e0))
