{#
about = "number of items in the whole list; 0 without a list"
over = "user"
needs = ["lengths"]
#}
coalesce(u.returned, 0)
