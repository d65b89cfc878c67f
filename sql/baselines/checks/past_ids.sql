{#
message = "{past}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_past"]
#}
select
    {{ sentence(column="case when t.user_id is null then 'user_id' else 'item_id' end", user="t.user_id", item="t.item_id") | indent }} as message
from given_past as t
where t.user_id is null or t.item_id is null
order by t.user_id asc, t.item_id asc
limit 1
