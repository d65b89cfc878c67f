{#
message = "{table}: user {user} and item {item} appear together more than once{model}; keep one row per pair to join ratings and predictions"
place = 5
on = ["given_ratings"]
#}
select
    {{ sentence(table="t.name", user="t.user_id", item="t.item_id", model="coalesce(' for model ' || t.model, '')") | indent }} as message
from (
    select {{ tables.predictions.name }} as name, {{ model("p") }}p.user_id, p.item_id
    from given_predictions as p
    group by {{ model("p") }}p.user_id, p.item_id
    having count(*) > 1
    union all
    select {{ tables.ratings.name }} as name, {{ "null as model, " if modelled }}t.user_id, t.item_id
    from given_ratings as t
    group by t.user_id, t.item_id
    having count(*) > 1
) as t
order by t.name asc, t.user_id asc, t.item_id asc
limit 1
