{#
message = "{candidates}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_candidates"]
#}
select
    {{ sentence(column="case when c.user_id is null then 'user_id' else 'item_id' end", user="c.user_id", item="c.item_id") | indent }} as message
from given_candidates as c
where c.user_id is null or c.item_id is null
order by c.user_id asc, c.item_id asc
limit 1
