{#
about = "the place of the segment of a row `x` among the ranges or quantiles of its slice, before a comma; nothing if no column is cut"
#}
{% if with_order %}
case {{ x }}.slice{% for one in slices %}{% if one.is_ordered %}

        when {{ one.place }} then case {{ x }}.segment{% for label in one.labels %} when {{ literal_of(label.text) }} then {{ label.place }}{% endfor %} end{% endif %}{% endfor %}

    end asc nulls last,
{{ "    " }}
{%- endif %}
