{#
about = "ids are floating-point numbers"
matters = "large ones are rounded, so different ids can become equal"
advice = "cast them to whole numbers: cast(user_id as bigint); if they are too large, read them as text from the start"
severity = {error = "f.largest >= f.bound", warning = "true"}
said = "error if ids are beyond 2^53 (2^24 for FLOAT), where not every whole number exists; else warning"
unit = "rows"
own_table = true
own_column = true
needs = ["float ids"]
#}
select
    {{ sql.text("null") }} as model,
    i.table_name,
    i.column_name,
    sum(i.events) as found,
    sum(i.events) as total,
    max(case when abs(i.id) < 1e300 then abs(i.id) end) as largest,
    max(i.bound) as bound,
    {{ sql.text("max(case when abs(i.id) < 1e300 then i.id end)") }} as example
from (
    {{ float_ids_of_tables() | indent }}
) as i
group by i.table_name, i.column_name
{# rows #}
select i.table_name, i.column_name, i.id, i.events as table_rows
from (
    {{ float_ids_of_tables() | indent }}
) as i
where abs(i.id) < 1e300 and abs(i.id) >= i.bound
