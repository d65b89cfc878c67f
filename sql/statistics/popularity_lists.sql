{#
about = "lists that have an item with a popularity in the top k"
over = "popularities"
empty = "0"
needs = ["popularities"]
#}
count(y.popularity)
