{#
message = "{predictions}: {column} is 0 for user {user}, item {item}; mape_zero='error' does not allow that"
place = 5
on = ["pairs"]
when = "needs.relative_error and mape_zero == 'error'"
#}
{# The column is in either table. #}
{% set at = {"predictions": tables.ratings.name, "column": literal(tables.ratings.columns.get("rating", "rating"))} if ratings_apart else {"column": "'rating'"} %}
select
    {{ sentence(user="p.user_id", item="p.item_id", **at) | indent }} as message
from pairs as p
where p.rating = 0
order by p.user_id asc, p.item_id asc
limit 1
