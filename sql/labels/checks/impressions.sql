{#
message = "{impressions}: {column} is NULL for user {user}, item {item}; leave such rows out or fill in a value"
place = 3
on = ["given_impressions"]
#}
{% set unnamed = "i.request_id is null" ~ (" and i.has_request" if named else "") %}
{% set request = " when " ~ unnamed ~ " then 'request_id'" if requested else "" %}
select
    {{ sentence(column="case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id'" ~ request ~ " when i.ts is null then 'ts' else 'rank' end", user="i.user_id", item="i.item_id") | indent }} as message
from given_impressions as i
where i.user_id is null or i.item_id is null or i.ts is null or i.rank is null{{ " or " ~ unnamed if requested }}
order by i.user_id asc, i.item_id asc, message asc
limit 1
