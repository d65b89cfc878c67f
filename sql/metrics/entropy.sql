{#
title = "entropy of the recommended items"
formula = "sum of p log2(1 / p) over the items; p = an item's share of all recommendations in the top k"
reference = "Shannon 1948; Shani and Gunawardana 2011, Evaluating Recommendation Systems"
aliases = ["shannon_entropy"]
grain = "item"
bounds = [0]
users = "choose('entropy_scope', items='null', list='s.lists', category='s.category_lists')"

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
of_lists = ["list", "category"]

[options.entropy_scope.values]
items = "the items of all lists together"
list = "as items, but log2(1 / p) is averaged within each list, then over lists"
category = "the categories within each list, averaged over lists (column category of the table items)"

[options.entropy_base]
about = "the base of the logarithm"
topic = "concentration"
default = "2"
reference = "cast(entropy_base as varchar)"

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
{% set bits = choose("entropy_scope", items="s.information", list="s.list_information", category="s.category_information") %}
{% set entropy = choose("entropy_base", otherwise=bits, **{"e": bits ~ " * ln(2e0)", "10": bits ~ " * ln(2e0) / ln(10e0)"}) %}
{% set of_lists %}
case
    when s.distinct_items = s.catalog_items
        then s.list_information
    when s.distinct_items > s.catalog_items
        then {{ refusal("outside_catalog", found="s.distinct_items - s.catalog_items", k=said_k("s.k")) }}
end
{% endset %}
{% set of_catalog = choose("entropy_scope", items="s.catalog_information", list=(of_lists | trim).splitlines() | lines, category="s.category_information") %}
{{ choose("entropy_normalize",
    none=entropy,
    distinct=entropy ~ " / nullif(s.distinct_items, 0)",
    log_catalog=of_catalog ~ " / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)",
) }}
