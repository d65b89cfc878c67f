{#
about = "entropy in bits of the categories in a list, averaged over lists"
over = "categories"
made_with = "category_entropies"
#}
{{ sql.exact_mean("y.entropy") }}
