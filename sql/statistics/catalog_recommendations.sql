{#
about = "recommended rows in the top k whose item is in the catalogue"
over = "items"
needs = ["catalog"]
#}
sum(f.times * f.catalog_items)
