{#
row = "one row per model with predictions: the metrics, and the number of users"
grain = "rating"
#}
select
    n.model{% for column in columns_of("rating") %},
    {{ sql.any_sum("s." ~ column.name) }} / count(s.{{ column.name }}) as {{ column.name }},
    cast(coalesce(sum(case when s.{{ column.name }} is not null then s.users end), 0) as bigint) as {{ column.name }}_users
{%- endfor %}

from rating_counts as n
left join rating_metrics as s on s.model is not distinct from n.model
group by n.model
