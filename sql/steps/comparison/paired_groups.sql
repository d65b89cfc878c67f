{#
row = "one row per pair of models, cut-off and group of users: over the users who have both values, the sums in units of 1e-18"
grain = "pair"
when = "pair_groups"
#}
select
    d.pair,
    d.k,
    g.part{% for column in user_columns %},
    {{ sql.exact_units("d." ~ column.name) }} as {{ column.name }},
    {{ sql.exact_units("d." ~ column.name ~ "_base") }} as {{ column.name }}_base,
    count(d.{{ column.name }}) as {{ column.name }}_users{% endfor %}

from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
inner join user_groups as g on g.user_id = d.user_id
group by d.pair, d.k, g.part
