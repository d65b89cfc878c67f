{#
about = "items in the top k of the list that are in the long tail of train"
over = "list_items"
needs = ["tail"]

[joins]
tail = "left join tail_items as g on g.item_id = r.item_id"
#}
count(g.item_id)
