{#
about = "exposure x place among the items of the catalogue"
over = "exposures"
made_with = "discount"
#}
{{ sql.exact_sum("case when x.is_of_catalog then x.exposure * x.catalog_place end") }}
