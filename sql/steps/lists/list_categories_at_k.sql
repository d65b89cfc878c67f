{#
row = "one row per model, user and cut-off: the sums over the categories of the list"
grain = "list"
sums = { over = "list_categories", alias = "d", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("category_counts", row="g", kind="list_categories") }}
