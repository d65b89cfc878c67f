{#
about = "number of items that the user has in train and that are not relevant"
over = "user"
needs = ["histories"]

[joins]
histories = "left join histories as y on y.user_id = u.user_id"
#}
coalesce(y.items, 0)
