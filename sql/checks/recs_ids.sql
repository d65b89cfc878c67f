{#
message = "{recs}: {column} is NULL in a row (user_id {user}, item_id {item}, rank {rank}); leave such rows out or give them an id"
place = 3
#}
select
    {{ sentence(column="case when r.user_id is null then 'user_id' else 'item_id' end", user="r.user_id", item="r.item_id", rank="r.rank") }} as message
from given_recs as r
where r.user_id is null or r.item_id is null
order by r.user_id asc, r.item_id asc
limit 1
