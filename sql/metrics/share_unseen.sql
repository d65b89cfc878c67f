{#
title = "share of the list that is new to the user"
group = "novelty"
formula = "items in the top k that the user does not have in train / items in the top k; then the mean over lists"
reference = "Castells, Vargas and Wang 2011"
care = "1 for users without train, and for models that leave out what users have; a low value is a fault only where users don't want items again"
aliases = ["share_not_in_train"]
grain = "list"
bounds = [0, 1]
better = "neither"
by_name = true
needs = ["train_of_users"]

[[requires]]
one_of = ["train"]
#}
s.new_items / {{ double("nullif(s.list_size, 0)") }}
