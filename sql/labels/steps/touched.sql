{#
row = "one row per shown item with an event of its user, at any time"
grain = "event"
#}
select s.*
from shown as s
where
    exists (
        select 1
        from given_events as e
        where e.user_id = s.user_id and e.item_id = s.item_id
    )
