{#
title = "popularity of the recommended items"
group = "novelty"
formula = "mean over the items of a list of the number of their rows in train; then the mean over lists"
reference = "Yin et al. 2012; Abdollahpouri, Burke and Mobasher 2019"
care = "it grows with the size of train, and a few items that everybody bought can decide the mean, so compare it only with the same train"
aliases = ["average_popularity", "average_recommendation_popularity"]
grain = "list"
bounds = [0]
better = "neither"
by_name = true

[names]
elliot = ["arp"]
recbole = ["averagepopularity"]
rectools = ["avgrecpopularity"]

[[requires]]
one_of = ["train"]

[options.popularity_base]
about = "what is counted of an item in train"
topic = "catalogue"
default = "interactions"
splits = true

[options.popularity_base.values]
users = "its users"
interactions = "its rows"

[options.popularity_unseen]
about = "the popularity of an item that is not in train"
topic = "catalogue"
default = "zero"
splits = true

[options.popularity_unseen.values]
zero = "0"
skip = "none: the item is left out of its list, and a list without other items out of the mean"
error = "an error"

[options.popularity_normalize]
about = "what popularity is divided by, or what stands for it"
topic = "catalogue"
default = "none"

[options.popularity_normalize.values]
none = "nothing"
sum = "the sum over all items of train"
max = "that of the most popular item of train"
rank = "its place in train, least popular first, / the items of train"
#}
{% set mean = "s.popularity / " ~ double("nullif(s.popularity_items, 0)") %}
{% if popularity_normalize == "sum" %}
{{ mean }} / nullif(s.train_popularity, 0e0)
{% elif popularity_normalize == "max" %}
{{ mean }} / nullif(s.highest_popularity, 0e0)
{% elif popularity_normalize == "rank" %}
s.popularity_place / {{ double("nullif(s.popularity_items, 0)") }}
{% else %}
{{ mean }}
{% endif %}
