{#
message = "{column} is {in_left} in {left} and {in_right} in {right}; cast one of them to the other's type"
#}
{% if inputs.named and left in inputs.tables %}
select
    {{ sentence(column="i.name", in_left="i.in_left", left=inputs.tables[left].name, in_right="i.in_right", right=inputs.tables[right].name) }} as message
from (
    select unnest([{{ columns | map("sql_literal") | join(", ") }}]) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
    from (select [{% for column in columns %}typeof(l.{{ column }}){{ ", " if not loop.last }}{% endfor %}] as types from given_{{ left }} as l limit 1) as l
    cross join (select [{% for column in columns %}typeof(r.{{ column }}){{ ", " if not loop.last }}{% endfor %}] as types from given_{{ right }} as r limit 1) as r
) as i
where
    recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
    and '"NULL"' not in (i.in_left, i.in_right)
limit 1
{% endif %}
