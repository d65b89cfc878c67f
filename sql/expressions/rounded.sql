{#
about = "a decimal x as a whole number"
grain = "interaction"

[options.rounding]
about = "how the number of a user's interactions in truth is rounded; shares are decimals, so that 0.1 of 10 is 1"
topic = "cuts"
default = "ceil"
where = { protocol = "last_fraction random users" }

[options.rounding.values]
ceil = "up"
floor = "down"
nearest = "to the nearest number, halves up"
nearest_even = "to the nearest number, halves to the even one, as Python and NumPy do"
train_nearest_even = "train is rounded, to the nearest number, halves to the even one; truth is the rest"
#}
{% set half = "cast(5e-1 as decimal(2, 1))" %}
{% if rounding == "ceil" %}
ceil({{ x }})
{% elif rounding == "floor" %}
floor({{ x }})
{% elif rounding == "nearest" %}
floor({{ x }} + {{ half }})
{% else %}
(floor({{ x }} + {{ half }}) - case when {{ x }} % 2 = {{ half }} then 1 else 0 end)
{% endif %}
