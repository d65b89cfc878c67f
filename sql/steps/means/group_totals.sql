{#
row = "one row per model, cut-off and group of users: the sums of the metrics, and the numbers of users without a value"
#}
select
    {{ key_columns("p") }}p.k,
    g.part{% for column in user_columns %},
    {{ exact("p." ~ column.name) }} as {{ column.name }},
    count(*) - count(p.{{ column.name }}) as {{ column.name }}_missing{% endfor %},
    count(*) as users
from {{ "per_segment" if sliced else "per_user" }} as p
inner join user_groups as g on g.user_id = p.user_id
group by {{ keys("p") }}p.k, g.part
