{#
message = "catalog_size: {size} is too small; {found} different items are recommended down to {k}"
#}
