{#
about = "ids are what programs write where there is no id: an empty text, nan, None, null or -1"
matters = "all such rows become those of one user or item, who has many hits by chance"
advice = "leave these rows out before you write the tables"
severity = "warning"
unit = "rows"
own_table = true
own_column = true
unless = "the id is -1 in at most 1 % of the rows"
#}
select
    {{ sql.text("null") }} as model,
    i.table_name,
    i.column_name,
    sum(i.events) as found,
    max(i.total) as total,
    max({{ sql.said("i.id") }}) as example
from odd_ids as i
where i.id is not null and (i.id <> '-1' or 100 * i.events > i.total)
group by i.table_name, i.column_name
{# rows #}
select i.table_name, i.column_name, i.id, i.events as table_rows
from odd_ids as i
where i.id is not null
