{#
title = "entropy of the recommended items"
group = "exposure"
formula = "sum of p log2(1 / p) over the items; p = an item's share of all recommendations in the top k"
reference = "Shannon 1948; Shani and Gunawardana 2011, Evaluating Recommendation Systems"
care = "it grows with the number of lists and with k, so compare it only over the same users and k; random lists have a high entropy, so read it beside a metric of accuracy"
aliases = ["shannon_entropy"]
default = 2
grain = "item"
bounds = [0]
better = "neither"
users = "{% if entropy_scope == 'list' %}s.lists{% elif entropy_scope == 'category' %}s.category_lists{% else %}null{% endif %}"

[names]
recbole = ["shannonentropy"]
recommenders = ["distributional_coverage"]

[[requires]]
one_of = ["items", "train", "catalog_size"]
where = { entropy_normalize = "log_catalog" }

[[requires]]
one_of = ["items"]
where = { entropy_scope = "category" }

[options.entropy_scope]
about = "what the shares p are computed over"
topic = "concentration"
default = "items"

[options.entropy_scope.values]
items = "the items of all lists together"
list = "as items, but log2(1 / p) is averaged within each list, then over lists"
category = "the categories within each list, averaged over lists (column category of the table items)"

[options.entropy_base]
about = "the base of the logarithm"
topic = "concentration"
default = "2"

[options.entropy_base.values]
2 = "bits"
e = "nats"
10 = "decimal digits"

[options.entropy_normalize]
about = "what the entropy is divided by"
topic = "concentration"
default = "none"

[options.entropy_normalize.values]
none = "nothing"
distinct = "the number of distinct items recommended"
log_catalog = "the logarithm of the catalogue size, the maximum for items (other items do not count, or are an error for list)"
#}
{% set of_categories = "s.category_information / nullif(s.category_lists, 0)" %}
{% set bits = "s.list_information" if entropy_scope == "list" else of_categories if entropy_scope == "category" else "s.information" %}
{% set entropy = bits ~ " * ln(2e0)" if entropy_base == "e" else bits ~ " * ln(2e0) / ln(10e0)" if entropy_base == "10" else bits %}
{% set sentence = "entropy_normalize='log_catalog': at k = {k}, {found} of the recommended items are not in the catalogue; add them to it, or leave them out of the lists" %}
{% if entropy_normalize == "none" %}
{{ entropy }}
{% elif entropy_normalize == "distinct" %}
{{ entropy }} / nullif(s.distinct_items, 0)
{% elif entropy_scope == "list" %}
case
    when s.distinct_items = s.catalog_items
        then s.list_information
    when s.distinct_items > s.catalog_items
        then {{ refusal(sentence, found="s.distinct_items - s.catalog_items", k=said_k("s.k")) | indent(8) }}
end / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)
{% elif entropy_scope == "category" %}
{{ of_categories }} / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)
{% else %}
s.catalog_information / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)
{% endif %}
