{#
about = "the recommended items that count, without gaps"
needs = ["recommended", "judged if judged_only == 'true'"]
#}
{% set is_judged = "list_contains(l.judged, x)" if judged_only == "true" else "true" %}
{% set is_the_copy %}
{% if duplicates == "first" %}
list_position(l.recommended, x) = i
{% elif duplicates == "last" %}
not list_contains(l.recommended[i + 1:], x)
{% else %}
true
{% endif %}
{% endset %}
{% if judged_only == "true" or duplicates in ["first", "last"] %}
list_filter(l.recommended, lambda x, i: {{ is_judged }} and {{ is_the_copy | trim }})
{% else %}
l.recommended
{% endif %}
