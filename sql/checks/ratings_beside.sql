{#
message = "{predictions}: `rating` is {found} for user {user}, item {item}; every rating must be a number below 1e150, here or in the table passed as ratings="
place = 4
on = ["given_predictions"]
when = "not ratings_apart"
#}
select
    {{ sentence(found="p.rating", user="p.user_id", item="p.item_id") | indent }} as message
from given_predictions as p
where p.rating is null or {{ sql.is_nan("p.rating") }} or abs(p.rating) >= 1e150
order by p.user_id asc, p.item_id asc, message asc
limit 1
