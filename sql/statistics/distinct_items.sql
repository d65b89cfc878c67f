{#
about = "different items recommended down to k"
over = "items"
empty = "0"
#}
sum(f.items)
