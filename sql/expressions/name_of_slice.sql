{#
about = "the name of the slice with the number `x`; NULL for all users"
#}
{% if named %}
(select z.name from slices as z where z.slice = {{ x }})
{%- else %}
case {{ x }}{% for one in slices %} when {{ one.place }} then {{ literal(one.name) }}{% endfor %} end
{%- endif %}
