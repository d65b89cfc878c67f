{#
about = "discounts of the recommended rows of items of the catalogue, summed"
over = "exposures"
made_with = "discount"
#}
{{ sql.exact_sum("case when x.is_of_catalog then x.exposure end") }}
