{#
row = "one row per list of a watched user: the number of its relevant items"
#}
select {{ model("r") }}r.user_id, count(*) as hits
from list_items as r
inner join watched as w on w.user_id = r.user_id
inner join (
    select t.user_id, t.item_id
    from given_truth as t
    inner join watched as w on w.user_id = t.user_id
    where {{ is_relevant() }}
    group by t.user_id, t.item_id
) as t on t.user_id = r.user_id and t.item_id = r.item_id
group by {{ model("r") }}r.user_id
