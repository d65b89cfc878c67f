{#
about = "sum of exposure x place over the catalogue items, the least exposed first"
over = "exposures"
made_with = "discount_at"
needs = ["exposures", "catalog"]
#}
{{ sql.exact_sum("case when x.is_of_catalog then x.exposure * x.catalog_place end") }}
