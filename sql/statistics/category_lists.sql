{#
about = "lists that have an item with a category down to k; all of them where counts are smoothed"
over = "categories"
made_with = "category_entropies"
empty = "0"
#}
count(y.entropy)
