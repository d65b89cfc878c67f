{# The metrics of the call, each with its text and its own cut-off: those wanted, or the usual ones that can be computed. #}
.list_transform(lambda d: struct_insert(
    d,
    available := recsql.under(d['p']['available'], d['known']),
    apart := recsql.under(d['p']['apart'], d['known']),
    names := recsql.metric_names()
))
.list_transform(lambda d: struct_insert(
    d,
    texts := flatten(list_transform(
        coalesce(
            regexp_extract_all(d['wanted'], '[^\[\], '']+'),
            list_filter(d['p']['usual_metrics'], lambda x: list_contains(d['available'], x))
        ),
        lambda x: list_transform(
            case when lower(x) = 'all' then d['available'] else [x] end,
            lambda y: {'text': y, 'named': d['wanted'] is not null and lower(x) <> 'all'}
        )
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    asked := list_transform(
        recsql.parsed(d['texts'], d['given'][1], d['names']),
        lambda x: {'text': x['text'], 'named': x['named'], 'metric': x['metric'], 'k': case when x['at'] is not null then recsql.cutoff(x['at']) end}
    )
))
.list_transform(lambda d: struct_insert(
    d,
    known_of_metrics := list_concat(d['known'], list_transform(d['asked'], lambda x: '.metric=' || x['metric'])),
    asked_once := recsql.different(list_transform(d['asked'], lambda x: x['metric']))
))
.list_transform(lambda d: {
    'p': d['p'],
    'sources': d['sources'],
    'slices': d['slices'],
    'ks': d['ks'],
    'options': d['options'],
    'kinds': d['kinds'],
    'given': d['given'],
    'usual': d['usual'],
    'usual_apart': d['usual_apart'],
    'treated': d['treated'],
    'apart': d['apart'],
    'fault': recsql.fault_of(d),
    'metrics': list_transform(d['asked_once'], lambda n: {
        'metric': n,
        'named': len(list_filter(d['asked'], lambda x: x['metric'] = n and x['named'])) > 0,
        'ks': flatten(list_transform(
            d['asked'],
            lambda x: case when x['metric'] <> n then [] when x['k'] is null then d['ks'] else [x['k']] end
        ))
    })
})
