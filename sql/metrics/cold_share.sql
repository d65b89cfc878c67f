{#
title = "share of cold items in the list"
group = "novelty"
formula = "items in the top k that are not in train / items in the top k; then the mean over lists"
reference = "Schein, Popescul, Ungar and Pennock 2002, on items without history"
care = "it says nothing about whether these items are relevant, and depends on how train was filtered, so compare it only with the same train"
aliases = ["cold_item_share"]
grain = "list"
bounds = [0, 1]
better = "neither"
by_name = true

[[requires]]
one_of = ["train"]
#}
s.cold_items / {{ double("nullif(s.list_size, 0)") }}
