{#
about = "lists that have an item with a category in the top k; with smoothing, all lists"
over = "categories"
made_with = "category_entropies"
empty = "0"
#}
count(y.entropy)
