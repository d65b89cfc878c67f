{#
row = "one row per model and cut-off: how far the sums of the clusters are from what the means let expect, squared, and the number of clusters"
when = "clustered and user_metrics and spread"
#}
select
    {{ key_columns("t") }}t.k{% for column in user_columns %},
    {{ sql.any_sum("power(t." ~ column.name ~ " - m." ~ column.name ~ " * t." ~ column.name ~ "_users, 2)") }} as {{ column.name }}_squares,
    count(t.{{ column.name }}) as {{ column.name }}_clusters{% endfor %}

from cluster_totals as t
inner join means as m on {{ same_keys("m", "t") }}m.k = t.k
group by {{ keys("t") }}t.k
