{#
about = "the mean precision at the hits, if the cut-off separates tied items"
over = "splits"
needs = ["harmonics"]
#}
{% set precision = "coalesce(y.precision, 0e0)" %}
{% if ties == "best" %}
max({{ precision }})
{% elif ties == "worst" %}
min({{ precision }})
{% else %}
({{ sql.exact_sum("y.weight * " ~ precision) }}) / ({{ sql.exact_sum("y.weight") }})
{% endif %}
