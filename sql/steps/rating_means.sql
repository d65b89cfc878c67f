{#
row = "one row per model: the metrics, and of how many users"
grain = "rating"
#}
select
    s.model{% for column in columns_of("rating") %},
    avg(s.{{ column.name }}) as {{ column.name }},
    cast(sum(case when s.{{ column.name }} is not null then s.users end) as bigint) as {{ column.name }}_users
{%- endfor %}

from rating_metrics as s
group by s.model
