{#
The results of labelling: the labels, the lists that were shown, and the counts.
#}

-- name: given_curve
{# The table in the option curve. #}
select cast(c.rank as bigint) as rank, cast(c.examination as double) as examination
from {{ source }} as c

-- name: given_events
{# The table in the parameter events. Without a column type, each event counts the same. #}
select
    e.user_id,
    e.item_id,
    make_timestamp(epoch_us(e.ts)) as ts,
    cast(e.type as varchar) as type,
    typeof(e.type) <> '"NULL"' as is_typed
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id, null::date as ts, null as type
    where false
) as e

-- name: given_impressions
{# The table in the option impressions. A missing column is NULL. #}
select
    i.model,
    i.user_id,
    i.request_id,
    typeof(i.request_id) <> '"NULL"' as has_request,
    i.item_id,
    make_timestamp(epoch_us(i.ts)) as ts,
    i.rank,
    cast(i.surface as varchar) as surface
from (
    from {{ source }}
    union all by name
    select
        null::varchar as model,
        null as user_id,
        null as item_id,
        null::date as ts,
        null as rank,
        null as request_id,
        null as surface
    where false
) as i

-- name: label_counts
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
{% if curved %}
    (select count(*) from (select distinct {{ "l.request_id" if by_request else "l.user_id" }}, l.item_id from labelled as l) as l) - (select count(*) from corrected as c) as unexpected,
{% endif %}
{% if not by_request %}
    (select count(distinct l.user_id) from {{ labels_made }} as l) as labelled,
    (select count(distinct l.user_id) from {{ labels_made }} as l where l.relevance > 0) as relevant
{% else %}
{% if curved %}
    (select count(distinct l.request_id) from corrected as l) as labelled,
{% elif examined == "to_last_event" %}
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

-- name: labels
{# The labels; if requests are labelled, the shown lists come first. #}
{% if by_request %}
select
    'recs' as part,
    {{ as_given("s.model") if modelled else as_given(sql.text("null"), "model") }},
    {{ as_given("s.user_id") }},
    {{ as_given("s.request_id") }},
    {{ as_given("s.item_id") }},
    {{ as_given("s.rank") }},
    cast(null as double) as relevance,
    cast(null as bigint) as events{% if with_propensity %},
    cast(null as double) as propensity{% endif %}{% if surfaced %},
    {{ as_given("s.surface") }}{% endif %}

from shown as s
{% if complete == "drop" %}
where not s.is_open
{% endif %}
union all
{% endif %}
select
    'truth' as part,
    {{ as_given("l.model") if by_request and modelled else as_given(sql.text("null"), "model") }},
    {{ as_given("l.user_id") }},
    {{ as_given("l.request_id") if by_request else as_given("cast(null as bigint)", "request_id") }},
    {{ as_given("l.item_id") }},
    {{ as_given("l.rank") }},
    l.relevance,
    l.events{% if with_propensity %},
    l.propensity{% endif %}{% if by_request and surfaced %},
    {{ as_given("l.surface") }}{% endif %}

from {{ labels_made }} as l{% if named %}

where {{ measurable() }}{% endif %}

-- name: labels_alone
{# The labels, as truth: a request is a user. #}
select
{% if by_request %}
    {{ "l.request_id as user_id" if called.get("user_id") == "person_id" else as_given("l.request_id", "user_id") }},
    l.user_id as person_id,
{% else %}
    {{ as_given("l.user_id") }},
{% endif %}
    {{ as_given("l.item_id") }},
    l.relevance,
    l.rank,
    l.events{% if with_propensity %},
    l.propensity{% endif %}{% if "shown_by" in names %},
    l.model as shown_by{% endif %}{% if by_request and surfaced %},
    {{ as_given("l.surface") }}{% endif %}

from {{ labels_made }} as l

-- name: shown_lists
{# The lists that were shown, as recommendations: a request is a user. #}
select
{% if modelled %}
    {{ as_given("s.model") }},
{% endif %}
    {{ "s.request_id as user_id" if called.get("user_id") == "person_id" else as_given("s.request_id", "user_id") }},
    s.user_id as person_id,
    {{ as_given("s.item_id") }},
    {{ as_given("s.rank") }}{% if surfaced %},
    {{ as_given("s.surface") }}{% endif %}

from shown as s
{% if complete == "drop" %}
where not s.is_open
{% endif %}
