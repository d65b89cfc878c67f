{#
title = "true negatives"
formula = "catalog_size - tp - fp - fn"
reference = "confusion counts of the set of the first k items"
aliases = ["true_negatives"]
bounds = [0]
clipped = true
list_length = true

[[requires]]
one_of = ["catalog_size"]
#}
{% set beside = "s.returned + greatest(s.relevant - s.hits, 0)" %}
case
    when {{ rendering.expression("expressions/catalog_size.sql") }} < {{ beside }}
        then {{ refusal("catalog_size", size=rendering.expression("expressions/catalog_size.sql"), found="cast(" ~ beside ~ " as bigint)", user="s.user_id") }}
    else {{ double(rendering.expression("expressions/catalog_size.sql") ~ " - (" ~ beside ~ ")") }}
end
