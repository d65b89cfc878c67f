{#
row = "one row per item of train: its number of rows, and its place by this; ties by item id"
grain = "baseline"
#}
select t.item_id, count(*) as events, row_number() over (order by count(*) desc, t.item_id asc) as place
from given_past as t
group by t.item_id
