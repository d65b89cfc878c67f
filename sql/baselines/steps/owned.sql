{#
row = "one row per user and item of train"
grain = "baseline"
#}
select distinct t.user_id, t.item_id
from given_past as t
