{#
message = "{recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose how it counts with duplicates="
place = 5
on = ["votes"]
when = "duplicates == 'error'"
#}
select
    {{ sentence(item="r.item_id", user="r.user_id", model="coalesce(' and model ' || r.model, '')") | indent }} as message
from given_recs as r
group by {{ model("r") }}r.user_id, r.item_id
having count(*) > 1
order by r.user_id asc, r.item_id asc
limit 1
