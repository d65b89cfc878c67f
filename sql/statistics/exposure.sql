{#
about = "discounts of all recommended rows, summed"
over = "exposures"
#}
sum(x.exposure)
