{#
message = "{ratings}: `rating` is {found} for user {user}, item {item}; every rating must be a number below 1e150"
place = 4
on = ["given_ratings"]
#}
select
    {{ sentence(found="t.rating", user="t.user_id", item="t.item_id") | indent }} as message
from given_ratings as t
where t.rating is null or {{ sql.is_nan("t.rating") }} or abs(t.rating) >= 1e150
order by t.user_id asc, t.item_id asc, message asc
limit 1
