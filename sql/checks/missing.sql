{#
message = "{predictions}: `prediction` is NULL for user {user}, item {item}; missing='error' does not allow that"
place = 5
grain = "rating"
on = ["given_predictions"]
when = "missing == 'error'"

[options.missing]
about = "a NULL prediction"
topic = "ratings"
default = "skip"

[options.missing.values]
skip = "left out and counted"
error = "an error"
#}
select
    {{ sentence(user="p.user_id", item="p.item_id") | indent }} as message
from given_predictions as p
where p.prediction is null
order by p.user_id asc, p.item_id asc
limit 1
