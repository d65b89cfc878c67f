{# The hits of two lists: a chain of structs, each computed from the one before. #}
[{
    'recommended': recommended,
    'judged': relevant,
{% if inputs.graded %}
    'relevance': cast(relevance as double[]),
{% endif %}
    'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end{{ "," if options.parameters }}
{% if options.parameters %}
    'o': options
{% endif %}
}]
{% for fields in links %}
.list_transform(lambda l: {
{% if loop.first %}
{% if options.parameters %}
    'options_checked': case when l.o.fault is not null then error(l.o.fault) end,
{% endif %}
    'lists_checked': recsql.check_lists(l.recommended, l.judged{{ ", l.relevance" if inputs.graded }}),
{% endif %}
{% for name, text in fields.items() %}
    '{{ name }}': {{ text | indent }}{{ "," if not loop.last }}
{% endfor %}
})
{% endfor %}
