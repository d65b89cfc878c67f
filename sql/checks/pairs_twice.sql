{#
message = "{table}: user {user} and item {item} appear together more than once{model}; keep one row per pair to join ratings and predictions"
place = 5
#}
{% set apart = is_given("ratings") %}
{% if apart.possible %}
select
    {{ sentence(table="t.name", user="t.user_id", item="t.item_id", model="coalesce(' for model ' || t.model, '')") }} as message
from (
    select {{ inputs.tables["predictions"].name }} as name, p.model, p.user_id, p.item_id
    from given_predictions as p
    {{ apart.where }}
    group by p.model, p.user_id, p.item_id
    having count(*) > 1
    union all
    select {{ inputs.tables["ratings"].name }} as name, null as model, t.user_id, t.item_id
    from given_ratings as t
    {{ apart.where }}
    group by t.user_id, t.item_id
    having count(*) > 1
) as t
order by t.name asc, t.user_id asc, t.item_id asc
limit 1
{% endif %}
