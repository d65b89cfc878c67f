{#
message = "{recs}: there is no column {column}; {hint}it has {columns}; {way}"
place = 2
on = ["given_recs"]
when = "named and 'recs' in tables"
#}
select
    {{ sentence(column="c.name", hint=sql.nearest("c.name", sql.filtered("c.columns", "e", "e not in ('user_id', 'item_id', 'rank', 'score')")), columns=sql.listing("c.columns"), way="'rename it in a view'") | indent }} as message
from (
    select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
    from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
    cross join (select json_keys(to_json(g)) as columns from {{ tables.recs.source }} as g limit 1) as g
) as c
where c.type = '"NULL"'
order by c.name asc
limit 1
