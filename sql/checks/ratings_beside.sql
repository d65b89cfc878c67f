{#
message = "{predictions}: rating is {found} for user {user}, item {item}; every rating must be a number below 1e150, here or in the table passed as ratings"
place = 4
#}
{% set apart = is_given("ratings").negated %}
{% if apart.possible %}
select
    {{ sentence(found="p.rating", user="p.user_id", item="p.item_id") }} as message
from given_predictions as p
where
    (p.rating is null or {{ sql.is_nan("p.rating") }} or abs(p.rating) >= 1e150)
    {{ apart.also }}
order by p.user_id asc, p.item_id asc
limit 1
{% endif %}
