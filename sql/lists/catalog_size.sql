{#
about = "number of items in the catalogue"
#}
{{ double(catalog_size) }}
