{#
message = "{column} is {in_left} in {left} and {in_right} in {right}; cast one of them to the other's type"
#}
{% if named and left in tables %}
select
    {{ sentence(column="i.name", in_left="i.in_left", left=tables[left].name, in_right="i.in_right", right=tables[right].name) | indent }} as message
from (
    select unnest([{{ columns | map("sql_literal") | join(", ") }}]) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
    from (select [{% for column in columns %}typeof(l.{{ column }}){{ ", " if not loop.last }}{% endfor %}] as types from given_{{ left }} as l limit 1) as l
    cross join (select [{% for column in columns %}typeof(r.{{ column }}){{ ", " if not loop.last }}{% endfor %}] as types from given_{{ right }} as r limit 1) as r
) as i
where
    regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
    <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
    and '"NULL"' not in (i.in_left, i.in_right)
limit 1
{% endif %}
