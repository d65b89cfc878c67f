{#
title = "personalisation"
group = "diversity"
formula = "1 - the mean over all pairs of lists of the cosine of their sets of items in the top k"
reference = "Hurley and Zhang 2011, Novelty and diversity in top-N recommendation; Zhou et al. 2010"
care = "random lists have a high value, so read it beside a metric of accuracy; it falls where k is a large part of the catalogue"
aliases = ["personalization", "inter_list_diversity"]
grain = "item"
bounds = [0, 1]
exceeds = "personalisation_assume == 'k'"
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
k = "k, as in Evidently: the pairs share (the sum over the items of their squared number of lists - k x lists) / k, which a shorter list makes too few, so that a value can be above 1"
#}
{% if personalisation_assume == "returned" %}
{# The sum over all ordered pairs of lists of their cosine is that of the squared sums of unit vectors. #}
{% set pairs = "s.alike_lists * (s.alike_lists - 1e0)" %}
1e0 - least(greatest(s.shared_roots - s.alike_lists, 0e0), {{ pairs }}) / nullif({{ pairs }}, 0e0)
{% else %}
1e0 - (s.squared_times - s.alike_lists * s.k) / {{ double("s.k") }} / nullif(s.alike_lists * (s.alike_lists - 1), 0e0)
{% endif %}
