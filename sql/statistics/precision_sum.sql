{#
about = "sum of precision at the rank of each hit"
over = "hits"
empty = "0e0"
#}
{{ sql.exact_sum(likely("h.nth / nullif(" ~ double("h.rank") ~ ", 0)")) }}
