{#
about = "lists that have an item with a novelty in the top k"
over = "popularities"
empty = "0"
needs = ["novelties"]
#}
count(y.novelty)
