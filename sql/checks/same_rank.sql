{#
message = "{recs}: items {one} and {other} have the same `rank` {rank} in the list of user {user}{model}; number each list with row_number(), or use rank_by='score' and choose how equal scores count with ties=; or are these several lists of a user, such as one a day? give each its own `user_id`{files}"
place = 6
on = ["given_recs"]
when = "by_rank and (checked or finding)"
#}
select
    {{ sentence(one="o.one", other="o.other", rank="o.rank", user="o.user_id", model="coalesce(' and model ' || o.model, '')", files=per_file) | indent }} as message
from repeated_ranks as o
order by {{ "o.model asc nulls first, " if modelled }}o.user_id asc, o.rank asc
limit 1
