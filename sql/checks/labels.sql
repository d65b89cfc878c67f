{#
message = "{predictions}: {column} is {found} for user {user}, item {item}; the label must be 0 or 1, so give threshold=, the lowest rating that counts as 1"
place = 5
on = ["pairs"]
when = "needs.labels and threshold is none"
#}
{# The column is in either table. #}
{% set at = {"predictions": tables.ratings.name, "column": literal(tables.ratings.columns.get("rating", "rating"))} if ratings_apart else {"column": "'rating'"} %}
select
    {{ sentence(found="p.rating", user="p.user_id", item="p.item_id", **at) | indent }} as message
from pairs as p
where p.rating not in (0, 1)
order by p.user_id asc, p.item_id asc, message asc
limit 1
