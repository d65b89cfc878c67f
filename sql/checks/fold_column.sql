{#
message = "{recs}: it has the column {column}, and a macro can't keep folds apart; give a view of one fold, without that column"
place = 2
on = ["given_recs"]
when = "named"
#}
select
    {{ sentence(column="c.name") | indent }} as message
from (
    select unnest(json_keys(to_json(g))) as name
    from (select * from {{ tables.recs.source }} limit 1) as g
) as c
where lower(c.name) = 'fold'
limit 1
