{#
row = "one row per model, user and cut-off: the sums over the categories of the user's train"
grain = "list"
sums = { over = "list_tastes", alias = "v", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("list_tastes", row="t", kind="list_tastes") }}
