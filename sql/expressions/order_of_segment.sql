{#
about = "the place of the segment of a row `x` among the ranges or quantiles of its slice, before a comma; empty if no column is cut"
#}
{% if slices | selectattr("labels") | list %}
case {{ x }}.slice{% for one in slices %}{% if one.labels %}

        when {{ one.place }} then case {{ x }}.segment{% for label in one.labels %} when {{ literal(label) }} then {{ loop.index }}{% endfor %} end{% endif %}{% endfor %}

    end asc nulls last,
{{ "    " }}
{%- endif %}
