{#
about = "items in the top k of the list that the user does not have in train"
over = "list_items"
needs = ["history"]

[joins]
history = "left join seen_items as e on e.user_id = r.user_id and e.item_id = r.item_id"
#}
count(*) - count(e.item_id)
