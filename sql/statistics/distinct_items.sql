{#
about = "distinct items recommended in the top k"
over = "items"
empty = "0"
#}
sum(f.items)
