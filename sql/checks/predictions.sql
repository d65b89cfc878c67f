{#
message = "{predictions}: `prediction` is {found} for user {user}, item {item}; give a number below 1e150, or NULL for no prediction"
place = 4
on = ["given_predictions"]
#}
select
    {{ sentence(found="p.prediction", user="p.user_id", item="p.item_id") | indent }} as message
from given_predictions as p
where {{ sql.is_nan("p.prediction") }} or abs(p.prediction) >= 1e150
order by p.user_id asc, p.item_id asc, message asc
limit 1
