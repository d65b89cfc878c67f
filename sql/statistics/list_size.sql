{#
about = "items in the top k of the list"
over = "list_items"
#}
count(*)
