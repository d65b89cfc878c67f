{#
message = "{recs}: it has the column {column}, and a macro can't keep folds apart; give a view of one fold, without that column"
place = 2
on = ["given_recs"]
when = "named"
#}
select
    {{ sentence(column="c.name") | indent }} as message
from table_columns as c
where c.role = 'recs' and lower(c.name) = 'fold'
limit 1
