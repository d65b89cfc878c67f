{#
about = "recommended rows of items of the catalogue"
over = "items"
#}
sum(f.times * f.catalog_items)
