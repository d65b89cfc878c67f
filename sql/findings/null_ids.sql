{#
about = "rows have no id"
matters = "evaluate refuses them in recs and truth; in train and items they stand for nothing"
advice = "leave them out: where user_id is not null and item_id is not null"
severity = {error = "f.role in ('recs', 'truth')", warning = "true"}
said = "error in recs and truth, warning in train and items"
unit = "rows"
own_table = true
own_column = true
#}
select
    {{ sql.text("null") }} as model,
    i.role,
    i.table_name,
    i.column_name,
    i.events as found,
    i.total,
    {{ sql.text("null") }} as example
from odd_ids as i
where i.id is null
{# rows #}
select 'recs' as table_name, {{ sql.text("r.user_id") }} as user_id, {{ sql.text("r.item_id") }} as item_id
from given_recs as r
where r.user_id is null or r.item_id is null
union all
select 'truth' as table_name, {{ sql.text("t.user_id") }} as user_id, {{ sql.text("t.item_id") }} as item_id
from given_truth as t
where t.user_id is null or t.item_id is null
