{#
about = "the sentence on the first of the `columns` with values (`least` to `most`) beyond its bounds, or NULL; {} stands for the column's name"
also = "item rating pair"
#}
{% set bounded = columns | selectattr("header.bounds") | selectattr("shown") | list %}
{% if bounded %}
case
{% for column in bounded %}
{% set above = most.format(column.name) ~ " > " ~ column.bounds[1] ~ " + 1e-9 or " if column.bounds | length > 1 else "" %}
{% set beyond = above ~ least.format(column.name) ~ " < " ~ column.bounds[0] ~ " - 1e-9" %}
{% set bounds = column.header.bounds | join(" to ") if above else "of " ~ column.header.bounds[0] ~ " and above" %}
{% set told = sentence_of("beyond_bounds", metric=literal(column.label), least=least.format(column.name), most=most.format(column.name), bounds=literal(bounds), file=literal(column.metric)) %}
    when {{ place ~ " = " ~ column.place ~ " and (" ~ beyond ~ ")" if place is defined else beyond }}
        then
            {{ (sql.error("coalesce((select p.message from problems as p), " ~ told ~ ")") if failing is defined else told) | indent(12) }}
{% endfor %}
end
{% else %}
{{ sql.text("null") }}
{% endif %}
