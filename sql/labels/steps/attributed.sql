{#
row = "one row per event, with the shown item that it goes to; with attribution = all, one for each of these"
grain = "event"

[options.attribution]
about = "which impression an event goes to, if the user was shown the item several times within the window before it"
topic = "impressions"
default = "last"
where = { impressions = "table" }

[options.attribution.values]
last = "the last one"
first = "the first one"
all = "each of them"

[options.tolerance]
about = "how much later than its event an impression may be dated, because clocks differ"
topic = "impressions"
default = "0 seconds"
type = "duration"
where = { impressions = "table" }
#}
{% set latest = latest_of_event("e.ts") %}
{% set begun = "e.ts - " ~ duration(window) %}
select
    e.user_id,
    e.item_id,
    e.ts,
    e.type{% if named %},
    e.is_typed{% endif %}{% if attribution == "all" %},
    e.event_id{% endif %},
    s.request_id,
    s.rank{% if surfaced %},
    s.surface{% endif %},
    s.is_open,
    coalesce({{ "s.ts <= " ~ latest if attribution == "first" else "s.ts > " ~ begun }}, false) as is_credited
from {% if attribution == "last" %}
{{ sql.last_before("given_events", "touched", latest) }}
{% elif attribution == "first" %}
{{ sql.first_after("given_events", "touched", begun) }}
{% else %}
(
    select n.*, row_number() over (order by n.user_id asc, n.item_id asc, n.ts asc, n.type asc) as event_id
    from given_events as n
) as e
left join touched as s on s.user_id = e.user_id and s.item_id = e.item_id and s.ts <= {{ latest }} and s.ts > {{ begun }}
{% endif %}
