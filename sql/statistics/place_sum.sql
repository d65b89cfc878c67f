{#
about = "sum of times recommended x place over the items, the least recommended first"
over = "items"
#}
sum(f.times * (f.items * f.below + f.items * (f.items + 1) / 2e0))
