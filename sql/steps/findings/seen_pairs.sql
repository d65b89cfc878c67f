{#
row = "one row per user and item of a top k that is in train as well"
#}
select distinct t.user_id, t.item_id
from given_train as t
where exists (
    select 1 as one
    from list_items as r
    where r.user_id = t.user_id and r.item_id = t.item_id and r.place <= {{ depth }}
)
