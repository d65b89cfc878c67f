{#
row = "one row per model, user and cut-off: the sums over the items of the list"
grain = "list"
sums = { over = "list_items", alias = "b", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("listed", row="r", kind="list_items", ranked=true) }}
