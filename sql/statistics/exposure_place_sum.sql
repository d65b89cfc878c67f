{#
about = "exposure x place, summed over the items, the least exposed first"
over = "exposures"
#}
sum(x.exposure * x.place)
