{#
The macros that read the option `by` of a call. Its slices under way are a struct `d`, as those of a query in macro_text.sql.

SQL has to read `by` itself, because a macro knows it only when it is called; the patterns and sentences are those of Python.
An entry of a list, such as a column, has facts and values: a text is repeated for each entry, as for the metrics.
#}
-- what texts repeat for the slices of a call, and for what these consist of, by name
create or replace macro recsql.loops() as
$$
{{ loops }}$$;

-- what a call without slices has instead
create or replace macro recsql.no_slices() as
    {'facts': [''], 'vals': map {'activity': ''}, 'fault': cast(null as varchar), 'titles': cast([] as varchar[])};

-- a text without the blanks around it
create or replace macro recsql.bare(x) as
    trim(x, ' ' || chr(9) || chr(10) || chr(13));

-- the slices in a text, or in a list of texts
create or replace macro recsql.slice_names(given) as
    list_transform(
        coalesce(union_extract(given, 'names'), regexp_extract_all(',' || union_extract(given, 'name'), '{{ after_comma }}', 1), []),
        lambda x: recsql.joined(list_transform(string_split_regex(recsql.bare(coalesce(x, '')), '{{ crossed }}'), lambda p: recsql.bare(p)), ' x ')
    );

-- the end of a range, as people write it
create or replace macro recsql.end_of_range(x) as
    regexp_replace(cast(x as varchar), '[.]0$', '');

-- the segments of whole numbers below each end of a range
create or replace macro recsql.whole_ranges(ends) as
    list_transform(
        list_transform(ends, lambda e, i: {'low': cast(coalesce(ends[i - 1], 0e0) as hugeint), 'high': cast(e as hugeint) - 1}),
        lambda r: case when r['low'] < r['high'] then cast(r['low'] as varchar) || '-' else '' end || cast(r['high'] as varchar)
    );

-- the texts of the loops over a list, each repeated for the entries of the list
create or replace macro recsql.repeated(texts, list, entries) as
    map_from_entries(list_transform(
        list_filter(map_keys(texts), lambda n: starts_with(n, list)),
        lambda n: {'k': n, 'v': recsql.joined(list_transform(entries, lambda e: recsql.parts(texts[n], e['facts'], e['vals'])), '')}
    ));

-- the slices of a call: facts, values for texts, the sentence for what is wrong with them, else NULL, and their columns in per_user
create or replace macro recsql.slices_in(given, by_table, with_train) as
    [{
        'given': recsql.slice_names(given),
        'said': coalesce(
            '''' || union_extract(given, 'name') || '''',
            '[' || recsql.joined(list_transform(union_extract(given, 'names'), lambda x: '''' || x || ''''), ', ') || ']'
        ),
        'is_given': union_extract(given, 'name') is not null or union_extract(given, 'names') is not null,
        'by_table': by_table,
        'with_train': with_train,
        'texts': recsql.sections(recsql.loops())
    }]
    .list_transform(lambda d: struct_insert(
        d,
        parts := flatten(list_transform(
            d['given'],
            lambda x, i: list_transform(string_split_regex(x, '{{ crossed }}'), lambda p, j: {
                'slice': i,
                'place': j,
                'part': p,
                'column': case when regexp_full_match(p, '{{ cut }}') then regexp_extract(p, '^{{ cut }}$', 1) else p end,
                'cut': case when regexp_full_match(p, '{{ cut }}') then recsql.bare(regexp_extract(p, '^{{ cut }}$', 2)) end
            })
        ))
    ))
    .list_transform(lambda d: struct_insert(
        d,
        names := recsql.different(list_transform(d['parts'], lambda p: lower(p['column']))),
        cut := list_transform(d['parts'], lambda p: struct_insert(
            p,
            is_activity := p['column'] = '{{ activity }}',
            quantiles := case when regexp_full_match(p['cut'], '{{ quantiles }}') then cast(p['cut'][2:] as integer) end,
            ends := case
                when p['column'] = '{{ activity }}' and p['cut'] is null then [{{ bands }}]
                when p['cut'] is null or regexp_full_match(p['cut'], '{{ quantiles }}') then []
                else list_transform(string_split(p['cut'], ','), lambda x: try_cast(x as double))
            end
        ))
    ))
    .list_transform(lambda d: struct_insert(
        d,
        faults := list_transform(d['cut'], lambda p: case
            when p['quantiles'] not between 2 and {{ most_quantiles }} then {{ said("by_quantiles", part="p['part']") }}
            when len(list_filter(p['ends'], lambda e, i: coalesce(isfinite(e) and (i = 1 or e > p['ends'][i - 1]), false))) < len(p['ends'])
                then {{ said("by_ends", part="p['part']") }}
            when p['is_activity'] and (p['quantiles'] is not null or p['ends'][1] < 1 or len(list_filter(p['ends'], lambda e: e % 1 <> 0)) > 0)
                then {{ said("by_activity", part="p['part']") }}
        end)
    ))
    .list_transform(lambda d: struct_insert(
        d,
        keys := list_transform(
            list_filter(d['cut'], lambda p: len(list_filter(d['faults'], lambda x: x is not null)) = 0),
            lambda p: {
                'slice': p['slice'],
                'place': p['place'],
                'column': p['column'],
                'ours': 'segment_' || list_position(d['names'], lower(p['column'])),
                'is_activity': p['is_activity'],
                'quantiles': p['quantiles'],
                'ends': p['ends'],
                'labels': case
                    when p['quantiles'] is not null then list_transform(
                        range(1, p['quantiles'] + 1),
                        lambda n: 'q' || lpad(cast(n as varchar), cast(len(cast(p['quantiles'] as varchar)) as integer), '0')
                    )
                    when len(p['ends']) = 0 then []
                    when p['is_activity'] then list_append(recsql.whole_ranges(p['ends']), recsql.end_of_range(p['ends'][-1]) || '+')
                    else list_append(
                        list_transform(
                            p['ends'],
                            lambda e, i: case when i > 1 then recsql.end_of_range(p['ends'][i - 1]) || ' to ' else '' end || '< ' || recsql.end_of_range(e)
                        ),
                        recsql.end_of_range(p['ends'][-1]) || '+'
                    )
                end
            }
        )
    ))
    .list_transform(lambda d: struct_insert(
        d,
        with_activity := len(list_filter(d['keys'], lambda k: k['is_activity'])) > 0,
        entries := list_transform(d['keys'], lambda k: {
            'slice': k['slice'],
            'ours': k['ours'],
            'ends': k['ends'],
            'labels': k['labels'],
            'quantiles': k['quantiles'],
            'facts': [
                '',
                case when k['place'] > 1 then '.place>1' else '' end,
                case when k['quantiles'] is not null then '.by_quantiles' else '' end,
                case when len(k['ends']) > 0 then '.by_ranges' else '' end,
                case when k['is_activity'] then '.is_activity' else '' end
            ],
            'vals': map {
                '.ours': k['ours'],
                '.quantiles': cast(k['quantiles'] as varchar),
                '.digits': cast(len(cast(k['quantiles'] as varchar)) as varchar),
                '.last as text': recsql.content(k['labels'][-1])
            }
        })
    ))
    .list_transform(lambda d: struct_insert(
        d,
        of_keys := list_transform(d['entries'], lambda k: {
            'slice': k['slice'],
            'facts': k['facts'],
            'vals': map_concat(k['vals'], recsql.repeated(d['texts'], '.ranges.', list_transform(k['ends'], lambda e, i: {
                'facts': k['facts'],
                'vals': map_concat(k['vals'], map {'.end': recsql.real(e), '.segment as text': recsql.content(k['labels'][i])})
            })))
        }),
        of_quantiles := list_transform(
            list_filter(
                d['entries'],
                lambda k, i: k['quantiles'] is not null
                    and list_position(list_transform(d['entries'], lambda o: o['ours'] || ' ' || o['quantiles']), k['ours'] || ' ' || k['quantiles']) = i
            ),
            lambda k, i: {'facts': ['', case when i > 1 then '.place>1' else '' end], 'vals': k['vals']}
        ),
        slices := list_transform(
            list_transform(d['given'], lambda x, i: {'name': x, 'keys': list_filter(d['keys'], lambda k: k['slice'] = i)}),
            lambda s, i: {
                'place': i,
                'name': s['name'],
                'is_crossed': len(s['keys']) > 1,
                'labels': case when len(s['keys']) = 1 then s['keys'][1]['labels'] else [] end,
                'otherwise': case
                    when len(list_filter(s['keys'], lambda k: k['is_activity'])) > 0
                        then recsql.joined(list_transform(s['keys'], lambda k: case when k['is_activity'] then k['labels'][1] else '{{ without }}' end), ' / ')
                end
            }
        ),
        columns := list_transform(
            list_filter(d['keys'], lambda k, i: not k['is_activity'] and list_position(list_transform(d['keys'], lambda o: o['ours']), k['ours']) = i),
            lambda k: {
                'ours': k['ours'],
                'column': k['column'],
                'is_cut': len(list_filter(d['keys'], lambda o: o['ours'] = k['ours'] and len(o['labels']) > 0)) > 0,
                'is_crossed': len(list_filter(
                    d['keys'],
                    lambda o: o['ours'] = k['ours'] and len(o['labels']) = 0 and len(list_filter(d['keys'], lambda b: b['slice'] = o['slice'])) > 1
                )) > 0
            }
        )
    ))
    .list_transform(lambda d: struct_insert(
        d,
        titles := list_transform(d['slices'], lambda s: case when regexp_full_match(s['name'], '{{ plain }}') then s['name'] else recsql.name(s['name']) end),
        of_columns := list_transform(d['columns'], lambda c, i: {
            'facts': [
                '',
                case when d['by_table'] then 'by_table' else '' end,
                case when i > 1 then '.place>1' else '' end,
                case when c['is_cut'] then '.is_cut' else '' end,
                case when c['is_crossed'] then '.is_crossed' else '' end
            ],
            'vals': map {'.ours': c['ours'], '.column as text': recsql.content(c['column']), '.quoted': recsql.name(c['column'])}
        })
    ))
    .list_transform(lambda d: struct_insert(
        d,
        of_slices := list_transform(d['slices'], lambda s, i: {
            'facts': [
                '',
                case when d['by_table'] then 'by_table' else '' end,
                case when d['with_activity'] then 'by_activity' else '' end,
                case when i > 1 then '.place>1' else '' end,
                case when s['is_crossed'] then '.is_crossed' else '' end,
                case when len(s['labels']) > 0 then '.is_ordered' else '' end,
                case when s['otherwise'] is null then '.otherwise=' else '' end
            ],
            'vals': map_concat(
                map {
                    '.place': cast(i as varchar),
                    '.name as text': recsql.content(s['name']),
                    '.title': d['titles'][i],
                    '.otherwise as text': recsql.content(s['otherwise'])
                },
                map_concat(
                    recsql.repeated(d['texts'], '.keys.', list_filter(d['of_keys'], lambda k: k['slice'] = i)),
                    recsql.repeated(d['texts'], '.labels.', list_transform(s['labels'], lambda l, j: {
                        'facts': [''],
                        'vals': map {'.place': cast(j as varchar), '.text as text': recsql.content(l)}
                    }))
                )
            )
        })
    ))
    .list_transform(lambda d: {
        'facts': [
            '',
            case when len(d['columns']) > 0 then 'with_columns' else '' end,
            case when d['with_activity'] then 'with_activity' else '' end,
            case when len(d['of_quantiles']) > 0 then 'with_quantiles' else '' end,
            case when len(list_filter(d['columns'], lambda c: c['is_cut'])) > 0 then 'with_cuts' else '' end,
            case when len(list_filter(d['columns'], lambda c: c['is_crossed'])) > 0 then 'with_crossed' else '' end,
            case when len(list_filter(d['slices'], lambda s: len(s['labels']) > 0)) > 0 then 'with_order' else '' end
        ],
        'vals': map_concat(
            map {'activity': coalesce(list_filter(d['keys'], lambda k: k['is_activity'])[1]['ours'], '')},
            map_concat(
                recsql.repeated(d['texts'], '.slices.', d['of_slices']),
                map_concat(recsql.repeated(d['texts'], '.columns.', d['of_columns']), recsql.repeated(d['texts'], '.quantiles.', d['of_quantiles']))
            )
        ),
        'fault': coalesce(
            case when d['is_given'] and (len(d['given']) = 0 or list_contains(d['given'], '')) then {{ said("by_names", found="d['said']") }} end,
            list_transform(
                list_filter(d['given'], lambda x, i: len(list_filter(d['given'], lambda y: lower(y) = lower(x))) > 1),
                lambda x: {{ said("by_twice", name="x") }}
            )[1],
            list_filter(d['faults'], lambda x: x is not null)[1],
            case when len(d['names']) > {{ most_columns }} then {{ said("by_many", found="len(d['names'])") }} end,
            list_transform(
                list_filter(d['given'], lambda x: recsql.content(x) <> replace(x, '''', '''''')),
                lambda x: {{ said("by_broken", name="x") }}
            )[1],
            case when d['with_activity'] and not d['with_train'] then {{ said("by_train") }} end
        ),
        'titles': d['titles']
    })[1];
