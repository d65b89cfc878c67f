{#
about = "the further columns of an ORDER BY of interactions t: all others, so that the order of the rows does not matter"
grain = "interaction"
#}
{% for column in others %}, {{ column }} {{ x }} nulls {{ "last" if x == "asc" else "first" }}{% endfor %}
