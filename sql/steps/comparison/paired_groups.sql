{#
row = "one row per pair of models, cut-off and group of users: over the users who have both values, the sums in units of 1e-18"
grain = "pair"
when = "pair_groups"
#}
{% if parts %}
{% set pair = "g.number" if pairs_sliced else "a.pair" %}
select
    {{ pair }}{{ " as pair" if pairs_sliced }},
    a.k,
    a.user_part as part{% for column in user_columns %},
    {{ added("sum", place=column.order) }} as {{ column.name }},
    {{ added("base_sum", place=column.order) }} as {{ column.name }}_base,
    coalesce(cast({{ added("users", place=column.order) }} as bigint), 0) as {{ column.name }}_users{% endfor %}

from pairs_of_parts as a{% if pairs_sliced %}

inner join segment_pairs as g on g.pair = a.pair and g.slice = a.slice and g.segment is not distinct from a.segment{% endif %}

where a.user_part is not null
group by {{ pair }}, a.k, a.user_part
{% else %}
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
{% endif %}
