{#
about = "sum over the categories of the squared sum of 1 / sqrt(c) over the items with it, less the number of items with a category; c = the categories of an item"
over = "list_categories"
needs = ["category_shares"]
#}
{{ sql.exact_sum("g.weight * g.weight - g.share") }}
