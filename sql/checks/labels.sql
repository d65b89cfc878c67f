{#
message = "{predictions}: `rating` is {found} for user {user}, item {item}; the label must be 0 or 1, so give threshold=, the lowest rating that counts as 1"
place = 5
on = ["pairs"]
when = "needs.labels and threshold is none"
#}
select
    {{ sentence(found="p.rating", user="p.user_id", item="p.item_id") | indent }} as message
from pairs as p
where p.rating not in (0, 1)
order by p.user_id asc, p.item_id asc, message asc
limit 1
