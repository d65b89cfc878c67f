{#
message = "{interactions}: {column} is NULL for user {user}, item {item}; leave such rows out or fill it in"
place = 3
grain = "interaction"
#}
{% set user, item = inputs.names["user_id"], inputs.names["item_id"] %}
{% set ordered = condition(order_by="hash").negated %}
select
    {{ sentence(column="case when " ~ user ~ " is null then 'user_id' when " ~ item ~ " is null then 'item_id' else " ~ option("order_by") ~ " end", user=user, item=item) }} as message
from given_interactions as t
where
    {{ user }} is null
    or {{ item }} is null
{% if ordered.possible %}
    or {{ inputs.names["order_by"] }} is null
{% endif %}
order by {{ user }} asc, {{ item }} asc
limit 1
