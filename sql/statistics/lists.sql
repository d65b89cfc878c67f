{#
about = "lists that have an item down to k"
over = "lists"
empty = "0"
#}
count(*)
