{#
title = "share of the list in the long tail"
group = "novelty"
formula = "items in the top k that are in the tail of train / items in the top k; then the mean over lists"
reference = "Abdollahpouri, Burke and Mobasher 2019"
care = "items that are not in train are in neither part, so a model that shows only these has 0; the tail depends on train, so compare it only with the same train"
aliases = ["average_percentage_of_long_tail_items"]
grain = "list"
bounds = [0, 1]
better = "neither"
by_name = true

[names]
elliot = ["aplt"]
recbole = ["tailpercentage"]

[[requires]]
one_of = ["train"]

[options.tail_share_part]
about = "what the long tail of train is"
topic = "lists"
default = "interactions"
splits = true

[options.tail_share_part.values]
interactions = "all but the head: the most popular items, by users, up to the one that reaches the share of all"
items = "the items with the fewest rows, as many as the ratio of all items, at least one"
rows = "the items with at most so many rows"

[options.tail_share_head]
about = "the share of the users of all items that the head of train has"
topic = "lists"
type = "number"
default = 0.8
above = 0
below = 1
splits = true
where = { tail_share_part = "interactions" }

[options.tail_share_ratio]
about = "the share of the items of train that the tail has"
topic = "lists"
type = "number"
default = 0.1
above = 0
at_most = 1
splits = true
where = { tail_share_part = "items" }

[options.tail_share_rows]
about = "the most rows of train that an item of the tail has"
topic = "lists"
type = "integer"
default = 5
at_least = 1
splits = true
where = { tail_share_part = "rows" }
#}
s.tail_items / {{ double("nullif(s.list_size, 0)") }}
