{#
about = "a condition that fails with a sentence if the values of one of the `columns` are beyond its bounds, from `least` to `most`; {} is the name of the column"
also = "item rating pair"
#}
{% set place = place | default("") %}
{% set bounded = columns | selectattr("header.bounds") | selectattr("shown") | list %}
{% if bounded %}
case
{% for column in bounded %}
{% set beyond = column.beyond_bounds(least, most) %}
    when {{ place ~ " = " ~ column.place ~ " and (" ~ beyond ~ ")" if place else beyond }}
        then {{ refusal("beyond_bounds", metric=literal(column.label), least=least.format(column.name), most=most.format(column.name), bounds=literal(column.bounds), file=literal(column.metric)) | indent(8) }}
{% endfor %}
end is null
{% else %}
true
{% endif %}
