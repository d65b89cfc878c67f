{#
What can't be labelled: events, impressions and their types.
#}

-- name: all_open
{#
message = "{impressions}: the window of each request is still open at {until}; give a shorter window, events up to a later time, or complete='keep'"
place = 6
on = ["shown"]
when = "complete == 'drop'"
#}
select
    {{ sentence(until=end_of_events(x="")) | indent }} as message
from (
{% if requested %}
    select count(case when not s.is_open then 1 end) as closed
    from shown as s
{% else %}
    select count(case when i.ts <= {{ end_of_events(x=" - " ~ duration(window)) }} then 1 end) as closed
    from given_impressions as i
{% endif %}
) as n
where n.closed = 0

-- name: curve_organic
{#
message = "organic: with organic='keep' there are events that no impression precedes, and curve='{curve}' needs the rank of each; leave organic= out"
place = 1
on = ["expected"]
when = "organic == 'keep'"
#}
select
    {{ sentence(curve=literal(curve)) | indent }} as message
where true

-- name: curve_ranks
{#
message = "{curve}: rank {rank} has {found}, and a curve needs one for each rank at which an item was shown; its `examination` is above 0 and at most 1"
place = 4
on = ["given_curve"]
#}
{% set off = "c.examination is null or not (c.examination > 0 and c.examination <= 1)" %}
select
    {{ sentence(rank="n.rank", found="n.found") | indent }} as message
from (
    select
        s.rank,
        case
            when count(c.rank) = 0 then 'no examination'
            when count(case when {{ off }} then 1 end) > 0 then 'the examination ' || {{ sql.spoken("min(c.examination)") }}
            when count(c.rank) > 1 then {{ sql.text("count(c.rank)") }} || ' examinations'
        end as found
    from (select distinct s.rank from shown as s) as s
    left join given_curve as c on c.rank = s.rank
    group by s.rank
) as n
where n.found is not null
order by n.rank asc
limit 1

-- name: event_types
{#
message = "{events}: `type` is {type} for {found} events, and gains= does not name it; give it a gain there, or one for all other types with other="
in_macro = "{events}: `type` is {type} for {found} events, and no gain of the file is for it; give it one, or all other types, with recsql macros --gains ... --other ... -o FILE"
place = 4
on = ["given_events"]
when = "typed and other is none"
#}
select
    {{ sentence(type="e.type", found="count(*)") | indent }} as message
from given_events as e
where e.type not in ({{ gains.types }})
group by e.type
order by count(*) desc, e.type asc
limit 1

-- name: events
{#
message = "{events}: {column} is NULL for user {user}, item {item}; leave such rows out or fill in a value"
place = 3
on = ["given_events"]
#}
{% set kind = " when e.type is null then 'type'" if typed else "" %}
select
    {{ sentence(column="case when e.user_id is null then 'user_id' when e.item_id is null then 'item_id'" ~ kind ~ " else 'ts' end", user="e.user_id", item="e.item_id") | indent }} as message
from given_events as e
where e.user_id is null or e.item_id is null or e.ts is null{{ " or e.type is null" if typed }}{{ " and e.is_typed" if named }}
order by e.user_id asc, e.item_id asc, message asc
limit 1

-- name: impressions
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

-- name: no_eta
{#
message = "eta: curve='power' needs the power of 1 / rank, and none fits every log; give eta="
place = 1
on = ["expected"]
when = "curve == 'power' and eta is none"
#}
select
    {{ sentence() | indent }} as message
where true

-- name: no_events
{#
message = "{events}: no event is in the window from {start}; the first is of {first}, and the last of {last}"
place = 6
on = ["given_events"]
when = "not with_impressions"
#}
{% set begin = sql.time(literal(start)) %}
select
    {{ sentence(start=begin, first="n.first", last="n.last") | indent }} as message
from (
    select
        min(e.ts) as first,
        max(e.ts) as last,
        count(case when e.ts >= {{ begin }} and e.ts < {{ begin }} + {{ duration(window) }} then 1 end) as events
    from given_events as e
) as n
where n.events = 0

-- name: no_impressions
{#
message = "{impressions}: it has no rows, so nothing can be labelled; leave it out to label events alone"
place = 1
on = ["given_impressions"]
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as impressions from given_impressions as i) as n
where n.impressions = 0

-- name: no_log_rows
{#
message = "{events}: it has no rows, so nothing can be labelled; give the events of the window"
place = 1
on = ["given_events"]
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as events from given_events as e) as n
where n.events = 0

-- name: no_start
{#
message = "start: without impressions, labels need the time from which events count, such as 2026-03-01; give start="
place = 1
on = ["given_events"]
when = "named and not with_impressions"
#}
select
    {{ sentence() | indent }} as message
where {{ start }} is null

-- name: organic_surfaces
{#
message = "gains: they differ by surface, and with organic='keep' there are events without a surface; give one gain per type"
place = 3
on = ["given_impressions"]
when = "organic == 'keep' and gains.by_surface"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as impressions from given_impressions as i) as n
where n.impressions > 0 and {{ gains.differ }}

-- name: propensity_of_last
{#
message = "propensity: with unit='user' and aggregate='last', the last event of an item may not go to the impression of its propensity; choose another aggregate="
place = 1
on = ["expected"]
when = "with_propensity and not by_request and aggregate == 'last'"
#}
select
    {{ sentence() | indent }} as message
where true

-- name: request_items
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

-- name: request_owners
{#
message = "{impressions}: request {request} has {found}; a request belongs to one user, one model and one surface"
place = 4
on = ["given_impressions"]
when = "requested"
#}
{% set users = "count(distinct i.user_id)" %}
{% set several = "case when " ~ users ~ " > 1 then " ~ sql.text(users) ~ " || ' users'" ~ (" when count(distinct i.model) > 1 then " ~ sql.text("count(distinct i.model)") ~ " || ' models'" if modelled else "") ~ (" when count(distinct i.surface) > 1 then " ~ sql.text("count(distinct i.surface)") ~ " || ' surfaces'" if surfaced else "") ~ " end" %}
select
    {{ sentence(request="r.request_id", found="r.several") | indent }} as message
from (
    select i.request_id, {{ several }} as several
    from given_impressions as i
    group by i.request_id
) as r
where r.request_id is not null and r.several is not null
order by r.request_id asc
limit 1

-- name: shown_ranks
{#
message = "{impressions}: `rank` is {rank} for user {user}, item {item}; ranks are whole numbers that start at 1"
place = 4
on = ["given_impressions"]
#}
select
    {{ sentence(rank="i.rank", user="i.user_id", item="i.item_id") | indent }} as message
from given_impressions as i
where
    i.rank < 1
    or i.rank >= {{ whole }}
    or (
        {{ sql.type_of("i.rank") }} not like '%INT%'
        and ({{ double("i.rank") }} % 1 <> 0 or {{ sql.is_nan(double("i.rank")) }})
    )
order by i.user_id asc, i.item_id asc, message asc
limit 1

-- name: shown_twice
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

-- name: surfaces
{#
message = "{impressions}: `surface` is {surface} for {found} impressions, and gains= does not name it; give its types a gain there"
in_macro = "{impressions}: `surface` is {surface} for {found} impressions, and the gains of the file do not name it; give its types a gain in recsql macros --gains ... -o FILE"
place = 4
on = ["given_impressions"]
when = "gains.by_surface"
#}
select
    {{ sentence(surface="i.surface", found="count(*)") | indent }} as message
from given_impressions as i
where {{ gains.lack("i.surface") }}
group by i.surface
order by count(*) desc, i.surface asc
limit 1
