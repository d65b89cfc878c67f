{#
message = "{predictions}: `prediction` is {found} for user {user}, item {item}; a probability is from 0 to 1, so scale the predictions, or leave out the metrics of probabilities"
place = 5
on = ["pairs"]
when = "needs.probabilities"
#}
select
    {{ sentence(found="p.prediction", user="p.user_id", item="p.item_id") | indent }} as message
from pairs as p
where p.prediction < 0 or p.prediction > 1
order by p.user_id asc, p.item_id asc, message asc
limit 1
