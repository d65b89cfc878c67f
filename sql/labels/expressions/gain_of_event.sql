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
