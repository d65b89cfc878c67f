{#
Expressions over an event x of a log: its gain, its outcome and its time.
#}

-- name: duration
{#
about = "a length of time"
grain = "event"
#}
{{ "cast(" ~ literal(x) ~ " as interval)" if named else "interval " ~ literal(x) }}

-- name: end_of_events
{#
about = "the time up to which the events are complete, or, with x, a time at some distance from it"
grain = "event"
#}
{% if named %}
coalesce({{ until }}, (select max(e.ts) from given_events as e)){{ x }}
{%- elif until is none %}
(select max(e.ts){{ x }} from given_events as e)
{%- else %}
{{ sql.time(literal(until)) }}{{ x }}
{%- endif %}

-- name: gain_of_event
{#
about = "the gain of an event x"
grain = "event"

[options.gains]
about = "the gain of each type of event, as click:1,buy:3; or by the surface of the impression, as home/click:1,cart/buy:3; events without a type count 1"
topic = "events"
default = "click:1,buy:3"
type = "gains"

[options.other]
about = "the gain of a type that gains does not name; without it, such a type is an error"
topic = "events"
type = "number"
at_least = 0
#}
{% if named %}
case when {{ x }}.is_typed then coalesce({{ gains.of(x ~ ".type", x ~ ".surface") }}, {{ "0e0" if other is none else double(other) }}) else 1e0 end
{% elif typed %}
coalesce({{ gains.of(x ~ ".type", x ~ ".surface") }}, {{ "0e0" if other is none else double(other) }})
{% else %}
1e0
{% endif %}

-- name: has_label
{#
about = "whether an event with the outcome x counts"
grain = "event"

[options.organic]
about = "with unit = user, events of items that the user had not been shown before"
topic = "impressions"
default = "drop"
where = { unit = "user" }

[options.organic.values]
drop = "they are left out, and counted"
keep = "they count like the others"
#}
{% if organic == "keep" %}
{{ x }} in ('credited', 'early', 'organic')
{%- else %}
{{ x }} = 'credited'
{%- endif %}

-- name: label_key
{#
about = "what is labelled, as columns of x: an item of a request, or of a user"
grain = "event"

[options.unit]
about = "what is labelled, if there are impressions"
topic = "impressions"
default = "request"
where = { impressions = "table" }

[options.unit.values]
request = "the items of each request; evaluate takes a request as a user"
user = "the items of each user, in all their requests"
#}
{{ x }}.{{ "request_id" if by_impression else "user_id" }}, {{ x }}.item_id

-- name: latest_of_event
{#
about = "the latest time that an impression of an event at time x can have"
grain = "event"
#}
{{ x if tolerance == "0 seconds" else x ~ " + " ~ duration(tolerance) }}
