{#
title = "true negatives"
formula = "catalog_size - tp - fp - fn"
reference = "confusion counts of the set of the first k items"
aliases = ["true_negatives"]
bounds = [0]
sparse = "false"
requires = "catalog_size"

[options.catalog_size]
about = "how many items there are to recommend"
type = "integer"
above = 0
#}
{% set beside = "s.returned + greatest(s.relevant - s.hits, 0)" %}
case
    when {{ option("catalog_size") }} < {{ beside }}
        then {{ refusal("catalog_size", size=option("catalog_size"), found=beside, user="s.user_id") }}
    else {{ double(option("catalog_size") ~ " - (" ~ beside ~ ")") }}
end
