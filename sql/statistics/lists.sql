{#
about = "lists that have an item in the top k"
over = "items"
empty = "0"
needs = ["weights"]
#}
cast(round({{ sql.exact_sum("f.weight") }}) as bigint)
