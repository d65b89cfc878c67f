{#
row = "one row per model, user and cut-off: the sums over the components of the list"
grain = "list"
sums = { over = "list_components", alias = "z", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("list_components", row="c", kind="list_components") }}
