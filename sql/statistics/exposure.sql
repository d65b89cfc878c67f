{#
about = "discounts of all recommended rows, summed"
over = "exposures"
made_with = "discount"
#}
sum(x.exposure)
