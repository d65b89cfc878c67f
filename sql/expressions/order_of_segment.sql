{#
about = "the place of the segment of a row `x` among the ranges or quantiles of its slice, before a comma; nothing if no column is cut"
#}
{% set cut = slices | selectattr("labels") | list %}
{% if cut %}
case {{ x }}.slice
{% for one in cut %}
        when {{ one.place }} then case {{ x }}.segment{% for label in one.labels %} when {{ literal(label) }} then {{ loop.index }}{% endfor %} end
{% endfor %}
    end asc nulls last,
{{ "    " }}
{%- endif %}
