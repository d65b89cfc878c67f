{#
about = "discounts of all recommended rows, summed"
over = "exposures"
made_with = "discount"
#}
{{ sql.exact_sum("x.exposure") }}
