{#
message = "catalog_size: {size} is too small; user {user} alone has {found} items in list and truth"
#}
