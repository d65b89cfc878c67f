{#
message = "{predictions}: rating is {found} for user {user}, item {item}; every rating must be a number, here or in the table that the option ratings names"
place = 4
#}
{% set apart = is_given("ratings").negated %}
{% if apart.possible %}
select
    {{ sentence(found="p.rating", user="p.user_id", item="p.item_id") }} as message
from given_predictions as p
where
    (p.rating is null or {{ sql.is_nan("p.rating") }} or {{ sql.is_infinite("p.rating") }})
    {{ apart.also }}
order by p.user_id asc, p.item_id asc
limit 1
{% endif %}
