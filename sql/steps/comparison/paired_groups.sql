{#
row = "one row per pair of models, cut-off, model of the pair and group of users: over the users who have both values, the sums in units of 1e-18"
grain = "pair"
kept = true
#}
select
    d.pair,
    d.k,
    b.is_baseline,
    g.part{% for column in user_columns %},
    {{ sql.exact_units("case when b.is_baseline then d." ~ column.name ~ "_base else d." ~ column.name ~ " end") }} as {{ column.name }},
    count(d.{{ column.name }}) as {{ column.name }}_users{% endfor %}

from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
inner join user_groups as g on g.user_id = d.user_id
cross join (select false as is_baseline union all select true as is_baseline) as b
group by d.pair, d.k, b.is_baseline, g.part
