{#
row = "one row per model, cut-off and cluster of users: the sums of the metrics, and the numbers of users with a value"
#}
{# A user without a cluster is one. #}
select
    {{ key_columns("p") }}p.k,
    c.cluster,
    case when c.cluster is null then p.user_id end as loner{% for column in user_columns %},
    {{ sql.exact_sum("p." ~ column.name) }} as {{ column.name }},
    count(p.{{ column.name }}) as {{ column.name }}_users{% endfor %}

from {{ "per_segment" if sliced else "per_user" }} as p
left join clusters as c on c.user_id = p.user_id
group by {{ keys("p") }}p.k, c.cluster, case when c.cluster is null then p.user_id end
