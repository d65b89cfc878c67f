{#
message = "{interactions}: {column} is {found} for user {user}, item {item}; leave such rows out or fill in a value"
place = 3
#}
{% set ordered = condition(order_by="hash").negated %}
{% set missing = "case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id' else " ~ option("order_by") ~ " end" %}
{% set found = "case when i.user_id is not null and i.item_id is not null then " ~ sql.text("i.place") ~ " end" %}
select
    {{ sentence(column=missing, found=found if ordered.possible else "null", user="i.user_id", item="i.item_id") }} as message
from (
    select
        {{ inputs.names["user_id"] }} as user_id,
        {{ inputs.names["item_id"] }} as item_id{{ "," if ordered.possible }}
{% if ordered.possible %}
        {{ inputs.names["order_by"] }} as place
{% endif %}
    from given_interactions as t
) as i
where
    i.user_id is null
    or i.item_id is null
{% if ordered.possible %}
    or i.place is null
    or ({{ sql.type_of("i.place") }} in ('DOUBLE', 'FLOAT') and lower({{ sql.text("i.place") }}) = 'nan')
{% endif %}
order by i.user_id asc, i.item_id asc
limit 1
