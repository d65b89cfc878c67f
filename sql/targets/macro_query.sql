{# The query of a call. #}
{% if joined %}
list_transform([
{% endif %}
recsql.texts_of(
    recsql.{{ name }}_program(),
    [{{ sources | join(", ") }}],
    {{ ks }},
    {{ metrics }},
    [
    {{ given }}
    ],
    {{ slices }}
)
{%- if joined %}
], lambda q: recsql.joined_{{ joined }}(q))[1]
{%- else %}
[1]['text']
{%- endif %}
