{#
message = "{truth}: there is no column {column}; {hint}it has {columns}; {way}"
place = 2
on = ["given_truth"]
when = "named and 'truth' in tables"
#}
select
    {{ sentence(column="c.name", hint=sql.nearest("c.name", sql.filtered("c.columns", "e", "e not in ('user_id', 'item_id', 'rank', 'score')")), columns=sql.listing("c.columns"), way="'rename it in a view'") | indent }} as message
from (
    select unnest(['user_id', 'item_id']) as name, unnest(t.types) as type, g.columns
    from (select [typeof(t.user_id), typeof(t.item_id)] as types from given_truth as t limit 1) as t
    cross join (select json_keys(to_json(g)) as columns from {{ tables.truth.source }} as g limit 1) as g
) as c
where c.type = '"NULL"'
order by c.name asc
limit 1
