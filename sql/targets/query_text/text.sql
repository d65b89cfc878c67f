{# The text of each query. #}
.list_transform(lambda d: struct_insert(
    d,
    texts := recsql.sections(recsql.texts()),
    given_values := map_concat(d['slices']['vals'], map(
        flatten([
            d['options'],
            list_transform(d['p']['roles'], lambda x: 'source.' || x),
            list_transform(d['p']['roles'], lambda x: 'name.' || x),
            ['order_by as text', 'baseline as text', 'start as text', 'until as text', 'window as text', 'tolerance as text'],
            ['order_by as name', 'cutoffs', 'depth', 'deepest', 'made_of_1', 'made_of_2'],
            list_transform(d['p']['looked_up'], lambda x: 'gain of ' || x)
        ]),
        flatten([
            d['chosen'],
            d['contents'],
            [
                recsql.name(d['chosen'][list_position(d['options'], 'order_by')]),
                recsql.indented(recsql.cutoffs_text(d['ks'])),
                cast(d['ks'][-1] as varchar),
                cast(coalesce(list_max(list_filter(d['ks'], lambda x: x < {{ whole }})), 0) as varchar)
            ],
            d['parts_of_f1'],
            list_transform(d['p']['looked_up'], lambda x: recsql.looked_up(d['chosen'][list_position(d['options'], 'gain_map')], x))
        ])
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    vals := map_concat(
        d['given_values'],
        map_from_entries(list_transform(
            list_transform(recsql.under(d['p']['checks'], d['facts']), lambda x: string_split(x, ': ')),
            lambda x: {'k': x[1], 'v': recsql.parts(d['texts'][x[2]], d['facts'], d['given_values'])}
        ))
    ),
    placed := list_transform(d['columns'], lambda c, i: {
        'natural': d['texts']['metric.' || c['metric']],
        'facts': flatten([d['facts'], c['facts'], [case when i > 1 then '.place>1' else '' end]]),
        'vals': map_concat(
            map_concat(d['given_values'], map(d['options'], c['options'])),
            map {
                '.name': c['name'],
                '.place': cast(i as varchar),
                '.order': cast(list_position(d['asked'], c['metric']) as varchar),
                '.label': c['label'],
                '.ks_text': recsql.joined(c['ks'], ', ')
            }
        )
    })
))
.list_transform(lambda d: {
    'columns': list_transform(d['columns'], lambda c: {'metric': c['metric'], 'name': c['name'], 'label': c['label'], 'shown': c['shown']}),
    'metrics': d['asked'],
    'is_apart': d['is_apart'],
    'fault': d['fault'],
    'facts': d['facts'],
    'vals': d['vals'],
    'filled': list_transform(d['placed'], lambda c: {
        'facts': c['facts'],
        'vals': map_concat(
            c['vals'],
            map {'.natural': replace(recsql.parts(c['natural'], c['facts'], c['vals']), chr(10), chr(10) || '        ')}
        )
    }),
    'text': concat(
        '{{ open }}{{ close }}with', chr(10),
        recsql.joined(list_transform(recsql.under(d['p']['steps'], d['facts']), lambda x: d['texts'][x]), '{{ open }}{{ close }},' || chr(10) || chr(10)),
        '{{ open }}{{ close }}', chr(10), chr(10),
        d['texts'][d['p']['last'][1]]
    )
})
.list_transform(lambda d: {
    'columns': d['columns'],
    'metrics': d['metrics'],
    'is_apart': d['is_apart'],
    'facts': d['facts'],
    'vals': d['vals'],
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else recsql.filled(d['text'], d['facts'], d['vals'], d['filled'])
    end
})
