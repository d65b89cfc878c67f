{# The options and the metrics of each query. #}
.list_transform(lambda d: struct_insert(
    d,
    chosen := recsql.chosen(d['options'], d['given'], case when d['is_apart'] then d['usual_apart'] else d['usual'] end),
    parts_of_f1 := list_transform(
        ['precision', 'recall'],
        lambda n: case
            when len(list_filter(
                d['metrics'],
                lambda x: x['metric'] = n and not list_has_all(x['ks'], list_filter(d['metrics'], lambda f: f['metric'] = 'f1')[1]['ks'])
            )) > 0 then n || '_2'
            else n
        end
    ),
    own_metrics := list_transform(
        list_filter(d['metrics'], lambda x: list_contains(d['apart'], x['metric']) = d['is_apart']),
        lambda x: {'metric': x['metric'], 'name': x['metric'], 'ks': x['ks'], 'named': x['named'], 'shown': true}
    )
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
    'chosen': d['chosen'],
    'fault': d['fault'],
    'is_apart': d['is_apart'],
    'parts_of_f1': d['parts_of_f1'],
    'asked': list_transform(d['metrics'], lambda x: x['metric']),
    'said': flatten([
        recsql.facts_of(d['options'], d['chosen']),
        recsql.above(d['p']['above'], d['options'], d['chosen']),
        [
            '',
            case
                when len(list_distinct(list_transform(d['metrics'], lambda x: list_contains(d['apart'], x['metric'])))) > 1 then 'several'
                else ''
            end,
            case when d['usual'][list_position(d['options'], 'rank_by')] = 'score' then 'prefers_score' else '' end
        ],
        d['slices']['facts']
    ]),
    'metrics': list_concat(
        d['own_metrics'],
        list_transform(
            list_filter(
                d['parts_of_f1'],
                lambda n: d['chosen'][list_position(d['options'], '.f1_average')] = 'of_means'
                    and list_contains(list_transform(d['own_metrics'], lambda x: x['metric']), 'f1')
                    and not list_contains(list_transform(d['own_metrics'], lambda x: x['name']), n)
            ),
            lambda n: {
                'metric': regexp_replace(n, '_2$', ''),
                'name': n,
                'ks': list_filter(d['metrics'], lambda f: f['metric'] = 'f1')[1]['ks'],
                'named': false,
                'shown': false
            }
        )
    )
})
