{#
row = "one row per user and item with an event: when the item was first shown to the user"
grain = "event"
#}
select s.user_id, s.item_id, min(s.ts) as ts
from touched as s
group by s.user_id, s.item_id
