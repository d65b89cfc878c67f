{#
message = "{recs}: there is no column {column}; {hint}it has {columns}; {way}"
place = 2
#}
{% if inputs.named and "recs" in inputs.tables %}
select
    {{ sentence(column="c.name", hint=sql.nearest("c.name", sql.filtered("c.columns", "e", "e not in ('user_id', 'item_id', 'rank', 'score')")), columns="array_to_string(c.columns, ', ')", way="'rename it in a view'") }} as message
from (
    select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
    from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation({{ inputs.tables["recs"].name }})) as g limit 1) as g
) as c
where c.type = '"NULL"'
order by c.name asc
limit 1
{% endif %}
