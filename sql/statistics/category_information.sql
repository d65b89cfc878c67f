{#
about = "sum over lists of the entropy in bits of the categories in a list"
over = "categories"
made_with = "category_entropies"
#}
{{ sql.exact_sum("y.entropy") }}
