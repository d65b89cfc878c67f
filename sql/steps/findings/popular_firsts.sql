{#
row = "one row per user with a relevant item that is in train, but not the user's there: the place of the most popular one"
kept = true
#}
select t.user_id, min(i.place) as place
from given_truth as t
inner join popular_items as i on i.item_id = t.item_id
left join repeats as r on r.user_id = t.user_id and r.item_id = t.item_id
where r.user_id is null and {{ is_relevant() }}
group by t.user_id
