{#
message = "catalog_size: {size} is too small; the top {k} have {found} different items"
#}
