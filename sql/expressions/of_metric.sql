{#
about = "the text `x`, with {name} and others for the metric, of the mean over users at the place of the row `of`"
#}
case {{ of }}.place
{% for column in user_columns %}{% if column.shown and column.method != "groups" %}
    when {{ column.place }} then {{ x.format(name=column.name, ks=column.ks | join(", "), order=column.order, scored="true" if column.method == "wilson" else "false") }}
{% endif %}{% endfor %}
end
