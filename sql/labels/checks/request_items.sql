{#
message = "{impressions}: item {item} appears more than once in request {request}; keep one of these rows"
place = 5
on = ["shown"]
when = "requested or attribution == 'all'"
#}
select
    {{ sentence(item="s.item_id", request="s.request_id") | indent }} as message
from shown as s
group by s.request_id, s.item_id
having count(*) > 1
order by s.request_id asc, s.item_id asc
limit 1
