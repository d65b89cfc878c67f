{#
message = "{ratings}: rating is {found} for user {user}, item {item}; every rating must be a number below 1e150"
place = 4
#}
{% set apart = is_given("ratings") %}
{% if apart.possible %}
select
    {{ sentence(found="t.rating", user="t.user_id", item="t.item_id") }} as message
from given_ratings as t
where
    (t.rating is null or {{ sql.is_nan("t.rating") }} or abs(t.rating) >= 1e150)
    {{ apart.also }}
order by t.user_id asc, t.item_id asc
limit 1
{% endif %}
