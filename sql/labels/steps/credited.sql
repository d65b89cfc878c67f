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
    {{ relevance if cap is none else "least(" ~ relevance ~ ", " ~ double(cap) ~ ")" }} as relevance,
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
