{# A metric of two lists, computed from their hits: first its statistics, then the metric. #}
.list_transform(lambda l: {
{% for name, text in fields.items() %}
    '{{ name }}': {{ text | indent }}{{ "," if not loop.last }}
{% endfor %}
})
.list_transform(lambda s: case when s.relevant > 0 then {{ metric }} end)[1]
