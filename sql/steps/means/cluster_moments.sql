{#
row = "one row per model and cut-off: sums over the clusters: of the squared sums of the metrics, of these sums times the number of users, and of the squared numbers"
#}
{% if parts %}
select
    {{ key_columns("a") }}a.k{% for column in user_columns %},
    {{ sql.of_units(added_if_all("cluster_squares", place=column.order)) | indent }} as {{ column.name }}_squares,
    {{ sql.of_units(added("cluster_products", place=column.order)) }} as {{ column.name }}_products,
    {{ double(added("cluster_sizes", place=column.order)) }} as {{ column.name }}_sizes,
    cast({{ added("clusters", place=column.order) }} as bigint) as {{ column.name }}_clusters{% endfor %}

from addends as a
group by {{ keys("a") }}a.k
{% else %}
{% macro squares(x) %}{% if target == "partial" %}case when max(abs({{ x }})) < 3e4 then {{ exact("case when abs(" ~ x ~ ") < 3e4 then " ~ x ~ " * " ~ x ~ " end") }} end{% else %}{{ sql.square_sum(x) | indent }}{% endif %}{% endmacro %}
select
    {{ key_columns("t") }}t.k{% for column in user_columns %}{% set x, users = "t." ~ column.name, "t." ~ column.name ~ "_users" %},
    {{ squares(x) }} as {{ column.name }}_squares,
    {{ exact(x ~ " * " ~ users) }} as {{ column.name }}_products,
    sum({{ double(users) }} * {{ users }}) as {{ column.name }}_sizes,
    count({{ x }}) as {{ column.name }}_clusters{% endfor %}

from cluster_totals as t
group by {{ keys("t") }}t.k
{% endif %}
