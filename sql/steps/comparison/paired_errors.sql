{#
row = "one row per pair of models and cut-off: how far the clusters are from the mean difference, squared, and the number of clusters"
grain = "pair"
when = "target == 'paired' and clustered"
#}
{% macro mean(name) %}{{ sql.of_units("(s." ~ name ~ " - s." ~ name ~ "_base)") }} / nullif(s.{{ name }}_users, 0){% endmacro %}
select
    t.pair,
    t.k{% for column in user_columns %},
    {{ sql.any_sum("power(t." ~ column.name ~ " - " ~ mean(column.name) ~ " * t." ~ column.name ~ "_users, 2)") }} as {{ column.name }}_errors,
    count(t.{{ column.name }}) as {{ column.name }}_clusters{% endfor %}

from paired_clusters as t
inner join paired_sums as s on s.pair = t.pair and s.k = t.k
group by t.pair, t.k
