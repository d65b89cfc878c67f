{#
title = "novelty of the recommended items"
group = "novelty"
formula = "mean over the items of a list of log2(U / u); then the mean over lists; u = the users of an item in train, U = all users of train"
reference = "Zhou et al. 2010; Castells, Vargas and Wang 2011"
care = "items that hardly anyone knows have the highest novelty, so read it beside a metric of accuracy, and compare it only with the same train"
aliases = ["self_information", "mean_self_information", "inverse_user_frequency"]
grain = "list"
bounds = [0]
better = "neither"
by_name = true
needs = ["cutoff if novelty_mean == 'lists' and novelty_divide == 'k'"]
of_means = "novelty_mean"

[names]
evidently = ["noveltymetric"]
rectools = ["meaninvuserfreq"]

[[requires]]
one_of = ["train"]

[options.novelty_base]
about = "how an item's share of train is counted"
topic = "novelty"
default = "users"
splits = true

[options.novelty_base.values]
users = "in users: log2(U / u)"
interactions = "in rows: log2(T / c), c = the rows of the item, T = all rows"

[options.novelty_unseen]
about = "the novelty of an item that is not in train"
topic = "novelty"
default = "one"
splits = true

[options.novelty_unseen.values]
one = "that of an item with one user (or one row)"
skip = "none: the item is left out of its list, and a list without other items out of the mean"
zero = "0"
max = "the largest of an item in train"

[options.novelty_divide]
about = "what the sum over a list is divided by"
topic = "novelty"
default = "returned"
where = { novelty_mean = "lists" }

[options.novelty_divide.values]
returned = "the number of items in the top k"
k = "k, even if the list is shorter"

[options.novelty_mean]
about = "what the mean is over"
topic = "novelty"
default = "lists"

[options.novelty_mean.values]
lists = "the items of each list, then the lists that have an item in the top k"
rows = "all recommended rows in the top k"

[options.novelty_log]
about = "the base of the logarithm"
topic = "novelty"
default = "2"
where = { novelty_normalize = "none" }

[options.novelty_log.values]
2 = "bits"
e = "nats"
10 = "decimal digits"

[options.novelty_normalize]
about = "what novelty is divided by"
topic = "novelty"
default = "none"
where = { novelty_base = "users" }

[options.novelty_normalize.values]
none = "nothing"
log_users = "log2(U), the novelty of an item with one user"
#}
{% set weight = "s.novelty_items" %}
{% set items = "s.k" if novelty_mean == "lists" and novelty_divide == "k" else "s.novelty_items" %}
{% set bits = "s.novelty / " ~ double("nullif(" ~ items ~ ", 0)") %}
{% if novelty_normalize == "log_users" %}
{{ bits }} / nullif(log2(nullif(s.train_users, 0e0)), 0e0)
{% elif novelty_log == "e" %}
{{ bits }} * ln(2e0)
{% elif novelty_log == "10" %}
{{ bits }} * ln(2e0) / ln(10e0)
{% else %}
{{ bits }}
{% endif %}
