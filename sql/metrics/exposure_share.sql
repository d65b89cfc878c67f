{#
title = "share of the exposure of each group of items"
group = "exposure"
formula = "sum of the discounts of the group's rows in the top k / that of all rows with a group; a row per group of items"
reference = "Singh and Joachims 2018, Fairness of Exposure in Rankings; Tsintzou, Pitoura and Tsaparas 2019, Bias Disparity in Recommendation Systems (relative)"
care = "a share says nothing of relevance; a group of few items or few lists is far from parity by chance; compare it only with the same items, train and groups"
aliases = ["group_exposure"]
grain = "item_group"
bounds = [0, 1]
exceeds = "exposure_share_relative != 'none'"
better = "neither"
by_name = true
needs = ["train_of_users if exposure_share_relative == 'train'"]

[[requires]]
one_of = ["items"]
where = { grouped_by = "category" }

[[requires]]
one_of = ["train"]
where = { grouped_by = "popularity" }

[[requires]]
one_of = ["train"]
where = { exposure_share_relative = "train" }

[options.exposure_share_relative]
about = "what the share is divided by"
topic = "exposure"
default = "none"

[options.exposure_share_relative.values]
none = "nothing"
catalog = "the group's share of the items"
train = "the group's share of the rows of train; of a group of users, of their rows"
#}
{% if exposure_share_relative == "catalog" %}
s.exposure_share / nullif(s.catalog_share, 0e0)
{% elif exposure_share_relative == "train" %}
s.exposure_share / nullif(s.train_share, 0e0)
{% else %}
s.exposure_share
{% endif %}
