{#
about = "recommended rows in the top k"
over = "items"
#}
sum(f.times * f.items)
