{#
message = "{interactions}: {column} is {found} for user {user}, item {item}; leave such rows out or fill in a value"
place = 3
on = ["given_interactions"]
#}
{% set found = "null" if not placed else "case when i.user_id is not null and i.item_id is not null then " ~ sql.text("i.place") ~ " end" %}
select
    {{ sentence(column="case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id' else " ~ literal(order_by) ~ " end", found=found, user="i.user_id", item="i.item_id") | indent }} as message
from (
    select
        {{ names.user_id }} as user_id,
        {{ names.item_id }} as item_id{% if placed %},
        {{ names.order_by }} as place{% endif %}

    from given_interactions as t
) as i
where
    i.user_id is null
{% if placed %}
    or i.place is null
    or ({{ sql.type_of("i.place") }} in ('DOUBLE', 'FLOAT') and lower({{ sql.text("i.place") }}) = 'nan')
{% endif %}
    or i.item_id is null
order by i.user_id asc, i.item_id asc, message asc
limit 1
