{# The call: its options as given and as usual by the preset, also for the metrics that the preset treats differently. #}
[{
    'p': recsql.lines_of(program),
    'sources': sources,
    'slices': slices,
    'ks': ks,
    'wanted': cast(metrics as varchar),
    'as_given': as_given,
    'presets': recsql.presets()
}]
.list_transform(lambda d: struct_insert(
    d,
    lines := list_transform(d['p']['options'], lambda x: string_split(x, '|')),
    preset := lower(d['as_given'][1])
))
.list_transform(lambda d: {
    'p': d['p'],
    'sources': d['sources'],
    'slices': d['slices'],
    'ks': d['ks'],
    'wanted': d['wanted'],
    'as_given': d['as_given'],
    'options': list_transform(d['lines'], lambda x: x[1]),
    'kinds': list_transform(d['lines'], lambda x: x[2]),
    'values': list_transform(d['lines'], lambda x: x[4]),
    'defaults': list_transform(d['lines'], lambda x: case when x[3] <> '' then x[3] end),
    'given': list_transform(
        d['lines'],
        lambda x, i: case x[2]
            when 'choice' then lower(d['as_given'][i])
            when 'number' then recsql.number(d['as_given'][i])
            when 'given' then case when d['as_given'][i] is not null then 'given' end
            when 'table' then case
                when list_contains(string_split(x[4], ' '), lower(d['as_given'][i])) then lower(d['as_given'][i])
                when d['as_given'][i] is not null then 'table'
            end
            else d['as_given'][i]
        end
    ),
    'of_preset': list_transform(d['lines'], lambda x: d['presets'][d['preset'] || ' ' || x[1]]),
    'of_apart': list_transform(d['lines'], lambda x: d['presets'][d['preset'] || ' apart ' || x[1]]),
    'treated': string_split(coalesce(d['presets'][d['preset'] || ' apart'], ''), ' ')
})
.list_transform(lambda d: struct_insert(
    d,
    usual := list_transform(d['defaults'], lambda x, i: coalesce(d['of_preset'][i], x)),
    usual_apart := list_transform(d['defaults'], lambda x, i: coalesce(d['of_apart'][i], d['of_preset'][i], x))
))
.list_transform(lambda d: struct_insert(d, chosen := recsql.chosen(d['options'], d['given'], d['usual'])))
.list_transform(lambda d: {
    'p': d['p'],
    'sources': d['sources'],
    'slices': d['slices'],
    'ks': d['ks'],
    'wanted': d['wanted'],
    'as_given': d['as_given'],
    'options': d['options'],
    'kinds': d['kinds'],
    'values': d['values'],
    'given': d['given'],
    'usual': d['usual'],
    'usual_apart': d['usual_apart'],
    'treated': d['treated'],
    'told': flatten([
        [''],
        recsql.facts_of(d['options'], d['chosen']),
        recsql.above(d['p']['above'], d['options'], d['chosen']),
        list_transform(d['options'], lambda o, i: case when d['given'][i] is not null then 'given ' || o else '' end),
        list_transform(
            d['options'],
            lambda o, i: case when d['given'][i] is not null and d['given'][i] is distinct from d['defaults'][i] then 'unusual ' || o else '' end
        ),
        d['slices']['facts']
    ])
})
.list_transform(lambda d: struct_insert(d, known := recsql.with_rules(d['told'], d['p']['sets'])))
