{#
title = "Gini index"
group = "exposure"
formula = "how unequally often the items of the catalogue are recommended in the top k: 0 if all equally often, near 1 if few items take all"
reference = "Gini 1912; Shani and Gunawardana 2011, Evaluating Recommendation Systems"
care = "items that are never recommended count too, so a larger catalogue, fewer users or a smaller k usually raise it; compare it only where all three are the same"
aliases = ["gini_index"]
default = 3
grain = "item"
bounds = [0, 1]
better = "neither"

[names]
lenskit = ["listgini"]
recbole = ["giniindex"]

[[requires]]
one_of = ["items", "train", "catalog_size"]
where = { gini_population = "catalog" }

[options.gini_population]
about = "which items are compared"
topic = "concentration"
default = "catalog"

[options.gini_population.values]
catalog = "all items of the catalogue, including those never recommended"
recommended = "only items that are recommended"

[options.gini_divide]
about = "the denominator of the index; n is the number of items compared"
topic = "concentration"
default = "n"

[options.gini_divide.values]
n = "n: the maximum is 1 - 1/n"
n_minus_1 = "n - 1: the maximum is 1"

[options.gini_orientation]
about = "whether the value measures inequality or equality"
topic = "concentration"
default = "inequality"

[options.gini_orientation.values]
inequality = "high if few items get most recommendations"
equality = "1 - the index: high if all items are recommended equally often"

[options.gini_weight]
about = "what an item gets for each list that contains it"
topic = "concentration"
default = "count"

[options.gini_weight.values]
count = "1"
exposure = "the discount of its rank (option discount)"
#}
{# With the items in ascending order, G = (2 sum(place * x) / sum(x) - n - 1) / n. The n - d items with nothing come first. #}
{% set n = "s.catalog_size" if gini_population == "catalog" else "s.distinct_items" %}
{% set d = "s.catalog_items" if gini_population == "catalog" else "s.distinct_items" %}
{% if gini_population == "catalog" %}
{% set place_sum = "s.catalog_place_sum" if gini_weight == "count" else "s.catalog_exposure_place_sum" %}
{% set total = "s.catalog_recommendations" if gini_weight == "count" else "s.catalog_exposure" %}
{% else %}
{% set place_sum = "s.place_sum" if gini_weight == "count" else "s.exposure_place_sum" %}
{% set total = "s.recommendations" if gini_weight == "count" else "s.exposure" %}
{% endif %}
{% set index = "(2 * " ~ place_sum ~ " / nullif(" ~ double(total) ~ ", 0e0) + " ~ n ~ " - 2 * " ~ d ~ " - 1)" %}
{{ "1 - " if gini_orientation == "equality" }}{{ index }} / {{ "nullif(" ~ n ~ ", 0)" if gini_divide == "n" else "nullif(" ~ n ~ " - 1, 0)" }}
