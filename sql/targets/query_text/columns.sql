{# The metrics of each query as columns: with their options, facts, labels and cut-offs. #}
.list_transform(lambda d: struct_insert(
    d,
    measures := list_transform(d['metrics'], lambda x: {
        'metric': x['metric'],
        'name': x['name'],
        'named': x['named'],
        'shown': x['shown'],
        'ks': recsql.different(x['ks']),
        'usual': case when x['shown'] and list_contains(d['treated'], x['metric']) then d['usual_apart'] else d['usual'] end
    }),
    labels := list_filter(
        list_transform(d['p']['labels'], lambda x: string_split(x, '|')),
        lambda x: d['given'][cast(x[1] as integer)] is not null and recsql.holds(x[3], d['said'])
    )
))
.list_transform(lambda d: struct_insert(
    d,
    described := list_transform(d['measures'], lambda c: struct_insert(
        c,
        options := recsql.chosen(d['options'], d['given'], c['usual']),
        label := '''' || recsql.content(c['metric'] || coalesce(
            '(' || list_aggregate(
                list_concat(
                    ['like=' || d['given'][1]],
                    list_transform(
                        list_filter(d['labels'], lambda x: x[4] = '' or list_contains(string_split(x[4], ' '), c['metric'])),
                        lambda x: x[2] || '=' || case
                            when d['kinds'][cast(x[1] as integer)] = 'number'
                                then recsql.unusual(d['given'][cast(x[1] as integer)], c['usual'][cast(x[1] as integer)])
                            when d['given'][cast(x[1] as integer)] is distinct from c['usual'][cast(x[1] as integer)]
                                then d['given'][cast(x[1] as integer)]
                        end
                    )
                ),
                'string_agg',
                ', '
            ) || ')',
            ''
        )) || ''''
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    known_columns := list_transform(d['described'], lambda c: struct_insert(
        c,
        own := flatten([
            list_filter(recsql.facts_of(d['options'], c['options']), lambda x: starts_with(x, '.')),
            list_filter(d['said'], lambda x: not starts_with(x, '.')),
            ['.metric=' || c['metric'], case when c['shown'] then '.shown' else '' end]
        ])
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    with_sets := list_transform(d['known_columns'], lambda c: struct_insert(c, sets := recsql.with_rules(c['own'], d['p']['sets'])))
))
.list_transform(lambda d: struct_insert(
    d,
    with_facts := list_transform(d['with_sets'], lambda c: struct_insert(c, facts := recsql.with_rules(c['sets'], d['p']['of_metrics'])))
))
.list_transform(lambda d: struct_insert(
    d,
    cut := list_transform(d['with_facts'], lambda c: struct_insert(c, is_cut := len(recsql.under(d['p']['cut'], c['facts'])) > 0)),
    taken := case when len(d['p']['of_users']) > 0 then list_concat(d['p']['of_users'], list_transform(d['with_facts'], lambda c: c['name'])) else [] end
))
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
    'ks': d['ks'],
    'fault': coalesce(
        d['fault'],
        list_transform(
            list_filter(d['cut'], lambda c: c['named'] and c['is_cut'] and list_contains(c['ks'], {{ whole }})),
            lambda c: {{ whole_sentence | indent(16) }}
        )[1],
        list_transform(
            list_filter(d['slices']['titles'], lambda x: list_contains(d['taken'], lower(x))),
            lambda x: {{ by_taken }}
        )[1]
    ),
    'columns': list_filter(
        list_transform(d['cut'], lambda c: {
            'metric': c['metric'],
            'name': c['name'],
            'shown': c['shown'],
            'label': c['label'],
            'options': c['options'],
            'facts': c['facts'],
            'ks': list_filter(c['ks'], lambda x: x < {{ whole }} or not c['is_cut'])
        }),
        lambda c: len(c['ks']) > 0 or len(d['ks']) = 0
    )
})
