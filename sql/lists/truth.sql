{#
about = "the judged items in order, with NULL for each item that is not relevant"
needs = ["judged", "relevance if graded"]
#}
{% set relevance = "coalesce(l.relevance[j], 1e0)" if graded else "1e0" %}
{% if relevance_threshold is not none or rated %}
list_transform(l.judged, lambda x, j: case when {{ is_relevant(relevance) }} then x end)
{% else %}
l.judged
{% endif %}
