{#
about = "the sentence about the first of the `columns` whose values, from `least` to `most`, are beyond its bounds, or NULL; {} is the name of the column"
also = "item rating pair"
#}
{% set place = place | default("") %}
{% set bounded = columns | selectattr("header.bounds") | selectattr("shown") | list %}
{% if bounded %}
case
{% for column in bounded %}
{% set beyond = column.beyond_bounds(least, most) %}
    when {{ place ~ " = " ~ column.place ~ " and (" ~ beyond ~ ")" if place else beyond }}
        then {{ sentence_of("beyond_bounds", metric=literal(column.label), least=least.format(column.name), most=most.format(column.name), bounds=literal(column.bounds), file=literal(column.metric)) | indent(8) }}
{% endfor %}
end
{% else %}
{{ sql.text("null") }}
{% endif %}
