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
