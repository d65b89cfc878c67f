{#
about = "lists that have an item in the top k"
over = "lists"
empty = "0"
#}
count(*)
