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
    coalesce(sum(case when i.id in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>') then i.events end), 0)
    + case
        when 100 * sum(case when i.id = '-1' then i.events else 0 end) > sum(i.events) then sum(case when i.id = '-1' then i.events end)
        else 0
    end as found,
    sum(i.events) as total,
    max(case when i.id in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>', '-1') then {{ sql.said("i.id") }} end) as example
from (
    {{ ids_of_tables() | indent }}
) as i
group by i.table_name, i.column_name
{# rows #}
select i.table_name, i.column_name, i.id, i.events as table_rows
from (
    {{ ids_of_tables() | indent }}
) as i
where i.id in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>', '-1')
