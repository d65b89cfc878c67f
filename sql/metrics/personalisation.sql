{#
title = "personalisation"
formula = "1 - the mean over all pairs of lists of the cosine of their sets of items in the top k"
reference = "Hurley and Zhang 2011, Novelty and diversity in top-N recommendation; Zhou et al. 2010"
care = "random lists have a high value, so read it beside a metric of accuracy; it falls where k is a large part of the catalogue"
aliases = ["personalization", "inter_list_diversity"]
grain = "item"
bounds = [0, 1]
exceeds = "personalisation_assume == 'k' or duplicates == 'count'"
better = "neither"
by_name = true
needs = ["cutoff if personalisation_assume == 'k'"]

[names]
jurity = ["interlistdiversity"]
evidently = ["personalizationmetric"]

[options.personalisation_assume]
about = "how many items each list has in the cosine"
topic = "lists"
default = "returned"

[options.personalisation_assume.values]
returned = "as many as it has in the top k"
k = "k, even if the list is shorter"
#}
{% if personalisation_assume == "returned" %}
1e0 - (s.shared_roots - s.lists) / nullif(s.lists * (s.lists - 1), 0e0)
{% else %}
1e0 - (s.squared_times - s.lists * s.k) / {{ double("s.k") }} / nullif(s.lists * (s.lists - 1), 0e0)
{% endif %}
