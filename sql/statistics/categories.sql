{#
about = "categories of the items in the top k of the list"
over = "list_categories"
#}
count(g.category)
