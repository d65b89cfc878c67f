{#
about = "recommended rows down to k"
over = "items"
#}
sum(f.times * f.items)
