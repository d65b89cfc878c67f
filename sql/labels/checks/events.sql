{#
message = "{events}: {column} is NULL for user {user}, item {item}; leave such rows out or fill in a value"
place = 3
on = ["given_events"]
#}
{% set kind = " when e.type is null then 'type'" if typed else "" %}
select
    {{ sentence(column="case when e.user_id is null then 'user_id' when e.item_id is null then 'item_id'" ~ kind ~ " else 'ts' end", user="e.user_id", item="e.item_id") | indent }} as message
from given_events as e
where e.user_id is null or e.item_id is null or e.ts is null{{ " or e.type is null" if typed }}{{ " and e.is_typed" if named }}
order by e.user_id asc, e.item_id asc, message asc
limit 1
