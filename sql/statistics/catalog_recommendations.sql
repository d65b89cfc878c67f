{#
about = "recommended rows in the top k whose item is in the catalogue"
over = "items"
#}
sum(f.times * f.catalog_items)
