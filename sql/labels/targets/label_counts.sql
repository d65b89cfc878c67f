{# One row with the counts of events and impressions. #}
select
    (select count(*) from given_events as e) as events,
    o.credited,
    o.late,
    o.early,
    o.organic,
{% if with_impressions %}
    s.impressions,
    s.requests,
    s.open_requests,
    s.models,
{% endif %}
{% if not by_request %}
    (select count(distinct l.user_id) from labelled as l) as labelled,
    (select count(distinct l.user_id) from labelled as l where l.relevance > 0) as relevant
{% else %}
{% if examined == "to_last_event" %}
    (select count(*) from examined_to as x) as labelled,
{% else %}
    s.requests - {{ "s.open_requests" if complete == "drop" else "0" }} as labelled,
{% endif %}
    (select count(distinct c.request_id) from credited as c where c.relevance > 0) as relevant
{% endif %}
from (
    select
        {{ "count(distinct case when o.outcome = 'credited' then o.event_id end)" if with_impressions and attribution == "all" else "count(case when o.outcome = 'credited' then 1 end)" }} as credited,
        count(case when o.outcome = 'late' then 1 end) as late,
        count(case when o.outcome = 'early' then 1 end) as early,
        count(case when o.outcome = 'organic' then 1 end) as organic
    from outcomes as o
) as o
{% if with_impressions %}
cross join (
    select
        count(*) as impressions,
        {{ "count(distinct s.request_id)" if requested else "max(s.request_id)" }} as requests,
        count(distinct case when s.is_open then s.request_id end) as open_requests,
        {{ "count(distinct s.model)" if modelled else "1" }} as models
    from shown as s
) as s
{% endif %}
