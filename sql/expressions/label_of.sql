{#
about = "the label of a pair with the rating `x`: 1 or 0"
grain = "rating"

[options.threshold]
about = "the lowest rating that counts as the label 1; by default, every rating must be 0 or 1"
topic = "ratings"
type = "number"
#}
{% if threshold is none %}
{{ x }}
{% else %}
case when {{ x }} >= {{ double(threshold) }} then 1e0 else 0e0 end
{% endif %}
