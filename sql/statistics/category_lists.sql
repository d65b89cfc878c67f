{#
about = "lists that have an item with a category down to k"
over = "categories"
empty = "0"
#}
count(y.entropy)
