{#
The labels of items, from a log of events and perhaps of impressions.

Goes in: given_events and given_impressions. Comes out: attributed, one row per event with the impression that it goes
to; outcomes, with its gain; labelled, one row per user or request and item, with its relevance; corrected, the same over what a
curve of attention expects.
#}
{% set with_impressions = impressions is not none %}
{% set by_request = with_impressions and unit == "request" %}
{# With a curve, each shown item is labelled first, and those of a user and an item become one row after that. #}
{% set curved = with_impressions and curve != "none" %}
{% set by_impression = by_request or curved %}
{% set with_propensity = curved and label__propensity == "curve" %}
{% set labels_made = "corrected" if curved else "labelled" %}
{% set typed = named or "type" in names %}
{% set requested = named or "request_id" in names %}
{% set numbered = named or "request_id" not in names %}
{% set surfaced = named or "surface" in names %}

-- name: given_events
{#
row = "one row per event"
grain = "event"
inline = true
#}
{{ tables.events.select }}

-- name: given_impressions
{#
row = "one row per shown item"
grain = "event"
inline = true

[options.impressions]
about = "the table of shown items: user_id, item_id, ts, rank, perhaps model, request_id and surface; without one, labels come from events alone"
topic = "impressions"
type = "table"
input = true
#}
{{ tables.impressions.select }}

-- name: given_curve
{#
row = "one row per rank: the chance that a user looks at what is there"
grain = "event"
inline = true
#}
{{ tables.curve.select }}

-- name: requests
{#
row = "one row per request: what a user was shown at one time, by one model and on one surface; numbered"
grain = "event"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.ts{% if surfaced %},
    r.surface{% endif %},
    row_number() over (order by r.user_id asc, r.ts asc{{ ", r.model asc nulls first" if modelled }}{{ ", r.surface asc nulls first" if surfaced }}) as request_id
from (
    select distinct {{ model("i") }}i.user_id, i.ts{{ ", i.surface" if surfaced }}
    from given_impressions as i
) as r

-- name: shown
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

-- name: touched
{#
row = "one row per shown item with an event of its user, at any time"
grain = "event"
#}
select s.*
from shown as s
where
    exists (
        select 1
        from given_events as e
        where e.user_id = s.user_id and e.item_id = s.item_id
    )

-- name: attributed
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

-- name: first_shown
{#
row = "one row per user and item with an event: when the item was first shown to the user"
grain = "event"
#}
select s.user_id, s.item_id, min(s.ts) as ts
from touched as s
group by s.user_id, s.item_id

-- name: outcomes
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

-- name: credited
{#
row = "one row per labelled item with an event: its relevance"
grain = "event"

[options.aggregate]
about = "how the relevance of an item follows from the gains of its events"
topic = "events"
default = "max"

[options.aggregate.values]
max = "the largest gain"
sum = "the sum of the gains"
count = "the number of events with a gain above 0"
last = "the gain of the last event; of several at one time, the largest"

[options.cap]
about = "the largest relevance; a larger one is cut to it"
topic = "events"
type = "number"
above = 0
#}
{% set relevances = {
    "max": "max(o.gain)",
    "sum": sql.exact_sum("o.gain"),
    "count": "cast(count(case when o.gain > 0 then 1 end) as double)",
    "last": "max(case when o.ts = o.last_ts then o.gain end)",
} %}
{% set relevance = relevances[aggregate] %}
select
    {{ label_key("o") }},
    {{ relevance if cap is none or curved else "least(" ~ relevance ~ ", " ~ double(cap) ~ ")" }} as relevance,
    count(*) as events,
    min(o.ts) as first_ts
{% if aggregate == "last" %}
from (
    select n.*, max(n.ts) over (partition by {{ label_key("n") }}) as last_ts
    from outcomes as n
    where {{ has_label("n.outcome") }}
) as o
{% else %}
from outcomes as o
where {{ has_label("o.outcome") }}
{% endif %}
group by {{ label_key("o") }}

-- name: examined_to
{#
row = "one row per request with an event: the lowest rank that has one"
grain = "event"
#}
select o.request_id, max(o.rank) as rank
from outcomes as o
where o.outcome = 'credited'
group by o.request_id

-- name: labelled
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
{% elif by_impression %}
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

-- name: click_rates
{#
row = "one row per rank, and surface if there are any: the mean gain of what was shown there"
grain = "event"
#}
{% set clicks = "case when l.relevance > 0 then 1e0 else 0e0 end" if with_propensity else "l.relevance" %}
select
    l.rank{% if surfaced %},
    l.surface{% endif %},
    {{ sql.mean(clicks) }} as examination
from labelled as l
group by l.rank{{ ", l.surface" if surfaced }}

-- name: expected
{#
row = "one row per shown item that is labelled, with the curve at its rank"
grain = "event"

[options.curve]
about = "what ranks do to clicks: the relevance of an item is the gains of its impressions over the sum of the curve at their ranks; or a table of rank and examination, the chance above 0 that a user looks there"
topic = "curves"
default = "none"
type = "table"
where = { impressions = "table" }

[options.curve.values]
none = "nothing: the relevance is made of gains alone"
observed = "the mean gain of what was shown at the rank, which with one click for each gain of 1 is the click rate; of each surface, if there are any. The relevance is clicks over expected clicks: 1 is as clicked as what else was shown there (Zhang and Jones 2007)"
power = "(1 / rank)^eta: the relevance estimates how likely a click is where users look, as in the position-based model (Craswell et al. 2008)"

[options.eta]
about = "the power of curve = power; 0 gives the click rate of each item. It takes ranks that were swapped or drawn to find it, so there is no default"
topic = "curves"
type = "number"
at_least = 0
at_most = 10
where = { curve = "power" }
#}
select
    l.*,
    {{ "power(1e0 / l.rank, " ~ literal(eta) ~ ")" if curve == "power" else "c.examination" }} as examination
from labelled as l{% if curve == "observed" %}

inner join click_rates as c on c.rank = l.rank{{ " and c.surface is not distinct from l.surface" if surfaced }}{% elif curve != "power" %}

inner join given_curve as c on c.rank = l.rank{% endif %}


-- name: corrected
{#
row = "one row per labelled item: its relevance over what the curve expects; none where the curve is 0"
grain = "event"

[options.label__propensity]
about = "whether the truth has a column propensity"
topic = "curves"
default = "none"
where = { curve = "observed power table" }

[options.label__propensity.values]
none = "no; the relevance is divided by the curve"
curve = "yes, the curve at the rank of the impression that an event goes to, of several the highest; the relevance stays as without a curve, for metrics that weight by 1 / propensity. Where observed, the curve is the share of impressions with a gain"
#}
{% set relevance = (
    "e.relevance" if by_request and with_propensity
    else "e.relevance / nullif(e.examination, 0e0)" if by_request
    else "max(e.relevance)" if with_propensity and aggregate == "max"
    else sql.exact_sum("e.relevance") if with_propensity
    else sql.exact_sum("e.relevance") ~ " / nullif(" ~ sql.any_sum("e.examination") ~ ", 0e0)"
) %}
select
{% if by_request and modelled %}
    e.model,
{% endif %}
    e.user_id,
{% if by_request %}
    e.request_id,
{% endif %}
    e.item_id,
    {{ "e.rank" if by_request else "min(e.rank) as rank" }},
    {{ relevance if cap is none else "least(" ~ relevance ~ ", " ~ double(cap) ~ ")" }} as relevance,
    {{ "e.events" if by_request else "cast(sum(e.events) as bigint) as events" }}{% if with_propensity %},
    {{ "e.examination" if by_request else "coalesce(max(case when e.events > 0 then e.examination end), max(e.examination))" }} as propensity{% endif %}{% if by_request and surfaced %},
    e.surface{% endif %}

from expected as e
{% if by_request %}
where e.examination > 0
{% else %}
group by e.user_id, e.item_id
having max(e.examination) > 0
{% endif %}
