{# The macro that joins the queries of a call. #}
-- the query of {{ target }}, or its two queries joined
create or replace macro recsql.joined_{{ target }}(queries) as
    list_transform(
        list_transform([queries], lambda q: {
            'text': q[1]['text'],
            'is_one': len(q) = 1,
            'facts': list_concat(q[1]['facts'], [case when list_contains(q[2]['facts'], 'uncut') then 'uncut' else '' end, case when len(q) = 1 then 'one' else '' end]),
            'vals': map_concat(q[1]['vals'], map {
{% for place in (1, 2) %}
                'query.{{ place }}': {{ indented[0] }}q[{{ place }}]['text']{{ indented[1] }},
{% endfor %}
                'ordinary': case when q[1]['is_apart'] then '2' else '1' end,
                'other': case when q[1]['is_apart'] then '1' else '2' end
            }),
            'columns': list_transform(recsql.numbered(q), lambda c: {
                'facts': [''],
                'vals': map {'.number': cast(c['number'] as varchar), '.title': c['title'], '.order': cast(c['order'] as varchar), '.label': c['label']}
            })
        }),
        lambda j: {{ "case when j['is_one'] then j['text'] else " if not always }}recsql.filled(
$${{ text }}$$,
            j['facts'],
            j['vals'],
            j['columns']
        ){{ " end" if not always }}
    )[1];
