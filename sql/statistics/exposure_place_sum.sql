{#
about = "sum of exposure x place over the items, the least exposed first"
over = "exposures"
made_with = "discount_at"
needs = ["exposures"]
#}
{{ sql.exact_sum("x.exposure * x.place") }}
