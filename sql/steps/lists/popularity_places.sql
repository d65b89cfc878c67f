{#
row = "one row per item in train: its place by the number of its rows; equal numbers share a place"
grain = "list"
#}
select t.item_id, dense_rank() over (order by t.interactions desc) as place
from train_counts as t
