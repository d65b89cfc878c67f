{#
title = "share of the categories in the list"
group = "diversity"
formula = "distinct categories of the items in the top k / all categories; then the mean over lists"
reference = "Ziegler et al. 2005; Zhai, Cohen and Lafferty 2003, S-recall"
care = "with more categories than k no list reaches 1, so compare it only at the same k and with the same categories"
aliases = ["category_share", "categorical_diversity"]
grain = "list"
bounds = [0, 1]
exceeds = "category_coverage_denominator == 'k'"
better = "neither"
by_name = true
needs = ["cutoff if category_coverage_denominator == 'k'", "list_categories_at_k"]

[names]
replay = ["categoricaldiversity"]

[[requires]]
one_of = ["items"]

[options.category_coverage_denominator]
about = "what the number of categories is divided by"
topic = "lists"
default = "all"

[options.category_coverage_denominator.values]
all = "the number of categories in the table items"
k = "k, even if the list is shorter"
#}
{% if category_coverage_denominator == "k" %}
s.categories / {{ double("s.k") }}
{% else %}
s.categories / nullif(s.all_categories, 0e0)
{% endif %}
