{#
message = "{recs}: user {user}{model} has more than {rank} items down to rank {rank}; give each item of a list a rank of its own"
place = 6
#}
select
    {{ sentence(user="h.user_id", model="coalesce(' and model ' || h.model, '')", rank="h.rank") }} as message
from hits as h
where h.nth > h.rank
order by h.user_id asc, h.rank asc
limit 1
