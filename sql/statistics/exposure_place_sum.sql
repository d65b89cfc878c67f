{#
about = "exposure x place, summed over the items, the least exposed first"
over = "exposures"
made_with = "discount"
#}
sum(x.exposure * x.place)
