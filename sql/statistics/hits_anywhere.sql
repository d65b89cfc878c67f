{#
about = "relevant items in the whole list"
over = "list"
empty = "0"
needs = ["whole_list"]
#}
{{ sql.exact_sum("h.probability") if expected else "count(*)" }}
