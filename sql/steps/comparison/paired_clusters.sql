{#
row = "one row per pair of models, cut-off and cluster of users: the sums of the differences and of the baseline, and the numbers of users"
grain = "pair"
#}
{# A user without a cluster is one. #}
select
    d.pair,
    d.k,
    c.cluster,
    case when c.cluster is null then d.user_id end as loner{% for column in user_columns %},
    {{ sql.exact_sum("d." ~ column.name ~ " - d." ~ column.name ~ "_base") }} as {{ column.name }},
    {{ sql.exact_sum("case when d." ~ column.name ~ " is not null then d." ~ column.name ~ "_base end") }} as {{ column.name }}_base,
    count(d.{{ column.name }}) as {{ column.name }}_users{% endfor %}

from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
left join clusters as c on c.user_id = d.user_id
group by d.pair, d.k, c.cluster, case when c.cluster is null then d.user_id end
