{#
row = "one row per labelled item: its relevance, 0 without an event"
grain = "event"

[options.examined]
about = "which shown items count as seen; a seen item without an event is judged not relevant"
topic = "impressions"
default = "all"
where = { impressions = "table" }

[options.examined.values]
all = "all"
to_last_event = "of each request, the items from the first to the lowest one with an event; none if no item has an event"
#}
{% if not with_impressions %}
select
    c.user_id,
    c.item_id,
    row_number() over (partition by c.user_id order by c.first_ts asc, c.item_id asc) as rank,
    c.relevance,
    c.events
from credited as c
{% elif by_request %}
select
{% if modelled %}
    s.model,
{% endif %}
    s.user_id,
    s.request_id,
    s.item_id,
    s.rank,
    coalesce(c.relevance, 0e0) as relevance,
    coalesce(c.events, 0) as events{% if surfaced %},
    s.surface{% endif %}

from shown as s
{% if examined == "to_last_event" %}
inner join examined_to as x on x.request_id = s.request_id and s.rank <= x.rank
{% endif %}
left join credited as c on c.request_id = s.request_id and c.item_id = s.item_id
{% if complete == "drop" %}
where not s.is_open
{% endif %}
{% else %}
select
    coalesce(s.user_id, c.user_id) as user_id,
    coalesce(s.item_id, c.item_id) as item_id,
    s.rank,
    coalesce(c.relevance, 0e0) as relevance,
    coalesce(c.events, 0) as events
from (
    select s.user_id, s.item_id, min(s.rank) as rank
    from shown as s
{% if examined == "to_last_event" %}
    inner join examined_to as x on x.request_id = s.request_id and s.rank <= x.rank
{% endif %}
{% if complete == "drop" %}
    where not s.is_open
{% endif %}
    group by s.user_id, s.item_id
) as s
full join credited as c on c.user_id = s.user_id and c.item_id = s.item_id
{% endif %}
