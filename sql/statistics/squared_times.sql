{#
about = "sum over the items of the squared number of lists that have it"
over = "items"
#}
sum(f.times * f.times * f.items)
