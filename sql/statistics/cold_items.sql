{#
about = "items in the top k of the list that are not in train"
over = "list_items"
needs = ["train"]

[joins]
train = "left join train_items as t on t.item_id = r.item_id"
#}
count(*) - count(t.item_id)
