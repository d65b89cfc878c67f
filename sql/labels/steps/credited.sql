{#
row = "one row per labelled item with an event: its relevance"
grain = "event"
when = "labelling"

[options.cap]
about = "the largest relevance; a larger one is cut to it"
topic = "events"
type = "number"
above = 0
#}
select
    {{ label_key("o") }},
    {{ relevance_of_events() if cap is none else "least(" ~ relevance_of_events() ~ ", " ~ double(cap) ~ ")" }} as relevance,
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
