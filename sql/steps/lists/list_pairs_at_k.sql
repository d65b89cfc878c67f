{#
row = "one row per model, user and cut-off: the sums over the pairs of items in the list"
grain = "list"
sums = { over = "list_pairs", alias = "j", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("list_pairs", row="p", kind="list_pairs", ranked=true) }}
