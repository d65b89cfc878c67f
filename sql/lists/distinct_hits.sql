{#
about = "distinct relevant items in the top k"
needs = ["found", "k if deep"]
#}
{% if duplicates == "count" %}
list_unique(list_transform({{ found_at_k }}, lambda h: h.place))
{% else %}
len({{ found_at_k }})
{% endif %}
