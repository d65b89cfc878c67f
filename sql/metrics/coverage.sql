{#
title = "catalogue coverage"
formula = "distinct items recommended in the top k / items in the catalogue"
reference = "Herlocker, Konstan, Terveen and Riedl 2004; Ge, Delgado-Battenfeld and Jannach 2010"
aliases = ["item_coverage"]
grain = "item"
bounds = [0]

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
{% set catalog_items = choose("coverage_restrict", **{"true": "s.catalog_items", "false": "s.distinct_items"}) %}
{% set train_items = choose("coverage_restrict", **{"true": "s.train_items", "false": "s.distinct_items"}) %}
{{ choose("coverage_denominator",
    catalog=catalog_items ~ " / nullif(s.catalog_size, 0)",
    train=train_items ~ " / nullif(s.train_size, 0)",
    count=double(catalog_items),
) }}
