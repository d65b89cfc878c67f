{#
row = "one row per shown item: its request, and whether the window of that is still open"
grain = "event"
kept = true

[options.window]
about = "how long an event counts after an item was shown, or after start, such as 7 days, 12h or 30min; the end is not part of it"
topic = "events"
default = "7 days"
type = "duration"
above = 0

[options.complete]
about = "requests whose window ends after `until`"
topic = "impressions"
default = "drop"
where = { impressions = "table" }

[options.complete.values]
drop = "they are left out, because some of their events are yet to come"
keep = "they are kept"

[options.until]
about = "the time up to which the events are complete; without it, that of the last event"
topic = "impressions"
type = "time"
where = { impressions = "table" }
#}
{% set request = "coalesce(i.request_id, r.request_id)" if named else "r.request_id" if numbered else "i.request_id" %}
select
{% if modelled %}
    i.model,
{% endif %}
    i.user_id,
    {{ request }}{{ " as request_id" if named }},
    i.item_id,
    i.ts,
    cast(i.rank as bigint) as rank{% if surfaced %},
    i.surface{% endif %},
    {{ "i.ts" if not requested else "max(i.ts) over (partition by " ~ request ~ ")" }} > {{ end_of_events(x=" - " ~ duration(window)) }} as is_open
from given_impressions as i
{% if numbered %}
inner join requests as r on {{ same_model("r", "i") }}r.user_id = i.user_id and r.ts = i.ts{{ " and r.surface is not distinct from i.surface" if surfaced }}
{% endif %}
