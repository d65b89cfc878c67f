{#
about = "of them, those of the catalogue"
over = "items"
empty = "0"
#}
sum(f.catalog_items)
