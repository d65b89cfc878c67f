{#
row = "one row per pair of models and cut-off: sums over the clusters: of the squared differences, of these times the baseline's values and times the number of users, and of the squared numbers"
grain = "pair"
#}
{% macro products(x, y) %}case when max(greatest(abs({{ x }}), abs({{ y }}))) < 1e9 then {{ sql.exact_units("case when abs(" ~ x ~ ") < 1e9 and abs(" ~ y ~ ") < 1e9 then " ~ x ~ " * " ~ y ~ " end") }} end{% endmacro %}
{# Sums beyond 1e9 have no squares, because these would be too large for units of 1e-18. #}
select
    t.pair,
    t.k{% for column in user_columns %}{% set x, base, users = "t." ~ column.name, "t." ~ column.name ~ "_base", "t." ~ column.name ~ "_users" %},
    {{ products(x, x) }} as {{ column.name }}_cluster_squares,
    {{ products(base, base) }} as {{ column.name }}_base_cluster_squares,
    {{ products(x, base) }} as {{ column.name }}_base_cluster_products,
    {{ sql.exact_units(x ~ " * " ~ users) }} as {{ column.name }}_cluster_products,
    sum({{ double(users) }} * {{ users }}) as {{ column.name }}_cluster_sizes,
    count({{ x }}) as {{ column.name }}_clusters{% endfor %}

from paired_clusters as t
group by t.pair, t.k
