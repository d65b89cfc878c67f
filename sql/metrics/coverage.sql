{#
title = "catalogue coverage"
formula = "different items recommended down to k / items of the catalogue"
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
about = "what the number of different items is divided by"
topic = "catalogue"
default = "catalog"

[options.coverage_denominator.values]
catalog = "catalog_size, else the items of the table items, else those of train"
train = "the items of train"
count = "nothing: the number itself"

[options.coverage_restrict]
about = "whether only items of the catalogue count"
topic = "catalogue"
default = "true"

[options.coverage_restrict.values]
true = "those that are in the table of the denominator"
false = "all that are recommended: the value can exceed 1"
#}
{% set catalog_items = choose("coverage_restrict", **{"true": "s.catalog_items", "false": "s.distinct_items"}) %}
{% set train_items = choose("coverage_restrict", **{"true": "s.train_items", "false": "s.distinct_items"}) %}
{{ choose("coverage_denominator",
    catalog=catalog_items ~ " / nullif(s.catalog_size, 0)",
    train=train_items ~ " / nullif(s.train_size, 0)",
    count=double(catalog_items),
) }}
