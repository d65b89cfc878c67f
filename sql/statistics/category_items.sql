{#
about = "sum over the categories of the number of items in the top k of the list that have it"
over = "list_categories"
#}
sum(g.items)
