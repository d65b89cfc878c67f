{#
about = "sum of the discounts of all recommended rows"
over = "exposures"
made_with = "discount_at"
needs = ["exposures"]
#}
{{ sql.exact_sum("x.exposure") }}
