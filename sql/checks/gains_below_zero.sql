{#
message = "{truth}: item {item} has gain {gain} for user {user}; ties = 'best' and 'worst' need gains of at least 0"
place = 6
on = ["relevant", "found"]
when = "bounds"
#}
select
    {{ sentence(item="t.item_id", gain="t.gain", user="t.user_id") | indent }} as message
from relevant as t
inner join found as f on f.user_id = t.user_id and f.item_id = t.item_id
where t.gain < 0
order by t.user_id asc, t.item_id asc
limit 1
