{#
row = "one row per model, user and cut-off: the sums over the components of the list"
grain = "list"
sums = { over = "list_components", alias = "z", reader = "at_k", of_each_list = true }
when = "of_users and needs.list_components_at_k"
#}
{{ sums_of_each_list("list_components", row="c", kind="list_components") }}
