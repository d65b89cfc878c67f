{#
row = "one row per event and its outcome; with attribution = all, one for each shown item that it goes to"
grain = "event"
kept = true

[options.start]
about = "the time from which events count, if there are no impressions"
topic = "events"
type = "time"
#}
{% if with_impressions %}
select
    a.user_id,
    a.item_id,
    a.ts,
{% if attribution == "all" %}
    a.event_id,
{% endif %}
    a.request_id,
    a.rank,
    {{ gain_of_event("a") }} as gain,
    case
        when a.is_credited and {{ "not a.is_open" if complete == "drop" else "true" }} then 'credited'
        when a.is_credited then 'open'
        when f.ts <= {{ latest_of_event("a.ts") }} then 'late'
        when f.ts is not null then 'early'
        else 'organic'
    end as outcome
from attributed as a
left join first_shown as f on f.user_id = a.user_id and f.item_id = a.item_id
{% else %}
select
    e.user_id,
    e.item_id,
    e.ts,
    {{ gain_of_event("e") }} as gain,
    case
        when e.ts < {{ sql.time(literal(start)) }} then 'early'
        when e.ts < {{ sql.time(literal(start)) }} + {{ duration(window) }} then 'credited'
        else 'late'
    end as outcome
from given_events as e
{% endif %}
