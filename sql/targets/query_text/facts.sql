{# The facts of each query, and what follows from them. #}
.list_transform(lambda d: {
    'p': d['p'],
    'sources': d['sources'],
    'slices': d['slices'],
    'options': d['options'],
    'chosen': d['chosen'],
    'asked': d['asked'],
    'is_apart': d['is_apart'],
    'parts_of_f1': d['parts_of_f1'],
    'said': d['said'],
    'columns': d['columns'],
    'fault': d['fault'],
    'ks': list_sort(
        list_distinct(case when len(d['p']['metrics']) = 0 then d['ks'] else flatten(list_transform(d['columns'], lambda c: c['ks'])) end),
        'ASC'
    )
})
.list_transform(lambda d: struct_insert(
    d,
    first := flatten([
        d['said'],
        [
            case when list_contains(d['ks'], {{ whole }}) then 'uncut' else '' end,
            case
                when len(list_distinct(list_transform(list_filter(d['columns'], lambda c: c['shown']), lambda c: c['ks']))) > 1 then 'ks_differ'
                else ''
            end
        ],
        list_filter(
            d['p']['of_any'],
            lambda x: len(list_filter(d['columns'], lambda c: recsql.holds(replace(x[5:-2], ', ', ' & '), c['facts']))) > 0
        )
    ]),
    contents := list_transform(
        flatten([
            list_transform(d['sources'], lambda x: recsql.relation(x)),
            d['sources'],
            list_transform(['order_by', 'baseline', 'start', 'until', 'window', 'tolerance'], lambda x: d['chosen'][list_position(d['options'], x)])
        ]),
        lambda x: recsql.content(x)
    )
))
.list_transform(lambda d: struct_insert(
    d,
    facts := list_reduce(
        [d['first'], d['p']['sets']{% for level in range(1, levels + 1) %}, d['p']['rules.{{ level }}']{% endfor %}],
        lambda facts, rules: recsql.with_rules(facts, rules)
    )
))
