{#
row = "one row per model, user and cut-off: the sums over the categories of the user's train"
grain = "list"
sums = { over = "list_tastes", alias = "v", reader = "at_k", of_each_list = true }
when = "of_users and needs.list_tastes_at_k"
#}
{{ sums_of_each_list("list_tastes", row="t", kind="list_tastes") }}
