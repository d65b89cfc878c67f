{#
row = "one row per list with relevant items: their number in the list, and in its top k"
#}
select {{ model("r") }}r.user_id, count(*) as hits, count(case when r.place <= {{ depth }} then 1 end) as hits_at_k
from list_items as r
inner join (
    select t.user_id, t.item_id
    from given_truth as t
    where {{ is_relevant() }}
    group by t.user_id, t.item_id
) as t on t.user_id = r.user_id and t.item_id = r.item_id
group by {{ model("r") }}r.user_id
