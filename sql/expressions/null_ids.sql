{#
about = "a check of `x`, a table with both ids: the first row with an id that is NULL"
#}
select
    {{ sentence(column="case when " ~ alias ~ ".user_id is null then 'user_id' else 'item_id' end", user=alias ~ ".user_id", item=alias ~ ".item_id") | indent }} as message
from {{ x }} as {{ alias }}
where {{ alias }}.user_id is null or {{ alias }}.item_id is null
order by {{ alias }}.user_id asc, {{ alias }}.item_id asc
limit 1
