{#
message = "{impressions}: item {item} was shown to user {user} more than once at {time}, so no single impression comes last before an event; keep one of these rows"
place = 5
on = ["shown"]
when = "attribution != 'all'"
#}
{# Only rows with a hash that others have are compared. #}
{% set key = sql.hash_of("i.user_id, i.item_id, i.ts") %}
select
    {{ sentence(item="i.item_id", user="i.user_id", time="i.ts") | indent }} as message
from given_impressions as i
where
    {{ key }} in (
        select {{ key }} as h
        from given_impressions as i
        group by {{ key }}
        having count(*) > 1
    )
group by i.user_id, i.item_id, i.ts
having count(*) > 1
order by i.user_id asc, i.item_id asc, i.ts asc
limit 1
