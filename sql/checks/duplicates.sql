{#
message = "{recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose how it counts with duplicates=; or does the table hold several lists of a user, such as one a day? give each its own `user_id`, or use a column fold{files}"
place = 5
on = ["hits"]
when = "duplicates == 'error'"
#}
select
    {{ sentence(item="h.item_id", user="h.user_id", model="coalesce(' and model ' || h.model, '')", files=per_file) | indent }} as message
from hits as h
where h.copies > 1
order by h.user_id asc, h.item_id asc
limit 1
