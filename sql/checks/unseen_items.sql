{#
message = "popularity_unseen='error': item {item} in the list of user {user} is not in {train}; add it there, or choose another value"
place = 5
on = ["list_popularities"]
when = "needs.popularities and popularity_unseen == 'error'"
#}
select
    {{ sentence(user="r.user_id", item="r.item_id") | indent }} as message
from listed as r
left join train_counts as t on t.item_id = r.item_id
where t.item_id is null
order by r.user_id asc, r.item_id asc
limit 1
