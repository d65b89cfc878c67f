{# The hits of two lists: a chain of structs, each computed from the one before. #}
[{
    'recommended': recommended,
    'judged': relevant,
{% if graded %}
    'relevance': cast(relevance as double[]),
{% endif %}
{% if open %}
    'o': options,
{% endif %}
    'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
}]
{% for fields in links %}
.list_transform(lambda l: {
{% if loop.first and open %}
    'options_checked': case when l.o.fault is not null then error(l.o.fault) end,
{% endif %}
{% if loop.first %}
    'lists_checked': recsql.check_lists(l.recommended, l.judged{{ ", l.relevance" if graded }}),
{% endif %}
{% for name, text in fields.items() %}
    '{{ name }}': {{ text | indent }}{{ "," if not loop.last }}
{% endfor %}
})
{% endfor %}
