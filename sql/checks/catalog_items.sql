{#
message = "catalog_size: {size} is too small; at k = {k} there are {found} different items"
#}
