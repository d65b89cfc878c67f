{#
message = "{predictions}: prediction is {found} for user {user}, item {item}; give a number, or NULL for no prediction"
place = 4
#}
select
    {{ sentence(found="p.prediction", user="p.user_id", item="p.item_id") }} as message
from given_predictions as p
where {{ sql.is_nan("p.prediction") }} or {{ sql.is_infinite("p.prediction") }}
order by p.user_id asc, p.item_id asc
limit 1
