{# A metric of two lists, computed from their hits; first its statistics, if their texts are not in the metric's own. #}
{% if fields %}
.list_transform(lambda l: {
{% for name, text in fields.items() %}
    '{{ name }}': {{ text | indent }}{{ "," if not loop.last }}
{% endfor %}
})
{% endif %}
.list_transform(lambda {{ "s" if fields else "l" }}: {{ metric }})[1]
