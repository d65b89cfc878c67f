{#
title = "true negatives"
formula = "catalog_size - tp - fp - fn"
reference = "confusion counts of the top k as a set"
aliases = ["true_negatives"]
bounds = [0]
distinct = true
list_length = true

[[requires]]
one_of = ["catalog_size"]
#}
{% set size = rendering.expression("expressions/catalog_size.sql") %}
{% set beside = "s.returned + s.relevant - s.distinct_hits" %}
{# The error is in the last branch: DataFusion evaluates the first branch even if no row takes it. #}
case
    when {{ size }} >= {{ beside }}
        then {{ double(size ~ " - (" ~ beside ~ ")") }}
    when {{ size }} < {{ beside }}
        then {{ refusal("catalog_size", size=size, found="cast(" ~ beside ~ " as bigint)", user="s.user_id") }}
end
