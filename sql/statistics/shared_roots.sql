{#
about = "sum over the items of the squared sum over their lists of 1 / sqrt(n); n = the number of items in the list"
over = "similarities"
needs = ["root_weights", "weights"]
#}
{{ sql.exact_sum("x.root_weight * x.root_weight") }}
