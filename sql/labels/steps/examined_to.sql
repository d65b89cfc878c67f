{#
row = "one row per request with an event: the lowest rank that has one"
grain = "event"
#}
select o.request_id, max(o.rank) as rank
from outcomes as o
where o.outcome = 'credited'
group by o.request_id
