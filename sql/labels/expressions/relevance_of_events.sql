{#
about = "the relevance of an item, from the gains of its events o"
grain = "event"

[options.aggregate]
about = "what the relevance of an item is, from the gains of its events"
topic = "events"
default = "max"

[options.aggregate.values]
max = "the largest gain"
sum = "the sum of the gains"
count = "the number of events with a gain above 0"
last = "the gain of the last event; of several at one time, the largest"
#}
{% if aggregate == "max" %}
max(o.gain)
{%- elif aggregate == "sum" %}
{{ sql.exact_sum("o.gain") }}
{%- elif aggregate == "count" %}
cast(count(case when o.gain > 0 then 1 end) as double)
{%- else %}
max(case when o.ts = o.last_ts then o.gain end)
{%- endif %}
