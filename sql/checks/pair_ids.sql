{#
message = "{predictions}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_predictions"]
#}
select
    {{ sentence(column="case when p.user_id is null then 'user_id' else 'item_id' end", user="p.user_id", item="p.item_id") | indent }} as message
from given_predictions as p
where p.user_id is null or p.item_id is null
order by p.user_id asc, p.item_id asc
limit 1
