{#
about = "sum over the pairs of items in the top k of the list of the Jaccard distance of their categories"
over = "list_pairs"
#}
{{ sql.exact_sum("p.distance") }}
