{# A column per metric for each model, user and cut-off. #}
select
    s.model,
    s.user_id,
    s.k{% for column in columns %},
    s.{{ column.name }}{{ " as " ~ column.title if column.title != column.name }}
{%- endfor %}

from per_user as s
union all
select null as model, null as user_id, null as k{% for column in columns %}, null as {{ column.title }}{% endfor %}

from problems as p
where {{ sql.error("p.message") }} is not null
