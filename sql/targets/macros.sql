{# The macro file. `macros` are the rendered macros; the helpers come first. #}
-- recsql {{ version }}: recommender and ranking metrics in SQL, for DuckDB 1.4 or newer.
-- In the shell: .read recsql.sql
-- then:         from recsql.evaluate('recs.parquet', 'truth.parquet', k := [5, 10]);
-- Rendered from the templates in the same folder. duckdb_functions() lists the macros, with comments.

-- DuckDB 1.4 can't bind an argument of a macro that is a lambda over the parameter of another one: such an argument is a field first.
begin transaction;

create schema if not exists recsql;

-- the name of a table, a view or a CTE unchanged; a path in quotes, so that its dots do not separate schemas
create or replace macro recsql.relation(name) as
    case
        when name[1] <> '"'
            and (contains(name, '/') or contains(name, '*') or regexp_matches(lower(name), '[.](parquet|pq|csv|tsv|json|jsonl|ndjson)([.]gz)?$'))
            then '"' || replace(name, '"', '""') || '"'
        else name
    end;

-- the texts in xs as one; array_to_string() is a macro that has its list twice, so that DuckDB would bind nested ones many times
create or replace macro recsql.joined(xs, separator) as
    coalesce(list_aggregate(xs, 'string_agg', separator), '');

-- the cut-offs in k, each as text; k is a list, a number or text
create or replace macro recsql.cutoffs(k) as
    string_split_regex(trim(coalesce(cast(k as varchar), 'none'), '[] '), ' *, *');

-- the cut-offs, or an error if there are too many
create or replace macro recsql.few(cutoffs) as
    case when len(cutoffs) <= {{ most_cutoffs }} then cutoffs else error({{ count_sentence }}) end;

-- one cut-off as a number, or an error
create or replace macro recsql.cutoff(k) as
    case
        when lower(k) = 'all' then {{ whole }}
        when try_cast(k as double) between 1 and {{ most }} and try_cast(k as double) = floor(try_cast(k as double))
            then cast(try_cast(k as double) as bigint)
        else error({{ cutoff_sentence }})
    end;

-- the different values of a list, in their order
create or replace macro recsql.different(xs) as
    case when len(list_distinct(xs)) = len(xs) then xs else list_filter(xs, lambda y, j: list_position(xs, y) = j) end;

-- the different cut-offs in k, in their order; 'all', the whole list, is a number larger than any rank
create or replace macro recsql.ks(k) as
    list_transform([list_transform(recsql.few(recsql.cutoffs(k)), lambda x: recsql.cutoff(x))], lambda ks: recsql.different(ks))[1];

-- the query for the cut-offs; DuckDB 1.x can't take a union of a thousand
create or replace macro recsql.cutoffs_text(ks) as
    case
        when len(ks) > {{ few }} then 'select c.k' || chr(10) || 'from (values ' || recsql.joined(list_transform(ks, lambda x: '(' || x || ')'), ', ') || ') as c (k)'
        else recsql.joined(list_transform(ks, lambda x: 'select ' || x || ' as k'), chr(10) || 'union all' || chr(10))
    end;

-- the name of a type of ids; integers of any width have the same name
create or replace macro recsql.id_type(name) as
    regexp_replace(name, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER');

-- one row per item of the LIST column items, in list order, with scores and relevance if there are any
create or replace macro recsql.unnest_lists(lists) as table
    select
        l.model,
        l.user_id,
        unnest(
            case
                when typeof(l.items) like '%]' then l.items
                else error(lists || ': there is no LIST column items; rename the LIST of ids to items, in a view or a CTE')
            end
        ) as item_id,
        generate_subscripts(l.items, 1) as rank,
        unnest(l.scores) as score,
        unnest(
            case
                when typeof(l.relevance) = '"NULL"' then list_transform(l.items, lambda x: 1e0)
                else l.relevance
            end
        ) as relevance
    from (
        from query_table(recsql.relation(lists))
        union all by name
        select null::varchar as model, null as user_id, null as items, null::double[] as scores, null as relevance
        where false
    ) as l;

{% set file = "file" %}
-- a run in TREC format as recommendations: topic, Q0, document, rank, score, name
create or replace macro recsql.read_trec_run(file) as table
{% filter indent(4, first=true) %}{% include "targets/trec_run.sql" %}{% endfilter %};

-- judgements in TREC format as truth: topic, iteration, document, relevance
create or replace macro recsql.read_trec_qrels(file) as table
{% filter indent(4, first=true) %}{% include "targets/trec_qrels.sql" %}{% endfilter %};

-- the content of an SQL literal: quotes doubled, line breaks written as chr()
create or replace macro recsql.content(x) as
    recsql.joined(
        list_transform(
            string_split(x, ''),
            lambda c: case
                when c = '''' then ''''''
                when regexp_matches(c, '[\n-\r\x{1c}-\x{1f}\x{85}\x{2028}\x{2029}]') then ''' || chr(' || unicode(c) || ') || '''
                else c
            end
        ),
        ''
    );

-- the name of a column as SQL
create or replace macro recsql.name(x) as
    '"' || replace(x, '"', '""') || '"';

-- a text with its lines after the first indented
create or replace macro recsql.indented(x) as
    replace(replace(x, chr(10), chr(10) || '    '), chr(10) || '    ' || chr(10), chr(10) || chr(10));

-- a double as an SQL literal; without an exponent it would be a decimal
create or replace macro recsql.real(x) as
    case when contains(cast(x as varchar), 'e') or not isfinite(x) then cast(x as varchar) else cast(x as varchar) || 'e0' end;

-- a number in text as an SQL literal; a fraction is a double
create or replace macro recsql.number(x) as
    case when regexp_full_match(x, '-?[0-9]+') then x else recsql.real(cast(x as double)) end;

-- a point in time as SQL: a number, or a date or time
create or replace macro recsql.moment(x) as
    case when try_cast(x as double) is not null then recsql.number(x) when x is not null then 'cast(''' || recsql.content(x) || ''' as timestamp)' end;

-- a length of time as SQL: a number, or a duration
create or replace macro recsql.span(x) as
    case when try_cast(x as double) is not null then recsql.number(x) when x is not null then 'interval ''' || recsql.content(x) || '''' end;

-- a number that is not the usual one, as people write it
create or replace macro recsql.unusual(x, usual) as
    case when cast(x as double) is distinct from cast(usual as double) then regexp_replace(x, 'e0$', '') end;

-- a map of numbers as text, such as 1:1.0 2:3.5
create or replace macro recsql.pairs(x) as
    list_aggregate(
        list_transform(
            map_entries(cast(x as map(double, double))),
            lambda o: regexp_replace(cast(o['key'] as varchar), '[.]0$', '') || ':' || cast(o['value'] as varchar)
        ),
        'string_agg',
        ' '
    );

-- the CASE that gives the value of such a map for x
create or replace macro recsql.looked_up(pairs, x) as
    case
        when coalesce(pairs, '') = '' then 'cast(null as double)'
        else 'case ' || x || ' ' || recsql.joined(
            list_transform(
                string_split(pairs, ' '),
                lambda p: 'when ' || recsql.real(cast(string_split(p, ':')[1] as double)) || ' then ' || recsql.real(cast(string_split(p, ':')[2] as double))
            ),
            ' '
        ) || ' end'
    end;

-- the gains of types of events as text: JSON, or as it was given
create or replace macro recsql.gains_text(x) as
    case when typeof(x) = 'VARCHAR' then cast(x as varchar) else cast(to_json(x) as varchar) end;

-- the types with their gains in a text such as click:1,buy:3
create or replace macro recsql.gains_in_pairs(x) as
    list_transform(
        string_split(x, ','),
        lambda p: {
            'key': regexp_extract(trim(p), '^(.*):([^:]*)$', 1),
            'value': try_cast(regexp_extract(trim(p), '^(.*):([^:]*)$', 2) as double)
        }
    );

-- the same for each surface in such a text, '' for all surfaces
create or replace macro recsql.gains_of_pairs(pairs) as
    list_transform(
        recsql.different(list_transform(pairs, lambda p: case when contains(p['key'], '/') then string_split(p['key'], '/')[1] else '' end)),
        lambda s: {
            'surface': s,
            'pairs': case
                when s = '' then list_filter(pairs, lambda p: not contains(p['key'], '/'))
                else list_transform(
                    list_filter(pairs, lambda p: starts_with(p['key'], s || '/')),
                    lambda p: {'key': p['key'][len(s) + 2:], 'value': p['value']}
                )
            end
        }
    );

-- the gains in a text: for each surface, or '' for all of them, the types with their gains
create or replace macro recsql.gains_in(x) as
    case
        when not starts_with(ltrim(x), '{') then recsql.gains_of_pairs(recsql.gains_in_pairs(x))
        when json_type(json_extract(try_cast(x as json), '$.*')[1]) = 'OBJECT' then list_transform(
            map_entries(try_cast(try_cast(x as json) as map(varchar, map(varchar, double)))),
            lambda s: {'surface': s['key'], 'pairs': map_entries(s['value'])}
        )
        else [{'surface': '', 'pairs': map_entries(try_cast(try_cast(x as json) as map(varchar, double)))}]
    end;

-- whether there is a number that is at least 0 for each type, and gains of all surfaces or of each
create or replace macro recsql.are_gains(gains) as
    coalesce(
        len(gains) > 0
        and (len(gains) = 1 or not list_contains(list_transform(gains, lambda s: s['surface']), ''))
        and len(list_filter(
            flatten(list_transform(gains, lambda s: coalesce(s['pairs'], [{'key': '', 'value': 0e0}]))),
            lambda p: p['key'] = '' or not coalesce(p['value'] >= 0 and isfinite(p['value']), false)
        )) = 0,
        false
    );

-- the CASE that gives the gain of a type
create or replace macro recsql.gain_case(pairs, x) as
    'case ' || x || ' ' || recsql.joined(
        list_transform(pairs, lambda p: 'when ''' || recsql.content(p['key']) || ''' then ' || recsql.real(p['value'])),
        ' '
    ) || ' end';

-- the same for the event x, by surface if the gains differ by it
create or replace macro recsql.gains_of(gains, x) as
    case
        when gains[1]['surface'] = '' then recsql.gain_case(gains[1]['pairs'], x || '.type')
        else 'case ' || x || '.surface ' || recsql.joined(
            list_transform(gains, lambda s: 'when ''' || recsql.content(s['surface']) || ''' then ' || recsql.gain_case(s['pairs'], x || '.type')),
            ' '
        ) || ' end'
    end;

-- texts as literals, separated by commas
create or replace macro recsql.literals(xs) as
    recsql.joined(list_transform(xs, lambda x: '''' || recsql.content(x) || ''''), ', ');

-- the gains of a call beside its slices, of which it has none: what a query says about them, and the sentence if they are wrong
create or replace macro recsql.with_gains(x) as
    list_transform([recsql.gains_in(x)], lambda g: {
        'facts': [''],
        'vals': map {
            'activity': '',
            'gains of a.type and a.surface': recsql.gains_of(g, 'a'),
            'gains of e.type and e.surface': recsql.gains_of(g, 'e'),
            'gains lack i.surface': case
                when g[1]['surface'] = '' then 'false'
                else 'i.surface is null or i.surface not in (' || recsql.literals(list_transform(g, lambda s: s['surface'])) || ')'
            end,
            'types in gains': recsql.literals(recsql.different(flatten(list_transform(g, lambda s: list_transform(s['pairs'], lambda p: p['key']))))),
            'gains differ': cast(g[1]['surface'] <> '' as varchar)
        },
        'fault': case when not recsql.are_gains(g) then {{ gains_sentence }} end,
        'titles': cast([] as varchar[])
    })[1];

-- the sentence for a text that is no time or no length of time, else NULL
create or replace macro recsql.wrong_text(kind, option, x) as
    case
        when x is null then null
        when kind = 'time' and try_cast(x as timestamp) is null then {{ time_sentence }}
        when kind = 'duration' and not regexp_full_match(lower(x), '\s*\d{1,9}\s*(s|min|h|d|w|(second|minute|hour|day|week)s?)\s*')
            then {{ duration_sentence }}
    end;

-- the metrics by all their names; a name that only a preset gives follows that of the preset
create or replace macro recsql.metric_names() as
    {{ metric_names }};

-- the columns of a joined result in the order of the call, each with the number of its query
create or replace macro recsql.numbered(calls) as
    list_transform(
        list_sort(
            flatten(list_transform(
                calls,
                lambda q, i: list_transform(
                    list_filter(q['columns'], lambda c: c['shown']),
                    lambda c: {
                        'order': list_position(q['metrics'], c['metric']),
                        'number': i,
                        'title': c['name'],
                        'label': c['label']
                    }
                )
            )),
            'ASC'
        ),
        lambda c, i: {'order': i, 'number': c['number'], 'title': c['title'], 'label': c['label']}
    );

-- the sentence for the first of the metrics asked for that is unknown, else NULL
create or replace macro recsql.unknown_metric(asked, names) as
    list_transform(
        list_filter(asked, lambda m: not coalesce(list_contains(names, m['metric']), false)),
        lambda m: case
{% for way, metrics in elsewhere.items() %}
            when m['metric'] in ({{ metrics }}) then m['metric'] || ' is not available here; {{ way }}'
{% endfor %}
            when m['metric'] <> m['text'] then {{ meaning_sentence }}
            else {{ metric_sentence }}
        end
    )[1];

-- the sentence for a value that is none of some words, else NULL
create or replace macro recsql.wrong_value(option, words, x) as
    case when x is not null and not list_contains(words, x) then
{{ wrong_value | indent(8, first=true) }}
    end;

-- the sentence for a number out of bounds, else NULL; the bounds are: whole, above, at least, at most, below, then in words
create or replace macro recsql.wrong_number(option, bounds, x) as
    case when x is not null and not coalesce(
        isfinite(try_cast(x as double))
        and (bounds[1] <> 'whole' or try_cast(x as double) % 1 = 0)
        and try_cast(x as double) > cast(bounds[2] as double)
        and try_cast(x as double) >= cast(bounds[3] as double)
        and try_cast(x as double) <= cast(bounds[4] as double)
        and (bounds[5] = 'inf' or try_cast(x as double) < cast(bounds[5] as double)),
        false
    ) then
{{ wrong_number | indent(8, first=true) }}
    end;

{{ macros | join("\n\n") }}

commit;
