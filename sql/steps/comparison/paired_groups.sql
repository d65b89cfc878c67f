{#
row = "one row per pair of models, cut-off, model of the pair and group of users: over the users who have both values, the sums in units of 1e-18"
grain = "pair"
kept = true
#}
{% if parts %}
{% set pair = "g.number" if pairs_sliced else "a.pair" %}
select
    {{ pair }}{{ " as pair" if pairs_sliced }},
    a.k,
    b.is_baseline,
    a.user_part as part{% for column in user_columns %},
    case when b.is_baseline then {{ added("base_sum", place=column.order) }} else {{ added("sum", place=column.order) }} end as {{ column.name }},
    coalesce(cast({{ added("users", place=column.order) }} as bigint), 0) as {{ column.name }}_users{% endfor %}

from pairs_of_parts as a{% if pairs_sliced %}

inner join segment_pairs as g on g.pair = a.pair and g.slice = a.slice and g.segment is not distinct from a.segment{% endif %}

cross join (select false as is_baseline union all select true as is_baseline) as b
where a.user_part is not null
group by {{ pair }}, a.k, b.is_baseline, a.user_part
{% else %}
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
{% endif %}
