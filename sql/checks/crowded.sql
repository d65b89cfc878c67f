{#
message = "{recs}: the list of user {user}{model} has {items} items, but its last `rank` is {rank}; give each item of a list its own rank"
place = 7
on = ["lists"]
when = "lengths_count"
#}
select
    {{ sentence(user="l.user_id", model="coalesce(' and model ' || l.model, '')", items="l.returned", rank="l.last_rank") | indent }} as message
from lists as l
where l.last_rank < l.returned
order by l.user_id asc
limit 1
