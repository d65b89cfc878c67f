{#
message = "{recs}: item {item} in the list of user {user} is an item that they have in {train}; seen='error' does not allow that"
place = 5
on = ["given_recs"]
when = "seen == 'error'"
#}
select
    {{ sentence(item="s.item_id", user="s.user_id") | indent }} as message
from seen_items as s
order by s.user_id asc, s.item_id asc
limit 1
