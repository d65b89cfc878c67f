{#
message = "{interactions}: the column {column} already exists; rename it, or leave it out"
place = 2
on = ["given_interactions"]
when = "named"
#}
select
    {{ sentence(column="c.name") | indent }} as message
from table_columns as c
where lower(c.name) in ('part'{{ ", 'fold'" if in_folds }}{{ ", 'row_place'" if by_row }})
limit 1
