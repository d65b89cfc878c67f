{#
title = "catalogue coverage"
group = "exposure"
formula = "distinct items recommended in the top k / items in the catalogue"
reference = "Herlocker, Konstan, Terveen and Riedl 2004; Ge, Delgado-Battenfeld and Jannach 2010"
care = "more lists cover more items, so compare it only over the same users, k and catalogue; random lists have a high coverage, so read it beside a metric of accuracy"
aliases = ["item_coverage"]
default = 1
grain = "item"
bounds = [0, 1]
exceeds = "coverage_restrict == 'false' or coverage_denominator == 'count'"

[names]
elliot = ["itemcoverage"]
recbole = ["itemcoverage"]
recommenders = ["catalog_coverage"]
recpack = ["coveragek"]
rectools = ["catalogcoverage"]

[[requires]]
one_of = ["items", "train", "catalog_size"]
where = { coverage_denominator = "catalog" }

[[requires]]
one_of = ["train"]
where = { coverage_denominator = "train" }

[options.coverage_denominator]
about = "the denominator of coverage"
topic = "catalogue"
default = "catalog"

[options.coverage_denominator.values]
catalog = "catalog_size if given, else the number of items in the table items, else in train"
train = "the number of items in train"
count = "none: coverage is the number of distinct items"

[options.coverage_restrict]
about = "whether only items of the catalogue count as recommended"
topic = "catalogue"
default = "true"

[options.coverage_restrict.values]
true = "only items in the table that gives the denominator count"
false = "all recommended items count, so the value can exceed 1"
#}
{% set counted = "s.distinct_items" if coverage_restrict == "false" else "s.train_items" if coverage_denominator == "train" else "s.catalog_items" %}
{% if coverage_denominator == "catalog" %}
{{ counted }} / nullif(s.catalog_size, 0)
{% elif coverage_denominator == "train" %}
{{ counted }} / nullif(s.train_size, 0)
{% else %}
{{ double(counted) }}
{% endif %}
