{#
row = "one row per user and relevant item that is in train as well: its number of rows and first time in the truth, and its last time in train"
kept = true
#}
select
    t.user_id,
    t.item_id,
    min(p.events) as events,
    {{ "case when min(p.ts) > max(t.ts) then 1 else 0 end" if times_alike else "0" }} as later
from {{ "train_times" if times_alike else "given_train" }} as t
inner join (
    select t.user_id, t.item_id, count(*) as events{{ ", min(t.ts) as ts" if times_alike }}
    from {{ "truth_times" if times_alike else "given_truth" }} as t
    where {{ is_relevant() }}
    group by t.user_id, t.item_id
) as p on p.user_id = t.user_id and p.item_id = t.item_id
group by t.user_id, t.item_id
