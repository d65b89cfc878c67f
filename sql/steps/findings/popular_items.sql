{#
row = "one row per item of train: its place by number of rows; ties by item id"
#}
select i.id as item_id, i.train_rows as events, row_number() over (order by i.train_rows desc, i.id asc) as place
from item_rows as i
where i.id is not null and i.train_rows > 0
