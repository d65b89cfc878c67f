{#
about = "whether an event with the outcome x counts"
grain = "event"

[options.organic]
about = "the events of items that their user had not been shown before, with unit = user"
topic = "impressions"
default = "drop"
where = { unit = "user" }

[options.organic.values]
drop = "are counted, and left out"
keep = "are relevant like the others"
#}
{% if organic == "keep" %}
{{ x }} in ('credited', 'early', 'organic')
{%- else %}
{{ x }} = 'credited'
{%- endif %}
