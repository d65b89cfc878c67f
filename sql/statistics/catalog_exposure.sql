{#
about = "sum of the discounts of the recommended rows whose item is in the catalogue"
over = "exposures"
made_with = "discount_at"
needs = ["exposures", "catalog"]
#}
{{ sql.exact_sum("case when x.is_of_catalog then x.exposure end") }}
