{#
about = "of the texts `x` for each mean over users, in which {name} and others stand for the metric, the one at the place of the row `of`"
#}
case {{ of }}.place
{% for column in user_columns %}{% if column.shown and column.method != "groups" %}
    when {{ column.place }} then {{ x.format(name=column.name, ks=column.ks | join(", "), order=column.order, scored="true" if column.method == "wilson" else "false") }}
{% endif %}{% endfor %}
end
