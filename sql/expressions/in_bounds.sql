{#
about = "true, or an error if a row has a value beyond the bounds of its metric; whatever else is wrong comes first"
also = "item rating pair"
#}
{% set beyond = beyond_bounds(columns=columns, least=least, most=most, place=place | default("")) %}
case
    when {{ beyond | indent(9) }} is not null
        then {{ sql.error("coalesce((select p.message from problems as p), " ~ beyond ~ ")") | indent(8) }}
end is null
