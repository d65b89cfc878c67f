-- recsql 0.1.0: recommender and ranking metrics in SQL, for DuckDB 1.4 or newer.
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
    case when len(cutoffs) <= 10000 then cutoffs else error('k: there are more than 10000 cut-offs; give fewer') end;

-- one cut-off as a number, or an error
create or replace macro recsql.cutoff(k) as
    case
        when lower(k) = 'all' then 1000000000000000000
        when try_cast(k as double) between 1 and 1000000 and try_cast(k as double) = floor(try_cast(k as double))
            then cast(try_cast(k as double) as bigint)
        else error('k: a cut-off is a whole number from 1 to 1000000, or all; found ' || coalesce(cast(coalesce(nullif(k, ''), 'none') as varchar), 'NULL'))
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
        when len(ks) > 100 then 'select c.k' || chr(10) || 'from (values ' || recsql.joined(list_transform(ks, lambda x: '(' || x || ')'), ', ') || ') as c (k)'
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

-- a run in TREC format as recommendations: topic, Q0, document, rank, score, name
create or replace macro recsql.read_trec_run(file) as table
    select
        l.fields[6] as model,
        l.fields[1] as user_id,
        l.fields[3] as item_id,
        cast(l.fields[5] as double) as score
    from (
        select
            case
                when len(t.fields) = 6 and try_cast(t.fields[5] as double) is not null then t.fields
                else error(t.filename || ': a line of a run is topic, Q0, document, rank, score, name; found ' || t.line)
            end as fields
        from (
            select regexp_split_to_array(trim(r.line, ' ' || chr(9) || chr(13)), '\s+') as fields, r.line, r.filename
            from read_csv(
                file,
                columns = {'line': 'varchar'},
                delim = chr(1),
                quote = '',
                escape = '',
                header = false,
                auto_detect = false,
                strict_mode = false,
                filename = true
            ) as r
            where trim(r.line, ' ' || chr(9) || chr(13)) <> ''
        ) as t
    ) as l;

-- judgements in TREC format as truth: topic, iteration, document, relevance
create or replace macro recsql.read_trec_qrels(file) as table
    select
        l.fields[1] as user_id,
        l.fields[3] as item_id,
        cast(l.fields[4] as double) as relevance
    from (
        select
            case
                when len(t.fields) = 4 and try_cast(t.fields[4] as double) is not null then t.fields
                else error(t.filename || ': a line of judgements is topic, iteration, document, relevance; found ' || t.line)
            end as fields
        from (
            select regexp_split_to_array(trim(r.line, ' ' || chr(9) || chr(13)), '\s+') as fields, r.line, r.filename
            from read_csv(
                file,
                columns = {'line': 'varchar'},
                delim = chr(1),
                quote = '',
                escape = '',
                header = false,
                auto_detect = false,
                strict_mode = false,
                filename = true
            ) as r
            where trim(r.line, ' ' || chr(9) || chr(13)) <> ''
        ) as t
    ) as l;

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
        'fault': case when not recsql.are_gains(g) then 'gains: ''' || coalesce(cast(x as varchar), 'NULL') || ''' does not give each type of event a number that is at least 0; write it like click:1,buy:3 or home/click:1,cart/buy:3' end,
        'titles': cast([] as varchar[])
    })[1];

-- the sentence for a text that is no time or no length of time, else NULL
create or replace macro recsql.wrong_text(kind, option, x) as
    case
        when x is null then null
        when kind = 'time' and try_cast(x as timestamp) is null then coalesce(cast(option as varchar), 'NULL') || ': ''' || coalesce(cast(x as varchar), 'NULL') || ''' is not a date or a time; write it like 2026-03-01 or 2026-03-01 12:00'
        when kind = 'duration' and not regexp_full_match(lower(x), '\s*\d{1,9}\s*(s|min|h|d|w|(second|minute|hour|day|week)s?)\s*')
            then coalesce(cast(option as varchar), 'NULL') || ': ''' || coalesce(cast(x as varchar), 'NULL') || ''' is not a length of time; write a whole number of weeks, days, hours, minutes or seconds, such as 7 days'
    end;

-- the metrics by all their names; a name that only a preset gives follows that of the preset
create or replace macro recsql.metric_names() as
    map {'ap': 'ap', 'map': 'ap', 'average_precision': 'ap', 'averageprecision': 'ap', 'map_at_k': 'ap', 'meanaverageprecision': 'ap', 'meanaverageprecisionat': 'ap', 'retrievalmap': 'ap', 'map_cut': 'ap', 'bpref': 'bpref', 'binary_preference': 'bpref', 'cg': 'cg', 'cumulative_gain': 'cg', 'coverage': 'coverage', 'item_coverage': 'coverage', 'itemcoverage': 'coverage', 'catalog_coverage': 'coverage', 'coveragek': 'coverage', 'catalogcoverage': 'coverage', 'dcg': 'dcg', 'discounted_cumulative_gain': 'dcg', 'dcgk': 'dcg', 'dcg_score': 'dcg', 'entropy': 'entropy', 'shannon_entropy': 'entropy', 'shannonentropy': 'entropy', 'distributional_coverage': 'entropy', 'err': 'err', 'expected_reciprocal_rank': 'err', 'explained_variance': 'explained_variance', 'exp_var': 'explained_variance', 'explained_variance_score': 'explained_variance', 'f1': 'f1', 'f': 'f1', 'fbeta': 'f1', 'f_measure': 'f1', 'f1_score': 'f1', 'fbetatopk': 'f1', 'f1beta': 'f1', 'fn': 'fn', 'false_negatives': 'fn', 'fp': 'fp', 'false_positives': 'fp', 'gini': 'gini', 'gini_index': 'gini', 'listgini': 'gini', 'giniindex': 'gini', 'hit': 'hit', 'hit_rate': 'hit', 'success': 'hit', 'hitratio': 'hit', 'hr': 'hit', 'hitrate': 'hit', 'retrievalhitrate': 'hit', 'hits': 'hits', 'hitk': 'hits', 'num_rel_ret': 'hits', 'idcg': 'idcg', 'ideal_dcg': 'idcg', 'mae': 'mae', 'mean_absolute_error': 'mae', 'mean_precision': 'mean_precision', 'mean_precision_at_k': 'mean_precision', 'mse': 'mse', 'mean_squared_error': 'mse', 'ndcg': 'ndcg', 'normalized_discounted_cumulative_gain': 'ndcg', 'ndcg_at_k': 'ndcg', 'ndcgk': 'ndcg', 'ndcg_score': 'ndcg', 'ndcgat': 'ndcg', 'ndcgatk': 'ndcg', 'retrievalnormalizeddcg': 'ndcg', 'ndcg_cut': 'ndcg', 'novelty': 'novelty', 'self_information': 'novelty', 'mean_self_information': 'novelty', 'inverse_user_frequency': 'novelty', 'meaninvuserfreq': 'novelty', 'popularity': 'popularity', 'average_popularity': 'popularity', 'average_recommendation_popularity': 'popularity', 'arp': 'popularity', 'averagepopularity': 'popularity', 'avgrecpopularity': 'popularity', 'precision': 'precision', 'recommender_precision': 'precision', 'p': 'precision', 'precisiontopk': 'precision', 'precision_at': 'precision', 'precision_at_k': 'precision', 'precisionk': 'precision', 'precisionat': 'precision', 'precisionatk': 'precision', 'retrievalprecision': 'precision', 'r2': 'r2', 'r_squared': 'r2', 'rsquared': 'r2', 'r2_score': 'r2', 'r_precision': 'r_precision', 'rprec': 'r_precision', 'r_precision_at_k': 'r_precision', 'retrievalrprecision': 'r_precision', 'rbp': 'rbp', 'rank_biased_precision': 'rbp', 'recall': 'recall', 'recommender_recall': 'recall', 'recalltopk': 'recall', 'recall_at': 'recall', 'r': 'recall', 'recall_at_k': 'recall', 'recallk': 'recall', 'recallat': 'recall', 'recallatk': 'recall', 'retrievalrecall': 'recall', 'rmse': 'rmse', 'root_mean_squared_error': 'rmse', 'rr': 'rr', 'mrr': 'rr', 'reciprocal_rank': 'rr', 'reciprank': 'rr', 'reciprocalrankk': 'rr', 'retrievalmrr': 'rr', 'recip_rank': 'rr', 'tn': 'tn', 'true_negatives': 'tn', 'tp': 'tp', 'true_positives': 'tp', 'elliot map': 'mean_precision', 'recommenders map_at_k': 'ap', 'replay novelty': 'the share of the list that is not in the user''s train data in replay', 'spark meanaverageprecisionat': 'ap', 'trec_eval map': 'ap', 'trec_eval ndcg': 'ndcg', 'trec_eval recip_rank': 'rr', 'trec_eval num_rel_ret': 'hits', 'trec_eval set_recall': 'recall', 'trec_eval rprec': 'r_precision', 'trec_eval bpref': 'bpref'};

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
            when m['metric'] in ('ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'bpref', 'cg', 'dcg', 'err', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'r_precision', 'rbp', 'tn', 'tp') then m['metric'] || ' is not available here; use evaluate or per_user'
            when m['metric'] in ('coverage', 'entropy', 'gini', 'novelty', 'popularity') then m['metric'] || ' is not available here; it is one value for all lists together, so use item_metrics'
            when m['metric'] in ('explained_variance', 'mae', 'mse', 'r2', 'rmse') then m['metric'] || ' is not available here; it compares ratings with predictions, so use rating_metrics'
            when m['metric'] <> m['text'] then 'metric ''' || coalesce(cast(m['text'] as varchar), 'NULL') || ''' is ambiguous: ' || coalesce(cast(m['metric'] as varchar), 'NULL') || '; set like, or choose one of ' || coalesce(cast(array_to_string(names, ', ') as varchar), 'NULL')
            else 'unknown metric ''' || coalesce(cast(m['text'] as varchar), 'NULL') || '''; ' || coalesce(cast(case when contains(m['text'], '(') then 'a macro takes options as arguments, so leave out the brackets; ' else coalesce('did you mean ' || list_max(list_transform(list_filter(names, lambda n: jaro_winkler_similarity(lower(n), lower(m['text'])) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(m['text'])), 'name': n}))['name'] || '? ', '') end as varchar), 'NULL') || 'choose one of ' || coalesce(cast(array_to_string(names, ', ') as varchar), 'NULL')
        end
    )[1];

-- the sentence for a value that is none of some words, else NULL
create or replace macro recsql.wrong_value(option, words, x) as
    case when x is not null and not list_contains(words, x) then
        coalesce(cast(option as varchar), 'NULL') || ': unknown value ''' || coalesce(cast(x as varchar), 'NULL') || '''; ' || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(words, lambda n: jaro_winkler_similarity(lower(n), lower(x)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(x)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL') || 'choose one of ' || coalesce(cast(recsql.joined(words, ', ') as varchar), 'NULL')
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
        coalesce(cast(option as varchar), 'NULL') || ': ' || coalesce(cast(x as varchar), 'NULL') || ' is not ' || coalesce(cast(case when not coalesce(isfinite(try_cast(x as double)), false) then 'a number' when bounds[1] = 'whole' and try_cast(x as double) % 1 <> 0 then 'a whole number' else recsql.joined(bounds[6:], ' ') end as varchar), 'NULL')
    end;

-- stubs, replaced further down
create or replace macro recsql.hits_of_lists(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e) as (a);
create or replace macro recsql.gains_of_lists(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e) as (a);
create or replace macro recsql.judgements_of_lists(a, b, c, d, e) as (a);
create or replace macro recsql.options_of_hits(a, b, c, d, e, f, g, h, i, j, k) as ({'fault': a});
create or replace macro recsql.options_of_gains(a, b, c, d, e, f, g, h, i, j, k, l, m) as ({'fault': a});
create or replace macro recsql.fault(a, b) as (a);
create or replace macro recsql.ap(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m) as (a);
create or replace macro recsql.bpref(a, b, c, d, e, f, g, h, i, j, k, l, m) as (a);
create or replace macro recsql.cg(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m, n) as (a);
create or replace macro recsql.dcg(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m, n) as (a);
create or replace macro recsql.err(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) as (a);
create or replace macro recsql.f1(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) as (a);
create or replace macro recsql.fn(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l) as (a);
create or replace macro recsql.fp(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l) as (a);
create or replace macro recsql.hit(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l) as (a);
create or replace macro recsql.hits(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l) as (a);
create or replace macro recsql.idcg(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m, n) as (a);
create or replace macro recsql.mean_precision(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l) as (a);
create or replace macro recsql.ndcg(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m, n) as (a);
create or replace macro recsql.precision(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m) as (a);
create or replace macro recsql.r_precision(a, b, c, d, e, f, g, h, i, j, k, l, m) as (a);
create or replace macro recsql.rbp(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) as (a);
create or replace macro recsql.recall(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m) as (a);
create or replace macro recsql.rr(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l, m) as (a);
create or replace macro recsql.tn(a, b, c, d, e, f, g, h, i, j, k, l, m) as (a);
create or replace macro recsql.tp(a, b, c) as (a), (a, b, c, d) as (a), (a, b, c, d, e, f, g, h, i, j, k, l) as (a);

-- other names of ap
create or replace macro recsql.map(recommended, relevant, k integer) as (recsql.ap(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ap(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.ap(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.map is 'another name of ap';
create or replace macro recsql.average_precision(recommended, relevant, k integer) as (recsql.ap(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ap(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.ap(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.average_precision is 'another name of ap';
create or replace macro recsql.averageprecision(recommended, relevant, k integer) as (recsql.ap(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ap(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.ap(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.averageprecision is 'another name of ap';
create or replace macro recsql.map_at_k(recommended, relevant, k integer) as (recsql.ap(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ap(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.ap(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.map_at_k is 'another name of ap';
create or replace macro recsql.meanaverageprecision(recommended, relevant, k integer) as (recsql.ap(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ap(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.ap(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.meanaverageprecision is 'another name of ap';
create or replace macro recsql.meanaverageprecisionat(recommended, relevant, k integer) as (recsql.ap(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ap(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.ap(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.meanaverageprecisionat is 'another name of ap';
create or replace macro recsql.retrievalmap(recommended, relevant, k integer) as (recsql.ap(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ap(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.ap(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.retrievalmap is 'another name of ap';
create or replace macro recsql.map_cut(recommended, relevant, k integer) as (recsql.ap(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ap(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.ap(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.map_cut is 'another name of ap';

-- other names of bpref
create or replace macro recsql.binary_preference(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    bpref_empty := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.bpref(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, bpref_empty, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.binary_preference is 'another name of bpref';

-- other names of cg
create or replace macro recsql.cumulative_gain(recommended, relevant, k integer) as (recsql.cg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.cg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.cg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.cumulative_gain is 'another name of cg';

-- other names of dcg
create or replace macro recsql.discounted_cumulative_gain(recommended, relevant, k integer) as (recsql.dcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.dcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.dcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.discounted_cumulative_gain is 'another name of dcg';
create or replace macro recsql.dcgk(recommended, relevant, k integer) as (recsql.dcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.dcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.dcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.dcgk is 'another name of dcg';
create or replace macro recsql.dcg_score(recommended, relevant, k integer) as (recsql.dcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.dcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.dcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.dcg_score is 'another name of dcg';

-- other names of err
create or replace macro recsql.expected_reciprocal_rank(recommended, relevant, k integer) as (recsql.err(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.err(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, err_normalize := 'none', err_max_grade := 4, ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.err(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, err_normalize,
    err_max_grade, ideal, truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.expected_reciprocal_rank is 'another name of err';

-- other names of f1
create or replace macro recsql.f(recommended, relevant, k integer) as (recsql.f1(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.f1(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (recsql.f1(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
    recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.f is 'another name of f1';
create or replace macro recsql.fbeta(recommended, relevant, k integer) as (recsql.f1(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.f1(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (recsql.f1(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
    recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.fbeta is 'another name of f1';
create or replace macro recsql.f_measure(recommended, relevant, k integer) as (recsql.f1(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.f1(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (recsql.f1(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
    recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.f_measure is 'another name of f1';
create or replace macro recsql.f1_score(recommended, relevant, k integer) as (recsql.f1(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.f1(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (recsql.f1(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
    recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.f1_score is 'another name of f1';
create or replace macro recsql.fbetatopk(recommended, relevant, k integer) as (recsql.f1(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.f1(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (recsql.f1(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
    recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.fbetatopk is 'another name of f1';
create or replace macro recsql.f1beta(recommended, relevant, k integer) as (recsql.f1(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.f1(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (recsql.f1(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
    recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.f1beta is 'another name of f1';

-- other names of fn
create or replace macro recsql.false_negatives(recommended, relevant, k integer) as (recsql.fn(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.fn(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.fn(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.false_negatives is 'another name of fn';

-- other names of fp
create or replace macro recsql.false_positives(recommended, relevant, k integer) as (recsql.fp(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.fp(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.fp(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.false_positives is 'another name of fp';

-- other names of hit
create or replace macro recsql.hit_rate(recommended, relevant, k integer) as (recsql.hit(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.hit(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.hit(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.hit_rate is 'another name of hit';
create or replace macro recsql.success(recommended, relevant, k integer) as (recsql.hit(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.hit(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.hit(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.success is 'another name of hit';
create or replace macro recsql.hitratio(recommended, relevant, k integer) as (recsql.hit(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.hit(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.hit(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.hitratio is 'another name of hit';
create or replace macro recsql.hr(recommended, relevant, k integer) as (recsql.hit(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.hit(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.hit(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.hr is 'another name of hit';
create or replace macro recsql.hitrate(recommended, relevant, k integer) as (recsql.hit(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.hit(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.hit(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.hitrate is 'another name of hit';
create or replace macro recsql.retrievalhitrate(recommended, relevant, k integer) as (recsql.hit(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.hit(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.hit(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.retrievalhitrate is 'another name of hit';

-- other names of hits
create or replace macro recsql.hitk(recommended, relevant, k integer) as (recsql.hits(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.hits(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.hits(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.hitk is 'another name of hits';
create or replace macro recsql.num_rel_ret(recommended, relevant, k integer) as (recsql.hits(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.hits(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.hits(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.num_rel_ret is 'another name of hits';

-- other names of idcg
create or replace macro recsql.ideal_dcg(recommended, relevant, k integer) as (recsql.idcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.idcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.idcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.ideal_dcg is 'another name of idcg';

-- other names of mean_precision
create or replace macro recsql.mean_precision_at_k(recommended, relevant, k integer) as (recsql.mean_precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.mean_precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.mean_precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.mean_precision_at_k is 'another name of mean_precision';

-- other names of ndcg
create or replace macro recsql.normalized_discounted_cumulative_gain(recommended, relevant, k integer) as (recsql.ndcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ndcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.ndcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.normalized_discounted_cumulative_gain is 'another name of ndcg';
create or replace macro recsql.ndcg_at_k(recommended, relevant, k integer) as (recsql.ndcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ndcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.ndcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.ndcg_at_k is 'another name of ndcg';
create or replace macro recsql.ndcgk(recommended, relevant, k integer) as (recsql.ndcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ndcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.ndcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.ndcgk is 'another name of ndcg';
create or replace macro recsql.ndcg_score(recommended, relevant, k integer) as (recsql.ndcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ndcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.ndcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.ndcg_score is 'another name of ndcg';
create or replace macro recsql.ndcgat(recommended, relevant, k integer) as (recsql.ndcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ndcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.ndcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.ndcgat is 'another name of ndcg';
create or replace macro recsql.ndcgatk(recommended, relevant, k integer) as (recsql.ndcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ndcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.ndcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.ndcgatk is 'another name of ndcg';
create or replace macro recsql.retrievalnormalizeddcg(recommended, relevant, k integer) as (recsql.ndcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ndcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.ndcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.retrievalnormalizeddcg is 'another name of ndcg';
create or replace macro recsql.ndcg_cut(recommended, relevant, k integer) as (recsql.ndcg(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.ndcg(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (recsql.ndcg(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.ndcg_cut is 'another name of ndcg';

-- other names of precision
create or replace macro recsql.recommender_precision(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.recommender_precision is 'another name of precision';
create or replace macro recsql.p(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.p is 'another name of precision';
create or replace macro recsql.precisiontopk(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.precisiontopk is 'another name of precision';
create or replace macro recsql.precision_at(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.precision_at is 'another name of precision';
create or replace macro recsql.precision_at_k(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.precision_at_k is 'another name of precision';
create or replace macro recsql.precisionk(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.precisionk is 'another name of precision';
create or replace macro recsql.precisionat(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.precisionat is 'another name of precision';
create or replace macro recsql.precisionatk(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.precisionatk is 'another name of precision';
create or replace macro recsql.retrievalprecision(recommended, relevant, k integer) as (recsql.precision(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.precision(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
    truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.retrievalprecision is 'another name of precision';

-- other names of r_precision
create or replace macro recsql.rprec(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.r_precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, r_precision_cut, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.rprec is 'another name of r_precision';
create or replace macro recsql.r_precision_at_k(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.r_precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, r_precision_cut, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.r_precision_at_k is 'another name of r_precision';
create or replace macro recsql.retrievalrprecision(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.r_precision(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, r_precision_cut, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.retrievalrprecision is 'another name of r_precision';

-- other names of rbp
create or replace macro recsql.rank_biased_precision(recommended, relevant, k integer) as (recsql.rbp(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.rbp(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, rbp_p := null, rbp_normalize := 'none', ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.rbp(
    recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, rbp_p,
    rbp_normalize, ideal, truth_window, judged_only, duplicates, "like"
));
comment on macro recsql.rank_biased_precision is 'another name of rbp';

-- other names of recall
create or replace macro recsql.recommender_recall(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.recommender_recall is 'another name of recall';
create or replace macro recsql.recalltopk(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.recalltopk is 'another name of recall';
create or replace macro recsql.recall_at(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.recall_at is 'another name of recall';
create or replace macro recsql.r(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.r is 'another name of recall';
create or replace macro recsql.recall_at_k(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.recall_at_k is 'another name of recall';
create or replace macro recsql.recallk(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.recallk is 'another name of recall';
create or replace macro recsql.recallat(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.recallat is 'another name of recall';
create or replace macro recsql.recallatk(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.recallatk is 'another name of recall';
create or replace macro recsql.retrievalrecall(recommended, relevant, k integer) as (recsql.recall(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.recall(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (recsql.recall(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.retrievalrecall is 'another name of recall';

-- other names of rr
create or replace macro recsql.mrr(recommended, relevant, k integer) as (recsql.rr(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.rr(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.rr(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.mrr is 'another name of rr';
create or replace macro recsql.reciprocal_rank(recommended, relevant, k integer) as (recsql.rr(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.rr(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.rr(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.reciprocal_rank is 'another name of rr';
create or replace macro recsql.reciprank(recommended, relevant, k integer) as (recsql.rr(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.rr(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.rr(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.reciprank is 'another name of rr';
create or replace macro recsql.reciprocalrankk(recommended, relevant, k integer) as (recsql.rr(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.rr(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.rr(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.reciprocalrankk is 'another name of rr';
create or replace macro recsql.retrievalmrr(recommended, relevant, k integer) as (recsql.rr(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.rr(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.rr(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.retrievalmrr is 'another name of rr';
create or replace macro recsql.recip_rank(recommended, relevant, k integer) as (recsql.rr(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.rr(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.rr(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.recip_rank is 'another name of rr';

-- other names of tn
create or replace macro recsql.true_negatives(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    catalog_size := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.tn(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, catalog_size, ideal, truth_window,
    judged_only, duplicates, "like"
));
comment on macro recsql.true_negatives is 'another name of tn';

-- other names of tp
create or replace macro recsql.true_positives(recommended, relevant, k integer) as (recsql.tp(recommended, relevant, k)),
(recommended, relevant, k integer, relevance) as (recsql.tp(recommended, relevant, k, relevance)),
(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (recsql.tp(
    recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
    duplicates, "like"
));
comment on macro recsql.true_positives is 'another name of tp';

-- one entry per relevant item: its ranks from the start and the end of the list, or NULL, its place in the truth, and its gain
create or replace macro recsql.list_entries(l) as
    list_filter(
        list_transform(
            l.truth,
            lambda __x, __j: case
                when __x is not null and list_position(l.truth, __x) = __j
                    then {'rank': list_position(l.items, __x), 'back': list_position(l.reversed, __x), 'place': __j}
            end
        ),
        lambda __e: __e is not null
    );

-- one entry per hit in the items that are read: its rank, its place in the truth, and its gain
create or replace macro recsql.list_found(l) as
    list_sort(
        list_filter(
            l.entries,
            lambda __h: case
                when __h.rank is null then false
                when __h.rank + __h.back <> l.length + 1
                    then error(
                        'recommended: item '
                        || coalesce(regexp_replace(cast(l.truth[__h.place] as varchar), '^$', ''''''), 'NULL')
                        || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                    )
                else true
            end
        )
    );

-- the judged items in order, with NULL for each item that is not relevant
create or replace macro recsql.list_truth(l) as
    case when l.relevance is not null then list_transform(l.judged, lambda __x, __j: case when coalesce(l.relevance[__j], 1e0) > 0 then __x end) else l.judged end;

-- the recommended items that count, without gaps
create or replace macro recsql.list_closed(l) as
    case when l.o.judged_only = 'true' or coalesce(l.o.duplicates in ('first', 'last'), false) then list_filter(l.recommended, lambda __x, __i: case when l.o.judged_only = 'true' then list_contains(l.judged, __x) else true end and case when l.o.duplicates = 'first' then list_position(l.recommended, __x) = __i when l.o.duplicates = 'last' then not list_contains(l.recommended[__i + 1:], __x) else true end) else l.recommended end;

-- one entry per hit in the items that are read: its rank, its place in the truth, and its gain
create or replace macro recsql.list_found_by_options(l) as
    list_sort(
        list_filter(
            case when l.o.duplicates = 'count' then flatten(
                list_transform(
                    l.entries,
                    lambda __e: list_transform(
                        list_filter(range(__e.rank, l.length + 2 - __e.back), lambda __i: l.items[__i] = l.items[__e.rank]),
                        lambda __i: {'rank': cast(__i as integer), 'back': __e.back, 'place': __e.place}
                    )
                )
            ) else l.entries end,
            lambda __h: case
                when case when l.o.truth_window = 'k' then __h.rank is null or __h.place > l.k when l.o.truth_window = 'rank' then __h.rank is null or __h.place > __h.rank else __h.rank is null end then false
                when case when l.o.duplicates = 'error' then __h.rank + __h.back <> l.length + 1 else false end
                    then error(
                        'recommended: item '
                        || coalesce(regexp_replace(cast(l.truth[__h.place] as varchar), '^$', ''''''), 'NULL')
                        || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                    )
                else true
            end
        )
    );

-- the judged items in order, with NULL for each item that is not relevant
create or replace macro recsql.list_truth_by_options(l) as
    case when not l.o.relevance_threshold is null or l.relevance is not null then list_transform(l.judged, lambda __x, __j: case when case when l.o.relevant = 'present' then true when l.o.relevance_threshold is null then coalesce(l.relevance[__j], 1e0) > 0 else coalesce(l.relevance[__j], 1e0) >= l.o.relevance_threshold end then __x end) else l.judged end;

-- one entry per relevant item: its ranks from the start and the end of the list, or NULL, its place in the truth, and its gain
create or replace macro recsql.list_entries_with_gains(l) as
    list_filter(
        list_transform(
            l.truth,
            lambda __x, __j: case
                when __x is not null and list_position(l.truth, __x) = __j
                    then {'rank': list_position(l.items, __x), 'back': list_position(l.reversed, __x), 'place': __j, 'gain': l.gains[__j]}
            end
        ),
        lambda __e: __e is not null
    );

-- sum of the discounted gains of the ideal list in the top k
create or replace macro recsql.list_idcg(l) as
    coalesce(list_sum(list_transform((list_sort(list_transform(l.entries, lambda __e: __e.gain), 'DESC'))[:l.k], lambda __y, __i: __y * l.weights[__i])), 0e0);

-- sum of the discounted gains of the ideal list in the top k
create or replace macro recsql.list_idcg_by_options(l) as
    coalesce(case when l.o.ideal = 'constant' then list_sum(l.weights[:l.k]) when l.o.ideal = 'truth_as_given' then list_sum(list_transform(list_filter(l.entries, lambda __e: __e.place <= l.k), lambda __e: __e.gain * l.weights[__e.place])) else list_sum(list_transform((list_sort(list_transform(case when l.o.ideal = 'candidates' then l.found else case when l.o.truth_window = 'k' then list_filter(l.entries, lambda __e: __e.place <= l.k) else l.entries end end, lambda __e: __e.gain), 'DESC'))[:case when l.o.ideal = 'truth_uncut' then len(l.entries) when l.o.ideal = 'truth_returned' then least(l.k, l.returned) else l.k end], lambda __y, __i: __y * l.weights[__i])) end, 0e0);

-- sum of precision at each rank 1..k; a hit at rank r adds 1/r + ... + 1/k
create or replace macro recsql.list_precision_total(l) as
    coalesce(list_sum(list_transform(l.found, lambda __h: try_cast(1e18 * (list_sum(list_transform(range(__h.rank, l.k + 1), lambda __r: 1e0 / __r))) as hugeint))) / 1e18, 0e0);

-- average precision: sum of precision at the rank of each hit / min(R, k)
create or replace macro recsql.ap(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'k': __l.k,
            'precision_sum': coalesce(list_sum(list_transform(__l.found, lambda __h, __n: try_cast(1e18 * (__n / cast(__h.rank as double)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(__s.precision_sum / nullif(least(__s.k, __s.relevant), 0), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'k': __l.k,
            'precision_sum': coalesce(list_sum(list_transform(__l.found, lambda __h, __n: try_cast(1e18 * (__n / cast(__h.rank as double)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(__s.precision_sum / nullif(least(__s.k, __s.relevant), 0), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, coalesce(truth_window, map {'pyspark_udf': 'rank'}[lower("like")]),
            judged_only, coalesce(duplicates, map {'replay': 'count'}[lower("like")]), "like",
            [['ap_denominator', cast(ap_denominator as varchar)]], [], null
        ),
        ap_denominator := coalesce(ap_denominator, map {'cornac': 'relevant', 'evidently': 'relevant', 'hivemall': 'hits', 'ir_measures': 'relevant', 'lenskit': 'achievable_returned', 'pyspark_udf': 'hits', 'ranx': 'relevant', 'rectools': 'relevant', 'torchmetrics': 'hits', 'trec_eval': 'relevant'}[lower("like")], 'achievable'),
        deep := false
    ))
        .list_transform(lambda __l: {
            'hits': coalesce(len(__l.found), 0),
            'k': __l.k,
            'precision_sum': coalesce(list_sum(list_transform(__l.found, lambda __h, __n: try_cast(1e18 * (__n / cast(__h.rank as double)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries),
            'returned': __l.returned,
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(case when __s.o.ap_denominator = 'achievable' then __s.precision_sum / nullif(least(__s.k, __s.relevant), 0) when __s.o.ap_denominator = 'relevant' then __s.precision_sum / nullif(__s.relevant, 0) when __s.o.ap_denominator = 'achievable_returned' then __s.precision_sum / nullif(least(__s.relevant, __s.returned), 0) when __s.o.ap_denominator = 'k' then __s.precision_sum / nullif(__s.k, 0) else __s.precision_sum / nullif(__s.hits, 0) end, 0e0) end)[1]
);

comment on macro recsql.ap is 'average precision: sum of precision at the rank of each hit / min(R, k)';

-- binary preference: 1 / R x the sum over all hits of 1 - min(b, R) / min(J, R): b of the J items judged not relevant are above the hit
create or replace macro recsql.bpref(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    bpref_empty := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as
    recsql.judgements_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [['bpref_empty', cast(bpref_empty as varchar)]], [], case
                when coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all') in ('k') then 'bpref can''t be computed with truth_window = ''k''; choose another value, or leave bpref out'
                when coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all') in ('rank') then 'bpref can''t be computed with truth_window = ''rank''; choose another value, or leave bpref out'
            end
        ),
        bpref_empty := coalesce(bpref_empty, map {'ranx': 'null'}[lower("like")], 'one'),
        deep := true
    ))
        .list_transform(lambda __l: {
            'hits_anywhere': coalesce(len(__l.found), 0),
            'not_relevant': len(__l.rejected),
            'preceded': coalesce(list_sum(list_transform(__l.found, lambda __h: least(len(list_filter(__l.rejected, lambda __r: __r < __h.rank)), len(__l.entries)))), 0),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then case when __s.o.bpref_empty = 'one' then (__s.hits_anywhere - coalesce(__s.preceded / cast(nullif(least(__s.not_relevant, __s.relevant), 0) as double), 0e0)) / cast(nullif(__s.relevant, 0) as double) else case
            when __s.hits_anywhere = 0 then 0e0
            else (__s.hits_anywhere - __s.preceded / cast(nullif(least(__s.not_relevant, __s.relevant), 0) as double)) / cast(nullif(__s.relevant, 0) as double)
        end end end)[1];

comment on macro recsql.bpref is 'binary preference: 1 / R x the sum over all hits of 1 - min(b, R) / min(J, R): b of the J items judged not relevant are above the hit';

-- cumulative gain: sum of the gains of the hits
create or replace macro recsql.cg(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'cg': coalesce(cast(len(__l.found) as double), 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.cg end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'cg': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * __h.gain as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.cg end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_gains(
            discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := false
    ))
        .list_transform(lambda __l: {
            'cg': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * __h.gain as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.cg end)[1]
);

comment on macro recsql.cg is 'cumulative gain: sum of the gains of the hits';

-- discounted cumulative gain: sum of gain x discount, discount = 1 / log2(rank + 1)
create or replace macro recsql.dcg(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'dcg': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * __l.weights[__h.rank] as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.dcg end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'dcg': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * (__h.gain * __l.weights[__h.rank]) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.dcg end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_gains(
            discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := false
    ))
        .list_transform(lambda __l: {
            'dcg': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * (__h.gain * __l.weights[__h.rank]) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.dcg end)[1]
);

comment on macro recsql.dcg is 'discounted cumulative gain: sum of gain x discount, discount = 1 / log2(rank + 1)';

-- expected reciprocal rank: sum of 1 / rank x the probability of stopping there; at an item of grade g: (2^g - 1) / 2^4
create or replace macro recsql.err(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'expected_stop': coalesce(list_sum(list_transform(__l.found, lambda __h, __n: try_cast(1e18 * (coalesce(list_product(list_transform((__l.found)[:__n - 1], lambda __h: 1 - ((power(2e0, greatest(1e0, 0e0)) - 1) / power(2e0, 4)))), 1e0) * ((power(2e0, greatest(1e0, 0e0)) - 1) / power(2e0, 4)) / __h.rank) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(__s.expected_stop, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'expected_stop': coalesce(case
                when ((power(2e0, greatest(list_max(list_transform(__l.entries, lambda __e: __e.gain)), 0e0)) - 1) / power(2e0, 4)) > 1 - power(2e0, -4)
                    then error(
                        'relevant: gain '
                        || coalesce(cast(list_max(list_transform(__l.entries, lambda __e: __e.gain)) as varchar), 'NULL')
                        || ' is above that of the highest grade '
                        || coalesce(cast(4 as varchar), 'NULL')
                        || '; set err_max_grade to that of your scale'
                    )
                else list_sum(list_transform(__l.found, lambda __h, __n: try_cast(1e18 * (coalesce(list_product(list_transform((__l.found)[:__n - 1], lambda __h: 1 - ((power(2e0, greatest(__h.gain, 0e0)) - 1) / power(2e0, 4)))), 1e0) * ((power(2e0, greatest(__h.gain, 0e0)) - 1) / power(2e0, 4)) / __h.rank) as hugeint))) / 1e18
            end, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(__s.expected_stop, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, err_normalize := 'none', err_max_grade := 4, ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_gains(
            discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [['err_normalize', cast(err_normalize as varchar)]], [['err_max_grade', cast(err_max_grade as varchar)]], case
                when coalesce(err_normalize, 'none') in ('ideal') and coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all') in ('k') then 'err can''t be computed with err_normalize = ''ideal'' and truth_window = ''k''; choose another value, or leave err out'
            end
        ),
        err_normalize := coalesce(err_normalize, 'none'),
        err_max_grade := coalesce(try_cast(err_max_grade as bigint), 4),
        deep := false
    ))
        .list_transform(lambda __l: {
            'expected_stop': coalesce(case
                when case when coalesce(__l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(list_max(list_transform(__l.entries, lambda __e: __e.gain)), 0e0) / power(2e0, __l.o.err_max_grade)) else ((power(2e0, greatest(list_max(list_transform(__l.entries, lambda __e: __e.gain)), 0e0)) - 1) / power(2e0, __l.o.err_max_grade)) end > 1 - power(2e0, -__l.o.err_max_grade)
                    then error(
                        'relevant: gain '
                        || coalesce(cast(list_max(list_transform(__l.entries, lambda __e: __e.gain)) as varchar), 'NULL')
                        || ' is above that of the highest grade '
                        || coalesce(cast(__l.o.err_max_grade as varchar), 'NULL')
                        || '; set err_max_grade to that of your scale'
                    )
                else list_sum(list_transform(__l.found, lambda __h, __n: try_cast(1e18 * (coalesce(list_product(list_transform((__l.found)[:__n - 1], lambda __h: 1 - case when coalesce(__l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(__h.gain, 0e0) / power(2e0, __l.o.err_max_grade)) else ((power(2e0, greatest(__h.gain, 0e0)) - 1) / power(2e0, __l.o.err_max_grade)) end)), 1e0) * case when coalesce(__l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(__h.gain, 0e0) / power(2e0, __l.o.err_max_grade)) else ((power(2e0, greatest(__h.gain, 0e0)) - 1) / power(2e0, __l.o.err_max_grade)) end / __h.rank) as hugeint))) / 1e18
            end, 0e0),
            'ideal_stop': coalesce(case when len((list_sort(list_transform(__l.entries, lambda __e: __e.gain), 'DESC'))[:__l.k]) > 0 then list_reduce(list_transform((list_sort(list_transform(__l.entries, lambda __e: __e.gain), 'DESC'))[:__l.k], lambda __g, __i: {'stop': case when coalesce(__l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(__g, 0e0) / power(2e0, __l.o.err_max_grade)) else ((power(2e0, greatest(__g, 0e0)) - 1) / power(2e0, __l.o.err_max_grade)) end / __i, 'on': 1 - case when coalesce(__l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(__g, 0e0) / power(2e0, __l.o.err_max_grade)) else ((power(2e0, greatest(__g, 0e0)) - 1) / power(2e0, __l.o.err_max_grade)) end}), lambda __a, __b: {'stop': __a.stop + __a.on * __b.stop, 'on': __a.on * __b.on}).stop end, 0e0),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(case when __s.o.err_normalize = 'ideal' then __s.expected_stop / nullif(__s.ideal_stop, 0e0) else __s.expected_stop end, 0e0) end)[1]
);

comment on macro recsql.err is 'expected reciprocal rank: sum of 1 / rank x the probability of stopping there; at an item of grade g: (2^g - 1) / 2^4';

-- F-measure of precision and recall: (1 + beta^2) precision recall / (beta^2 precision + recall)
create or replace macro recsql.f1(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce((1 + power(cast(1 as double), 2)) / (
            power(cast(1 as double), 2) / nullif(coalesce(coalesce(len(__l.found), 0) / cast(nullif(len(__l.entries), 0) as double), 0e0), 0e0)
            + 1 / nullif(coalesce(coalesce(len(__l.found), 0) / cast(__l.k as double), 0e0), 0e0)
        ), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce((1 + power(cast(1 as double), 2)) / (
            power(cast(1 as double), 2) / nullif(coalesce(coalesce(len(__l.found), 0) / cast(nullif(len(__l.entries), 0) as double), 0e0), 0e0)
            + 1 / nullif(coalesce(coalesce(len(__l.found), 0) / cast(__l.k as double), 0e0), 0e0)
        ), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [['precision_denominator', cast(precision_denominator as varchar)], ['recall_denominator', cast(recall_denominator as varchar)]], [['beta', cast(beta as varchar)]], null
        ),
        beta := coalesce(try_cast(beta as double), 1),
        precision_denominator := coalesce(precision_denominator, map {'evidently': 'returned', 'hivemall': 'returned', 'jurity': 'returned', 'lenskit': 'returned', 'pyspark_udf': 'returned', 'returned': 'returned'}[lower("like")], 'k'),
        recall_denominator := coalesce(recall_denominator, map {'lenskit': 'achievable'}[lower("like")], 'relevant'),
        deep := false
    ))
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce((1 + power(cast(__l.o.beta as double), 2)) / (
            power(cast(__l.o.beta as double), 2) / nullif(coalesce(case when __l.o.recall_denominator = 'relevant' then coalesce(len(__l.found), 0) / cast(nullif(len(__l.entries), 0) as double) else coalesce(len(__l.found), 0) / cast(nullif(least(__l.k, len(__l.entries)), 0) as double) end, 0e0), 0e0)
            + 1 / nullif(coalesce(case when __l.o.precision_denominator = 'k' then coalesce(len(__l.found), 0) / cast(__l.k as double) when __l.o.precision_denominator = 'returned' then coalesce(len(__l.found), 0) / cast(nullif(__l.returned, 0) as double) else coalesce(len(__l.found), 0) / cast(nullif(least(__l.k, len(__l.entries)), 0) as double) end, 0e0), 0e0)
        ), 0e0) end)[1]
);

comment on macro recsql.f1 is 'F-measure of precision and recall: (1 + beta^2) precision recall / (beta^2 precision + recall)';

-- false negatives: relevant items that are not in the top k
create or replace macro recsql.fn(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(len(__l.entries) - coalesce(len(__l.found), 0) as double) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(len(__l.entries) - coalesce(len(__l.found), 0) as double) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := false
    ))
        .list_transform(lambda __l: {
            'distinct_hits': coalesce(case when __l.o.duplicates = 'count' then list_unique(list_transform(__l.found, lambda __h: __h.place)) else len(__l.found) end, 0),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then cast(__s.relevant - __s.distinct_hits as double) end)[1]
);

comment on macro recsql.fn is 'false negatives: relevant items that are not in the top k';

-- false positives: items in the top k that are not relevant
create or replace macro recsql.fp(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(__l.returned - coalesce(len(__l.found), 0) as double) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(__l.returned - coalesce(len(__l.found), 0) as double) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := false
    ))
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(__l.returned - coalesce(len(__l.found), 0) as double) end)[1]
);

comment on macro recsql.fp is 'false positives: items in the top k that are not relevant';

-- hit rate: 1 if any item in the top k is relevant, else 0
create or replace macro recsql.hit(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'any_hit': coalesce(case when len(__l.found) > 0 then 1e0 else 0e0 end, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.any_hit end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'any_hit': coalesce(case when len(__l.found) > 0 then 1e0 else 0e0 end, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.any_hit end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := false
    ))
        .list_transform(lambda __l: {
            'any_hit': coalesce(case when len(__l.found) > 0 then 1e0 else 0e0 end, 0e0),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.any_hit end)[1]
);

comment on macro recsql.hit is 'hit rate: 1 if any item in the top k is relevant, else 0';

-- number of hits: relevant items in the top k
create or replace macro recsql.hits(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(coalesce(len(__l.found), 0) as double) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(coalesce(len(__l.found), 0) as double) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := false
    ))
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(coalesce(len(__l.found), 0) as double) end)[1]
);

comment on macro recsql.hits is 'number of hits: relevant items in the top k';

-- ideal discounted cumulative gain: the DCG of the ideal list of k items
create or replace macro recsql.idcg(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'idcg': coalesce(list_sum(__l.weights[:least(len(__l.entries), __l.k)]), 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.idcg end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'idcg': recsql.list_idcg(__l),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.idcg end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_gains(
            discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth') = 'candidates'
    ))
        .list_transform(lambda __l: {
            'idcg': recsql.list_idcg_by_options(__l),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.idcg end)[1]
);

comment on macro recsql.idcg is 'ideal discounted cumulative gain: the DCG of the ideal list of k items';

-- mean precision over the ranks: (precision@1 + ... + precision@k) / k
create or replace macro recsql.mean_precision(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'k': __l.k,
            'precision_total': recsql.list_precision_total(__l),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(__s.precision_total / __s.k, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'k': __l.k,
            'precision_total': recsql.list_precision_total(__l),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(__s.precision_total / __s.k, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := false
    ))
        .list_transform(lambda __l: {
            'k': __l.k,
            'precision_total': recsql.list_precision_total(__l),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(__s.precision_total / __s.k, 0e0) end)[1]
);

comment on macro recsql.mean_precision is 'mean precision over the ranks: (precision@1 + ... + precision@k) / k';

-- normalised discounted cumulative gain: DCG / IDCG; linear gain, ideal list from the whole truth cut at k
create or replace macro recsql.ndcg(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'dcg': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * __l.weights[__h.rank] as hugeint))) / 1e18, 0e0),
            'idcg': coalesce(list_sum(__l.weights[:least(len(__l.entries), __l.k)]), 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.dcg / nullif(__s.idcg, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'dcg': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * (__h.gain * __l.weights[__h.rank]) as hugeint))) / 1e18, 0e0),
            'idcg': recsql.list_idcg(__l),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.dcg / nullif(__s.idcg, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_gains(
            discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
            coalesce(duplicates, map {'replay': 'count'}[lower("like")]), "like",
            [], [], null
        ),
        deep := coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth') = 'candidates'
    ))
        .list_transform(lambda __l: {
            'dcg': coalesce(list_sum(list_transform(list_filter(__l.found, lambda __h: __h.rank <= __l.k), lambda __h: try_cast(1e18 * (__h.gain * __l.weights[__h.rank]) as hugeint))) / 1e18, 0e0),
            'idcg': recsql.list_idcg_by_options(__l),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then __s.dcg / nullif(__s.idcg, 0e0) end)[1]
);

comment on macro recsql.ndcg is 'normalised discounted cumulative gain: DCG / IDCG; linear gain, ideal list from the whole truth cut at k';

-- precision: hits / k
create or replace macro recsql.precision(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce(coalesce(len(__l.found), 0) / cast(__l.k as double), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce(coalesce(len(__l.found), 0) / cast(__l.k as double), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [['precision_denominator', cast(precision_denominator as varchar)]], [], null
        ),
        precision_denominator := coalesce(precision_denominator, map {'evidently': 'returned', 'hivemall': 'returned', 'jurity': 'returned', 'lenskit': 'returned', 'pyspark_udf': 'returned', 'returned': 'returned'}[lower("like")], 'k'),
        deep := false
    ))
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce(case when __l.o.precision_denominator = 'k' then coalesce(len(__l.found), 0) / cast(__l.k as double) when __l.o.precision_denominator = 'returned' then coalesce(len(__l.found), 0) / cast(nullif(__l.returned, 0) as double) else coalesce(len(__l.found), 0) / cast(nullif(least(__l.k, len(__l.entries)), 0) as double) end, 0e0) end)[1]
);

comment on macro recsql.precision is 'precision: hits / k';

-- R-precision: hits in the first R ranks / R, whatever the cut-off
create or replace macro recsql.r_precision(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [['r_precision_cut', cast(r_precision_cut as varchar)]], [], null
        ),
        r_precision_cut := coalesce(r_precision_cut, map {'recommenders': 'k'}[lower("like")], 'list'),
        deep := coalesce(r_precision_cut, map {'recommenders': 'k'}[lower("like")], 'list') = 'list'
    ))
        .list_transform(lambda __l: {
            'hits_to_r': coalesce(len(list_filter(list_filter(__l.found, lambda __h: __h.rank <= __l.k), lambda __h: __h.rank <= len(__l.entries))), 0),
            'hits_to_r_anywhere': coalesce(len(list_filter(__l.found, lambda __h: __h.rank <= len(__l.entries))), 0),
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(case when __s.o.r_precision_cut = 'k' then __s.hits_to_r / cast(nullif(__s.relevant, 0) as double) else __s.hits_to_r_anywhere / cast(nullif(__s.relevant, 0) as double) end, 0e0) end)[1];

comment on macro recsql.r_precision is 'R-precision: hits in the first R ranks / R, whatever the cut-off';

-- rank-biased precision: (1 - p) x sum of gain x p^(rank - 1); p = 0.8
create or replace macro recsql.rbp(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: {
            'persistent_gain': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * (power(cast(0.8e0 as double), __h.rank - 1)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce((1 - cast(0.8e0 as double)) * __s.persistent_gain, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: {
            'persistent_gain': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * (__h.gain * power(cast(0.8e0 as double), __h.rank - 1)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries)
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce((1 - cast(0.8e0 as double)) * __s.persistent_gain, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, rbp_p := null, rbp_normalize := 'none', ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_gains(
            discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [['rbp_normalize', cast(rbp_normalize as varchar)]], [['rbp_p', cast(rbp_p as varchar)]], null
        ),
        rbp_p := coalesce(try_cast(rbp_p as double), map {'lenskit': 0.85e0, 'trec_eval': 0.9e0}[lower("like")], 0.8e0),
        rbp_normalize := coalesce(rbp_normalize, 'none'),
        deep := false
    ))
        .list_transform(lambda __l: {
            'persistent_gain': coalesce(list_sum(list_transform(__l.found, lambda __h: try_cast(1e18 * (__h.gain * power(cast(__l.o.rbp_p as double), __h.rank - 1)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__l.entries),
            'returned': __l.returned,
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(case when __s.o.rbp_normalize = 'none' then (1 - cast(__s.o.rbp_p as double)) * __s.persistent_gain else __s.persistent_gain / nullif(
            coalesce(
                (1 - power(cast(__s.o.rbp_p as double), least(__s.relevant, __s.returned))) / nullif(1 - cast(__s.o.rbp_p as double), 0e0),
                least(__s.relevant, __s.returned)
            ),
            0e0
        ) end, 0e0) end)[1]
);

comment on macro recsql.rbp is 'rank-biased precision: (1 - p) x sum of gain x p^(rank - 1); p = 0.8';

-- recall: hits / R
create or replace macro recsql.recall(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce(coalesce(len(__l.found), 0) / cast(nullif(len(__l.entries), 0) as double), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce(coalesce(len(__l.found), 0) / cast(nullif(len(__l.entries), 0) as double), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [['recall_denominator', cast(recall_denominator as varchar)]], [], null
        ),
        recall_denominator := coalesce(recall_denominator, map {'lenskit': 'achievable'}[lower("like")], 'relevant'),
        deep := false
    ))
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce(case when __l.o.recall_denominator = 'relevant' then coalesce(len(__l.found), 0) / cast(nullif(len(__l.entries), 0) as double) else coalesce(len(__l.found), 0) / cast(nullif(least(__l.k, len(__l.entries)), 0) as double) end, 0e0) end)[1]
);

comment on macro recsql.recall is 'recall: hits / R';

-- reciprocal rank: 1 / rank of the first hit; 0 without a hit
create or replace macro recsql.rr(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce((1e0 / (__l.found)[1].rank), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then coalesce((1e0 / (__l.found)[1].rank), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [['rr_cutoff', cast(rr_cutoff as varchar)]], [], null
        ),
        rr_cutoff := coalesce(rr_cutoff, map {'cornac': 'none', 'trec_eval': 'none'}[lower("like")], 'k'),
        deep := coalesce(rr_cutoff, map {'cornac': 'none', 'trec_eval': 'none'}[lower("like")], 'k') = 'none'
    ))
        .list_transform(lambda __l: {
            'reciprocal_rank': 1e0 / (list_filter(__l.found, lambda __h: __h.rank <= __l.k))[1].rank,
            'reciprocal_rank_anywhere': 1e0 / (__l.found)[1].rank,
            'relevant': len(__l.entries),
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then coalesce(case when __s.o.rr_cutoff = 'k' then __s.reciprocal_rank else __s.reciprocal_rank_anywhere end, 0e0) end)[1]
);

comment on macro recsql.rr is 'reciprocal rank: 1 / rank of the first hit; 0 without a hit';

-- true negatives: catalog_size - tp - fp - fn
create or replace macro recsql.tn(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    catalog_size := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [['catalog_size', cast(catalog_size as varchar)]], null
        ),
        catalog_size := try_cast(catalog_size as bigint),
        deep := false
    ))
        .list_transform(lambda __l: {
            'distinct_hits': coalesce(case when __l.o.duplicates = 'count' then list_unique(list_transform(__l.found, lambda __h: __h.place)) else len(__l.found) end, 0),
            'relevant': len(__l.entries),
            'returned': __l.returned,
            'o': __l.o
        })
        .list_transform(lambda __s: case when __s.relevant > 0 then case
            when __s.o.catalog_size >= __s.returned + __s.relevant - __s.distinct_hits
                then cast(__s.o.catalog_size - (__s.returned + __s.relevant - __s.distinct_hits) as double)
            when __s.o.catalog_size < __s.returned + __s.relevant - __s.distinct_hits
                then error(
                    'catalog_size: '
                    || coalesce(cast(__s.o.catalog_size as varchar), 'NULL')
                    || ' is too small; the two lists alone have '
                    || coalesce(cast(cast(__s.returned + __s.relevant - __s.distinct_hits as bigint) as varchar), 'NULL')
                    || ' items'
                )
        end end)[1];

comment on macro recsql.tn is 'true negatives: catalog_size - tp - fp - fn';

-- true positives: relevant items in the top k
create or replace macro recsql.tp(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(coalesce(len(__l.found), 0) as double) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(coalesce(len(__l.found), 0) as double) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, struct_insert(
        recsql.options_of_hits(
            gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, "like",
            [], [], null
        ),
        deep := false
    ))
        .list_transform(lambda __l: case when len(__l.entries) > 0 then cast(coalesce(len(__l.found), 0) as double) end)[1]
);

comment on macro recsql.tp is 'true positives: relevant items in the top k';

-- the options that all metrics over two lists take, and the sentence for the first that is invalid
create or replace macro recsql.options_of_hits(
    gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, preset, own_choices, own_numbers,
    own_fault
) as
    {
        'fault': coalesce(
            recsql.fault(
                flatten([
                    [['gain', cast(gain as varchar)]],
                    own_choices,
                    [['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower(preset)]]
                ]),
                flatten([[['relevance_threshold', cast(relevance_threshold as varchar)]], own_numbers])
            ),
            case
                when gain_map is distinct from null and gain is distinct from 'map'
                    then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
            end,
            own_fault
        ),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower(preset)], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower(preset)]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower(preset)], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower(preset)], 'error')
    };

-- the options that all metrics over two lists take, and the sentence for the first that is invalid
create or replace macro recsql.options_of_gains(
    discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only, duplicates, preset,
    own_choices, own_numbers, own_fault
) as
    {
        'fault': coalesce(
            recsql.fault(
                flatten([
                    [['discount', cast(discount as varchar)], ['gain', cast(gain as varchar)]],
                    own_choices,
                    [['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower(preset)]]
                ]),
                flatten([[['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)]], own_numbers])
            ),
            case
                when discount_p is distinct from 0.8e0 and discount is distinct from 'geometric'
                    then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out'
            end,
            case
                when gain_map is distinct from null and gain is distinct from 'map'
                    then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
            end,
            own_fault
        ),
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower(preset)], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower(preset)], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower(preset)], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower(preset)]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower(preset)], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower(preset)], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower(preset)], 'error')
    };

-- the values of the options
create or replace macro recsql.choices() as
    map {
        'truth_check': 'any, leave_one_out',
        'missing': 'skip, error',
        'discount': 'log2p1, jk2002, ln1p, geometric, none',
        'gain': 'linear, binary, exp2, exp2_shifted, map',
        'zero_ideal': 'null, skip, zero, one',
        'organic': 'drop, keep',
        'relevant': 'positive, present',
        'unit': 'request, user',
        'protocol': 'temporal, backtest, last_n, last_fraction, leave_one_out, random, users, k_fold',
        'split__exact': 'false, true',
        'per': 'row, user',
        'split__ties': 'item, row_last, row_first, together, error',
        'single': 'train, truth',
        'aggregate': 'max, sum, count, last',
        'rounding': 'ceil, floor, nearest, nearest_even, train_nearest_even',
        'interval_method': 'auto, wilson, t, groups',
        'multiple': 'each, error',
        'no_truth': 'skip, zero, zero_below_threshold, one, one_if_both_empty, error',
        'ap_denominator': 'achievable, relevant, achievable_returned, hits, k',
        'bpref_empty': 'one, null',
        'coverage_denominator': 'catalog, train, count',
        'coverage_restrict': 'true, false',
        'entropy_scope': 'items, list, category',
        'entropy_base': '2, e, 10',
        'entropy_normalize': 'none, distinct, log_catalog',
        'err_normalize': 'none, ideal',
        'f1_average': 'per_user, of_means',
        'gini_population': 'catalog, recommended',
        'gini_divide': 'n, n_minus_1',
        'gini_orientation': 'inequality, equality',
        'gini_weight': 'count, exposure',
        'novelty_base': 'users, interactions',
        'novelty_unseen': 'one, skip, zero, max',
        'novelty_divide': 'returned, k',
        'novelty_mean': 'lists, rows',
        'novelty_log': '2, e, 10',
        'novelty_normalize': 'none, log_users',
        'popularity_base': 'users, interactions',
        'popularity_unseen': 'zero, skip, error',
        'popularity_normalize': 'none, sum, max',
        'precision_denominator': 'k, returned, achievable',
        'r_precision_cut': 'list, k',
        'rbp_normalize': 'none, achievable',
        'recall_denominator': 'relevant, achievable',
        'rr_cutoff': 'k, none',
        'ideal': 'truth, constant, truth_uncut, truth_returned, candidates, truth_as_given',
        'attribution': 'last, first, all',
        'contributions': 'false, true',
        'correction': 'holm, bonferroni, bh, none',
        'family': 'all, metric',
        'users': 'truth, intersection, union',
        'truth_window': 'all, k, rank',
        'judged_only': 'false, true',
        'cold_users': 'keep, drop',
        'cold_items': 'keep, drop',
        'repeats': 'keep, drop',
        'examined': 'all, to_last_event',
        'effect': 'cohen, hedges',
        'draw': 'uniform, popularity',
        'no_recs': 'zero, skip',
        'rank_by': 'rank, score, position',
        'duplicates': 'error, first, hole, count, set, last',
        'mean': 'micro, users',
        'ties': 'item_asc, item_desc, input, expected, best, worst, error',
        'complete': 'drop, keep',
        'like': 'cornac, elliot, evidently, hivemall, ir_measures, jurity, lenskit, pyspark_udf, ranx, recbole, recommenders, recpack, rectools, replay, returned, sklearn, spark, torchmetrics, trec_eval',
        'split__target': 'all, first, last',
        'test': 't, randomisation, wilcoxon, sign',
        'alternative': 'two_sided, greater, less',
        'seen': 'keep, drop, error',
        'validation': 'false, true'
    };

comment on macro recsql.choices is 'the values of the options';

-- the bounds of their numbers, and the bounds in words
create or replace macro recsql.numbers() as
    map {
        'discount_p': 'any 0.0e0 -inf 1.0e0 inf above 0 and at most 1',
        'other': 'any -inf 0.0e0 inf inf at least 0',
        'relevance_threshold': 'any -inf -inf inf inf',
        'split__n': 'whole -inf 1.0e0 inf inf at least 1',
        'fraction': 'any 0.0e0 -inf inf 1.0e0 above 0 and below 1',
        'fold_in': 'any 0.0e0 -inf inf 1.0e0 above 0 and below 1',
        'seed': 'whole -inf -inf inf inf',
        'interval': 'any 0.5e0 -inf inf 1.0e0 above 0.5 and below 1',
        'groups': 'whole -inf 8.0e0 1024.0e0 inf at least 8 and at most 1024',
        'min_users': 'whole -inf 1.0e0 inf inf at least 1',
        'err_max_grade': 'whole -inf 1.0e0 100.0e0 inf at least 1 and at most 100',
        'beta': 'any 0.0e0 -inf 1000000.0e0 inf above 0 and at most 1000000',
        'rbp_p': 'any 0.0e0 -inf 1.0e0 inf above 0 and at most 1',
        'catalog_size': 'whole 0.0e0 -inf 1000000000000.0e0 inf above 0 and at most 1000000000000',
        'smoothing': 'any -inf 0.0e0 inf inf at least 0',
        'margin': 'any -inf -inf inf inf',
        'core': 'whole -inf 2.0e0 inf inf at least 2',
        'cap': 'any 0.0e0 -inf inf inf above 0',
        'folds': 'whole -inf 1.0e0 1000.0e0 inf at least 1 and at most 1000',
        'user_min': 'whole -inf 2.0e0 inf inf at least 2',
        'item_min': 'whole -inf 2.0e0 inf inf at least 2',
        'power': 'any 0.5e0 -inf inf 1.0e0 above 0.5 and below 1',
        'n': 'whole -inf 1.0e0 inf inf at least 1',
        'sample': 'any 0.0e0 -inf 1.0e0 inf above 0 and at most 1'
    };

comment on macro recsql.numbers is 'the bounds of their numbers, and the bounds in words';

-- the sentence for the first of some options that can't have its value, else NULL
create or replace macro recsql.fault(
    options, numbers
) as
    list_transform(
        [{'choices': recsql.choices(), 'numbers': recsql.numbers()}],
        lambda __f: coalesce(
            list_filter(
                list_transform(options, lambda __o: recsql.wrong_value(__o[1], string_split(__f['choices'][__o[1]], ', '), __o[2])),
                lambda __s: __s is not null
            )[1],
            list_filter(
                list_transform(numbers, lambda __o: recsql.wrong_number(__o[1], string_split(__f['numbers'][__o[1]], ' '), __o[2])),
                lambda __s: __s is not null
            )[1]
        )
    )[1];

comment on macro recsql.fault is 'the sentence for the first of some options that can''t have its value, else NULL';

-- an error in words for two lists that can't be measured, else NULL
create or replace macro recsql.check_lists(
    recommended, judged
) as (
    case
        when list_position(recommended, null) > 0
            then error(
                'recommended: item_id is NULL in a row (item_id NULL, rank '
                || coalesce(cast(list_position(recommended, null) as varchar), 'NULL')
                || '); leave such rows out or give them an id'
            )
        when list_position(judged, null) > 0
            then error(
                'relevant: item_id is NULL in a row (item_id NULL); leave such rows out or give them an id'
            )
        when
            recsql.id_type(typeof(recommended[1])) <> recsql.id_type(typeof(judged[1]))
            and len(recommended) > 0
            and len(judged) > 0
            then error(
                'item_id is '
                || coalesce(cast(typeof(recommended[1]) as varchar), 'NULL')
                || ' in recommended and '
                || coalesce(cast(typeof(judged[1]) as varchar), 'NULL')
                || ' in relevant; cast one of them to the other''s type'
            )
    end
), (
    recommended, judged, relevance
) as (
    case
        when list_position(recommended, null) > 0
            then error(
                'recommended: item_id is NULL in a row (item_id NULL, rank '
                || coalesce(cast(list_position(recommended, null) as varchar), 'NULL')
                || '); leave such rows out or give them an id'
            )
        when list_position(judged, null) > 0 or len(relevance) > len(judged)
            then error(
                'relevant: item_id is NULL in a row (item_id NULL); leave such rows out or give them an id'
            )
        when
            recsql.id_type(typeof(recommended[1])) <> recsql.id_type(typeof(judged[1]))
            and len(recommended) > 0
            and len(judged) > 0
            then error(
                'item_id is '
                || coalesce(cast(typeof(recommended[1]) as varchar), 'NULL')
                || ' in recommended and '
                || coalesce(cast(typeof(judged[1]) as varchar), 'NULL')
                || ' in relevant; cast one of them to the other''s type'
            )
        when relevance is not null and list_position(list_transform(judged, lambda __x, __j: coalesce(isfinite(relevance[__j]), false)), false) > 0
            then error(
                'relevant: relevance is '
                || coalesce(cast(relevance[list_position(list_transform(judged, lambda __x, __j: coalesce(isfinite(relevance[__j]), false)), false)] as varchar), 'NULL')
                || ' for item '
                || coalesce(regexp_replace(cast(judged[list_position(list_transform(judged, lambda __x, __j: coalesce(isfinite(relevance[__j]), false)), false)] as varchar), '^$', ''''''), 'NULL')
                || '; give every row a number'
            )
    end
);

comment on macro recsql.check_lists is 'an error in words for two lists that can''t be measured, else NULL';

-- the hits of two lists
create or replace macro recsql.hits_of_lists(
    recommended, relevant, k
) as (
    [{
        'recommended': recommended,
        'judged': relevant,
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
    }]
    .list_transform(lambda __l: {
        'lists_checked': recsql.check_lists(__l.recommended, __l.judged),
        'items': __l.recommended[:coalesce(__l.cutoff, len(__l.recommended))],
        'k': coalesce(__l.cutoff, greatest(len(__l.recommended), 1)),
        'reversed': list_reverse(__l.recommended[:coalesce(__l.cutoff, len(__l.recommended))]),
        'truth': __l.judged
    })
    .list_transform(lambda __l: {
        'entries': recsql.list_entries(__l),
        'length': len(__l.items),
        'returned': coalesce(least(len(__l.items), __l.k), 0),
        'k': __l.k,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'found': recsql.list_found(__l),
        'entries': __l.entries,
        'k': __l.k,
        'returned': __l.returned
    })
), (
    recommended, relevant, k, relevance
) as (
    [{
        'recommended': recommended,
        'judged': relevant,
        'relevance': cast(relevance as double[]),
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
    }]
    .list_transform(lambda __l: {
        'lists_checked': recsql.check_lists(__l.recommended, __l.judged, __l.relevance),
        'items': __l.recommended[:coalesce(__l.cutoff, len(__l.recommended))],
        'k': coalesce(__l.cutoff, greatest(len(__l.recommended), 1)),
        'reversed': list_reverse(__l.recommended[:coalesce(__l.cutoff, len(__l.recommended))]),
        'truth': recsql.list_truth(__l)
    })
    .list_transform(lambda __l: {
        'entries': recsql.list_entries(__l),
        'length': len(__l.items),
        'returned': coalesce(least(len(__l.items), __l.k), 0),
        'k': __l.k,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'found': recsql.list_found(__l),
        'entries': __l.entries,
        'k': __l.k,
        'returned': __l.returned
    })
), (
    recommended, relevant, k, relevance, options
) as (
    [{
        'recommended': recommended,
        'judged': relevant,
        'relevance': cast(relevance as double[]),
        'o': options,
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
    }]
    .list_transform(lambda __l: {
        'options_checked': case when __l.o.fault is not null then error(__l.o.fault) end,
        'lists_checked': recsql.check_lists(__l.recommended, __l.judged, __l.relevance),
        'closed': recsql.list_closed(__l),
        'k': coalesce(__l.cutoff, greatest(len(__l.recommended), 1)),
        'truth': recsql.list_truth_by_options(__l),
        'cutoff': __l.cutoff,
        'o': __l.o
    })
    .list_transform(lambda __l: {
        'items': __l.closed[:case when __l.o.deep then len(__l.closed) else coalesce(__l.cutoff, len(__l.closed)) end],
        'reversed': list_reverse(__l.closed[:case when __l.o.deep then len(__l.closed) else coalesce(__l.cutoff, len(__l.closed)) end]),
        'k': __l.k,
        'o': __l.o,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'entries': recsql.list_entries(__l),
        'length': len(__l.items),
        'returned': coalesce(case when __l.o.duplicates = 'set' then list_unique(__l.items[:__l.k]) else least(len(__l.items), __l.k) end, 0),
        'items': __l.items,
        'k': __l.k,
        'o': __l.o,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'found': recsql.list_found_by_options(__l),
        'entries': __l.entries,
        'k': __l.k,
        'o': __l.o,
        'returned': __l.returned
    })
);

comment on macro recsql.hits_of_lists is 'the hits of two lists';

-- the hits of two lists, with their gains
create or replace macro recsql.gains_of_lists(
    recommended, relevant, k
) as (
    [{
        'recommended': recommended,
        'judged': relevant,
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
    }]
    .list_transform(lambda __l: {
        'lists_checked': recsql.check_lists(__l.recommended, __l.judged),
        'items': __l.recommended[:coalesce(__l.cutoff, len(__l.recommended))],
        'k': coalesce(__l.cutoff, greatest(len(__l.recommended), 1)),
        'reversed': list_reverse(__l.recommended[:coalesce(__l.cutoff, len(__l.recommended))]),
        'truth': __l.judged
    })
    .list_transform(lambda __l: {
        'entries': recsql.list_entries(__l),
        'length': len(__l.items),
        'returned': coalesce(least(len(__l.items), __l.k), 0),
        'weights': list_transform(range(1, greatest(len(__l.items), least(len(__l.truth), __l.k)) + 1), lambda __r: (1e0 / nullif(log2(__r + 1), 0))),
        'k': __l.k,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'found': recsql.list_found(__l),
        'entries': __l.entries,
        'k': __l.k,
        'returned': __l.returned,
        'weights': __l.weights
    })
), (
    recommended, relevant, k, relevance
) as (
    [{
        'recommended': recommended,
        'judged': relevant,
        'relevance': cast(relevance as double[]),
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
    }]
    .list_transform(lambda __l: {
        'lists_checked': recsql.check_lists(__l.recommended, __l.judged, __l.relevance),
        'items': __l.recommended[:coalesce(__l.cutoff, len(__l.recommended))],
        'k': coalesce(__l.cutoff, greatest(len(__l.recommended), 1)),
        'reversed': list_reverse(__l.recommended[:coalesce(__l.cutoff, len(__l.recommended))]),
        'stated_once': list_unique(__l.judged) = list_count(__l.judged),
        'truth': recsql.list_truth(__l),
        'relevance': __l.relevance
    })
    .list_transform(lambda __l: {
        'gains': list_transform(
            list_transform(
                list_transform(__l.truth, lambda __x, __j: case when __x is not null then coalesce(case when __l.stated_once then __l.relevance[__j] else list_max(list_filter(__l.relevance, lambda __y, __i: __l.truth[__i] = __x)) end, 1e0) end),
                lambda __y, __j: case when __y is not null then __y end
            ),
            lambda __g, __j: case
                when __g is null or __g = 0 or (abs(__g) >= 1e-6 and abs(__g) < 1e9) then __g
                else error(
                    'relevant: item '
                    || coalesce(regexp_replace(cast(__l.truth[__j] as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(__g as varchar), 'NULL')
                    || '; scale the relevance so that gains lie between 1e-6 and 1e9'
                )
            end
        ),
        'length': len(__l.items),
        'returned': coalesce(least(len(__l.items), __l.k), 0),
        'weights': list_transform(range(1, greatest(len(__l.items), least(len(__l.truth), __l.k)) + 1), lambda __r: (1e0 / nullif(log2(__r + 1), 0))),
        'items': __l.items,
        'k': __l.k,
        'reversed': __l.reversed,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'entries': recsql.list_entries_with_gains(__l),
        'k': __l.k,
        'length': __l.length,
        'returned': __l.returned,
        'truth': __l.truth,
        'weights': __l.weights
    })
    .list_transform(lambda __l: {
        'found': recsql.list_found(__l),
        'entries': __l.entries,
        'k': __l.k,
        'returned': __l.returned,
        'weights': __l.weights
    })
), (
    recommended, relevant, k, relevance, options
) as (
    [{
        'recommended': recommended,
        'judged': relevant,
        'relevance': cast(relevance as double[]),
        'o': options,
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
    }]
    .list_transform(lambda __l: {
        'options_checked': case when __l.o.fault is not null then error(__l.o.fault) end,
        'lists_checked': recsql.check_lists(__l.recommended, __l.judged, __l.relevance),
        'closed': recsql.list_closed(__l),
        'k': coalesce(__l.cutoff, greatest(len(__l.recommended), 1)),
        'stated_once': list_unique(__l.judged) = list_count(__l.judged),
        'truth': recsql.list_truth_by_options(__l),
        'cutoff': __l.cutoff,
        'o': __l.o,
        'relevance': __l.relevance
    })
    .list_transform(lambda __l: {
        'gains': list_transform(
            list_transform(
                list_transform(__l.truth, lambda __x, __j: case when __x is not null then coalesce(case when __l.stated_once then __l.relevance[__j] else list_max(list_filter(__l.relevance, lambda __y, __i: __l.truth[__i] = __x)) end, 1e0) end),
                lambda __y, __j: case when __y is not null then case when __l.o.gain = 'binary' then 1e0 when __l.o.gain = 'exp2' then (power(2e0, __y) - 1) when __l.o.gain = 'exp2_shifted' then (power(2e0, __y - coalesce(case when __l.o.relevance_threshold is null then null else __l.o.relevance_threshold end, 0) + 1) - 1) when __l.o.gain = 'map' then coalesce(cast(__l.o.gain_map as map(double, double))[__y], error(
                    'gain_map: no gain for relevance '
                    || coalesce(cast(__y as varchar), 'NULL')
                    || ' of item '
                    || coalesce(regexp_replace(cast(__l.truth[__j] as varchar), '^$', ''''''), 'NULL')
                    || '; add one'
                )) else __y end end
            ),
            lambda __g, __j: case
                when __g is null or __g = 0 or (abs(__g) >= 1e-6 and abs(__g) < 1e9) then __g
                else error(
                    'relevant: item '
                    || coalesce(regexp_replace(cast(__l.truth[__j] as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(__g as varchar), 'NULL')
                    || '; scale the relevance so that gains lie between 1e-6 and 1e9'
                )
            end
        ),
        'items': __l.closed[:case when __l.o.deep then len(__l.closed) else coalesce(__l.cutoff, len(__l.closed)) end],
        'reversed': list_reverse(__l.closed[:case when __l.o.deep then len(__l.closed) else coalesce(__l.cutoff, len(__l.closed)) end]),
        'k': __l.k,
        'o': __l.o,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'entries': recsql.list_entries_with_gains(__l),
        'length': len(__l.items),
        'returned': coalesce(case when __l.o.duplicates = 'set' then list_unique(__l.items[:__l.k]) else least(len(__l.items), __l.k) end, 0),
        'weights': list_transform(range(1, greatest(len(__l.items), case when __l.o.ideal = 'constant' then __l.k when __l.o.ideal = 'truth_uncut' then len(__l.truth) else least(len(__l.truth), __l.k) end) + 1), lambda __r: case when __l.o.discount = 'log2p1' then (1e0 / nullif(log2(__r + 1), 0)) when __l.o.discount = 'jk2002' then (1e0 / greatest(1e0, log2(__r))) when __l.o.discount = 'ln1p' then (1e0 / nullif(ln(__r + 1), 0)) when __l.o.discount = 'geometric' then power(cast(__l.o.discount_p as double), __r - 1) else 1e0 end),
        'items': __l.items,
        'k': __l.k,
        'o': __l.o,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'found': list_sort(
            list_filter(
                case when __l.o.duplicates = 'count' then flatten(
                    list_transform(
                        __l.entries,
                        lambda __e: list_transform(
                            list_filter(range(__e.rank, __l.length + 2 - __e.back), lambda __i: __l.items[__i] = __l.items[__e.rank]),
                            lambda __i: {'rank': cast(__i as integer), 'back': __e.back, 'place': __e.place, 'gain': __e.gain}
                        )
                    )
                ) else __l.entries end,
                lambda __h: case
                    when case when __l.o.truth_window = 'k' then __h.rank is null or __h.place > __l.k when __l.o.truth_window = 'rank' then __h.rank is null or __h.place > __h.rank else __h.rank is null end then false
                    when case when __l.o.duplicates = 'error' then __h.rank + __h.back <> __l.length + 1 else false end
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__l.truth[__h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __l.entries,
        'k': __l.k,
        'o': __l.o,
        'returned': __l.returned,
        'weights': __l.weights
    })
);

comment on macro recsql.gains_of_lists is 'the hits of two lists, with their gains';

-- the hits of two lists, and the items judged not relevant
create or replace macro recsql.judgements_of_lists(
    recommended, relevant, k, relevance, options
) as
    [{
        'recommended': recommended,
        'judged': relevant,
        'relevance': cast(relevance as double[]),
        'o': options,
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
    }]
    .list_transform(lambda __l: {
        'options_checked': case when __l.o.fault is not null then error(__l.o.fault) end,
        'lists_checked': recsql.check_lists(__l.recommended, __l.judged, __l.relevance),
        'closed': recsql.list_closed(__l),
        'k': coalesce(__l.cutoff, greatest(len(__l.recommended), 1)),
        'truth': recsql.list_truth_by_options(__l),
        'cutoff': __l.cutoff,
        'judged': __l.judged,
        'o': __l.o
    })
    .list_transform(lambda __l: {
        'items': __l.closed[:case when __l.o.deep then len(__l.closed) else coalesce(__l.cutoff, len(__l.closed)) end],
        'reversed': list_reverse(__l.closed[:case when __l.o.deep then len(__l.closed) else coalesce(__l.cutoff, len(__l.closed)) end]),
        'judged': __l.judged,
        'k': __l.k,
        'o': __l.o,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'entries': recsql.list_entries(__l),
        'length': len(__l.items),
        'rejected': list_transform(
            list_filter(__l.judged, lambda __x, __j: list_position(__l.judged, __x) = __j and not list_contains(__l.truth, __x)),
            lambda __x: list_position(__l.items, __x)
        ),
        'returned': coalesce(case when __l.o.duplicates = 'set' then list_unique(__l.items[:__l.k]) else least(len(__l.items), __l.k) end, 0),
        'items': __l.items,
        'k': __l.k,
        'o': __l.o,
        'truth': __l.truth
    })
    .list_transform(lambda __l: {
        'found': recsql.list_found_by_options(__l),
        'entries': __l.entries,
        'k': __l.k,
        'o': __l.o,
        'rejected': __l.rejected,
        'returned': __l.returned
    });

comment on macro recsql.judgements_of_lists is 'the hits of two lists, and the items judged not relevant';

-- the options that presets set: 'preset option', or 'preset apart option' for metrics that the preset treats differently
create or replace macro recsql.presets() as
    map_from_entries(list_transform(
        string_split(
$$cornac rank_by=score
cornac duplicates=count
cornac relevance_threshold=1
cornac gain=binary
cornac .ap_denominator=relevant
cornac .rr_cutoff=none
elliot rank_by=score
elliot duplicates=count
elliot relevance_threshold=0
elliot gain=exp2_shifted
elliot no_recs=skip
elliot .coverage_denominator=count
elliot .entropy_scope=list
elliot .gini_divide=n_minus_1
elliot .gini_orientation=equality
elliot popularity_base=users
elliot popularity_unseen=error
elliot split__ties=row_last
elliot single=truth
evidently rank_by=score
evidently .precision_denominator=returned
evidently .ap_denominator=relevant
evidently ideal=candidates
evidently .f1_average=of_means
evidently .coverage_denominator=train
evidently .gini_population=recommended
evidently .gini_divide=n_minus_1
evidently novelty_unseen=skip
evidently popularity_base=users
evidently popularity_unseen=skip
hivemall relevant=present
hivemall duplicates=count
hivemall gain=binary
hivemall ideal=truth_returned
hivemall no_recs=skip
hivemall .precision_denominator=returned
hivemall .ap_denominator=hits
ir_measures rank_by=score
ir_measures ties=item_desc
ir_measures duplicates=last
ir_measures .ap_denominator=relevant
ir_measures no_truth=zero_below_threshold
ir_measures zero_ideal=zero
ir_measures .rr_cutoff=k
jurity rank_by=score
jurity duplicates=count
jurity gain=binary
jurity ideal=truth_uncut
jurity .precision_denominator=returned
jurity apart no_recs=skip
jurity apart=ap precision
lenskit relevant=present
lenskit duplicates=count
lenskit gain=binary
lenskit discount=jk2002
lenskit no_recs=skip
lenskit no_truth=zero
lenskit zero_ideal=zero
lenskit .precision_denominator=returned
lenskit .recall_denominator=achievable
lenskit .ap_denominator=achievable_returned
lenskit rbp_p=0.85e0
lenskit split__ties=row_last
lenskit single=truth
lenskit rounding=nearest_even
pyspark_udf relevant=present
pyspark_udf truth_window=k
pyspark_udf duplicates=hole
pyspark_udf .precision_denominator=returned
pyspark_udf apart truth_window=rank
pyspark_udf apart .ap_denominator=hits
pyspark_udf apart=ap
ranx rank_by=score
ranx duplicates=last
ranx .ap_denominator=relevant
ranx .bpref_empty=null
ranx no_truth=zero_below_threshold
ranx zero_ideal=zero
recbole rank_by=score
recbole relevant=present
recbole gain=binary
recbole .entropy_base=e
recbole .entropy_normalize=distinct
recommenders rank_by=score
recommenders relevant=present
recommenders duplicates=count
recommenders gain=binary
recommenders no_recs=skip
recommenders .coverage_denominator=train
recommenders .coverage_restrict=false
recommenders novelty_base=interactions
recommenders novelty_unseen=zero
recommenders .novelty_mean=rows
recommenders .r_precision_cut=k
recommenders split__ties=row_last
recommenders single=truth
recommenders rounding=train_nearest_even
recommenders apart no_recs=zero
recommenders apart=ndcg
recpack rank_by=score
recpack gain=binary
recpack split__ties=row_last
recpack single=truth
rectools rank_by=rank
rectools relevant=present
rectools duplicates=count
rectools gain=binary
rectools .ap_denominator=relevant
rectools ideal=constant
rectools .coverage_denominator=count
rectools .coverage_restrict=false
rectools split__ties=row_last
rectools single=truth
rectools cold_users=drop
rectools cold_items=drop
rectools repeats=drop
replay rank_by=score
replay ties=item_desc
replay relevant=present
replay duplicates=set
replay gain=binary
replay .coverage_denominator=train
replay split__ties=row_last
replay single=truth
replay apart duplicates=count
replay apart=ap ndcg
returned .precision_denominator=returned
sklearn rank_by=score
sklearn ties=expected
sklearn no_recs=skip
sklearn no_truth=zero
sklearn zero_ideal=zero
sklearn ideal=candidates
spark relevant=present
spark duplicates=count
spark gain=binary
spark no_truth=zero
spark zero_ideal=zero
torchmetrics rank_by=score
torchmetrics no_recs=skip
torchmetrics no_truth=zero
torchmetrics zero_ideal=zero
torchmetrics ideal=candidates
torchmetrics .ap_denominator=hits
torchmetrics apart ties=expected
torchmetrics apart=ndcg
trec_eval rank_by=score
trec_eval ties=item_desc
trec_eval .ap_denominator=relevant
trec_eval no_recs=skip
trec_eval no_truth=zero_below_threshold
trec_eval zero_ideal=zero
trec_eval .rr_cutoff=none
trec_eval rbp_p=0.9e0$$,
            chr(10)
        ),
        lambda x: {'k': string_split(x, '=')[1], 'v': string_split(x, '=')[2]}
    ));

-- the texts of all queries by name, with marks that say under which condition a part of a text belongs to a query
create or replace macro recsql.texts() as
$$

== step.given_recs ==
{%%}-- one row per row of recs, with recsql's column names
given_recs as not materialized (
    select
        r.model,
        r.user_id,
        r.item_id,
        r.rank,
        r.score{%any_order%},
        case when typeof(r.rank) = '"NULL"'{%any_order & prefers_score%} or typeof(r.score) <> '"NULL"'{%any_order%} then 'score' else 'rank' end as rank_by{%: .columns.1%}
    from (
        from query_table('{%: source.recs%}')
        union all by name
        select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
        where false{%by_column%}
        union all by name
        select {%by_column: .columns.2%}
        where false{%%}
    ) as r
)
== step.given_truth ==
{%%}-- one row per row of truth, with recsql's column names
given_truth as not materialized (
    select
        t.user_id,
        t.item_id,
        case when typeof(t.relevance) = '"NULL"' then 1e0 else try_cast(t.relevance as double) end as relevance,
        try_cast(t.rank as bigint) as rank{%: .columns.3%}
    from (
        from query_table('{%: source.truth%}')
        union all by name
        select null as user_id, null as item_id, null as relevance, null as rank
        where false{%by_column%}
        union all by name
        select {%by_column: .columns.2%}
        where false{%%}
    ) as t
)
== step.given_users ==
{%%}-- one row per user in the table users
given_users as not materialized (
    select distinct g.user_id
    from query_table('{%: source.users%}') as g
)
== step.given_segments ==
{%%}-- one row per row of segments, with recsql's column names
given_segments as not materialized (
    select
        s.user_id{%: .columns.4%}
    from (
        from query_table('{%: source.segments%}'){%by_column%}
        union all by name
        select {%by_column: .columns.2%}
        where false{%%}
    ) as s
)
== step.given_train ==
{%%}-- one row per row of train
given_train as not materialized (
    select t.user_id, t.item_id
    from (
        from query_table('{%: source.train%}')
        union all by name
        select null as user_id where false
    ) as t
)
== step.given_candidates ==
{%%}-- one row per row of candidates
given_candidates as not materialized (
    select c.user_id, c.item_id
    from query_table('{%: source.candidates%}') as c
)
== step.cutoffs ==
{%%}-- one row per cut-off
cutoffs as (
    {%: cutoffs%}
)
== step.seen_items ==
{%%}-- one row per user and recommended item that the user has in train
seen_items as (
    select distinct r.user_id, r.item_id
    from given_recs as r
    inner join given_train as t on t.user_id = r.user_id and t.item_id = r.item_id
    where coalesce((select error(g.message) from (
        select
            coalesce(cast(i.name as varchar), 'NULL')
            || ' is '
            || coalesce(cast(i.in_left as varchar), 'NULL')
            || ' in {%: name.recs%} and '
            || coalesce(cast(i.in_right as varchar), 'NULL')
            || ' in {%: name.train%}; cast one of them to the other''s type' as message
        from (
            select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
            from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
            cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_train as r limit 1) as r
        ) as i
        where
            regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
            <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
            and '"NULL"' not in (i.in_left, i.in_right)
        limit 1
    ) as g), true)
)
== step.unseen_recs ==
{%%}-- one row per row of recs whose item the user does not have in train, with its rank among these
unseen_recs as not materialized (
    select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.score{%any_order%}, o.rank_by{%%}
    from (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
    {%any_order%}        r.rank_by,
    {%%}        s.item_id is null as is_unseen,
            -- rows with the same rank do not come before this one
            count(case when s.item_id is not null then 1 end) over (partition by r.model, r.user_id order by r.rank asc)
            - count(case when s.item_id is not null then 1 end) over (partition by r.model, r.user_id, r.rank) as dropped
        from given_recs as r
        left join seen_items as s on s.user_id = r.user_id and s.item_id = r.item_id
    ) as o
    where o.is_unseen
)
== step.candidate_items ==
{%%}-- one row per user and recommended item that is a candidate of the user
candidate_items as (
    select distinct r.user_id, r.item_id
    from given_recs as r
    inner join given_candidates as c on c.user_id = r.user_id and c.item_id = r.item_id
    where coalesce((select error(g.message) from (
        select
            coalesce(cast(i.name as varchar), 'NULL')
            || ' is '
            || coalesce(cast(i.in_left as varchar), 'NULL')
            || ' in {%: name.recs%} and '
            || coalesce(cast(i.in_right as varchar), 'NULL')
            || ' in {%: name.candidates%}; cast one of them to the other''s type' as message
        from (
            select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
            from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
            cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_candidates as r limit 1) as r
        ) as i
        where
            regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
            <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
            and '"NULL"' not in (i.in_left, i.in_right)
        limit 1
    ) as g), true)
)
== step.candidate_recs ==
{%%}-- one row per row of recs whose item is a candidate of the user, with its rank among these
candidate_recs as not materialized (
    select
        r.model,
        r.user_id,
        r.item_id,
        rank() over (partition by r.model, r.user_id order by r.rank asc) as rank,
        r.score{%any_order%},
        r.rank_by{%%}
    from {%unseen_alone%}unseen_recs{%!unseen_alone%}given_recs{%%} as r
    inner join candidate_items as c on c.user_id = r.user_id and c.item_id = r.item_id
)
== step.judged ==
{%%}-- one row per user and item of the truth, with its highest relevance
judged as (
    select t.user_id, t.item_id, max(t.relevance) as relevance
    from given_truth as t
    where t.item_id is not null
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%: name.recs%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%: name.truth%}; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true)
    group by t.user_id, t.item_id
)
== step.judged_recs ==
{%%}-- one row per row of recs whose item is judged, with its rank among these
judged_recs as not materialized (
    select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.score{%any_order%}, o.rank_by{%%}
    from (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
    {%any_order%}        r.rank_by,
    {%%}        j.item_id is not null as is_judged,
            -- rows with the same rank do not come before this one
            count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id order by r.rank asc)
            - count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id, r.rank) as dropped
        from {%!candidates=%}candidate_recs{%!train= & candidates= & seen=drop%}unseen_recs{%candidates= & train= | !seen=drop & candidates=%}given_recs{%%} as r
        left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    ) as o
    where o.is_judged
)
== step.fingerprints ==
{%%}-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
fingerprints as (
    select
        t.user_id,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
    {%ideals%}    sum(hash(xor(hash(t.relevance), hash(now())))) as profile,
    {%%}    count(*) as stated
    from (
        select t.user_id, t.item_id{%ideals%}, t.relevance{%%}
        from given_truth as t
        where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in {%: name.recs%} and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in {%: name.truth%}; cast one of them to the other''s type' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                    cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                ) as i
                where
                    regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
        union all
        select r.user_id, r.item_id{%ideals%}, null as relevance{%%}
        from given_recs as r
        where false
    ) as t
    group by t.user_id
)
== step.likely_hits ==
{%%}-- one row per possibly relevant recommended item, with its score
likely_hits as (
    select r.model, r.user_id, r.item_id, r.score
    from (
        select r.model, r.user_id, r.item_id, r.score
        from given_recs as r
        union all
        select null as model, t.user_id, t.item_id, null as score
        from given_truth as t
        where false
    ) as r
    inner join fingerprints as f
        on
            f.user_id = r.user_id
            and (f.bits >> (hash(r.item_id) & 63)) & 1 = 1
            and (f.other_bits >> (hash(r.item_id) >> 58)) & 1 = 1
)
== step.floors ==
{%%}-- one row per list with a possibly relevant item: the lowest score of such items; items below it need no rank
floors as (
    select
        r.model,
        r.user_id,
    {%ranks_counted%}    count(*) <= 3 and bit_count(bit_or(cast(1 as ubigint) << (hash(r.item_id) & 63))) = count(*) as few,
    {%%}    min(r.score) as score
    from likely_hits as r
    group by r.model, r.user_id
)
== step.counted ==
{%%}-- one row per possibly relevant item of a list with few of them: its rank, which is the number of items that are no worse
counted as (
    select l.model, l.user_id, l.item_id, count(*) as rank
    from likely_hits as l
    inner join floors as f on f.model is not distinct from l.model and f.user_id = l.user_id
    inner join given_recs as r on r.model is not distinct from l.model and r.user_id = l.user_id
    where f.few and (r.score > l.score or (r.score = l.score and {%ties=item_desc%}r.item_id >= l.item_id{%!ties=item_desc%}r.item_id <= l.item_id{%%}))
    group by l.model, l.user_id, l.item_id
)
== step.contenders ==
{%%}-- one row per row of recs that needs a rank: its score reaches the floor of its list
contenders as not materialized (
    select r.*
    from {%judged_only=true%}judged_recs{%!candidates= & !judged_only=true%}candidate_recs{%!judged_only=true & !train= & candidates= & seen=drop%}unseen_recs{%!judged_only=true & candidates= & train= | !judged_only=true & !seen=drop & candidates=%}given_recs{%%} as r
    inner join floors as f on f.model is not distinct from r.model and f.user_id = r.user_id and r.score >= f.score{%ranks_counted%} and not f.few{%%}
)
== step.scored ==
{%%}-- one row per scored item, ranked by its score
scored as not materialized (
    {%!ties=best/expected/worst%}select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, {%ties=item_desc%}r.item_id desc{%ties=input%}r.rank asc, r.item_id asc{%!ties=best/expected/worst & !ties=input & !ties=item_desc%}r.item_id asc{%!ties=best/expected/worst%}
        ) as rank
    from {%!ties=best/expected/worst & ranks_of_hits%}contenders{%!ranks_of_hits & !ties=best/expected/worst & judged_only=true%}judged_recs{%!candidates= & !judged_only=true & !ranks_of_hits & !ties=best/expected/worst%}candidate_recs{%!judged_only=true & !ranks_of_hits & !ties=best/expected/worst & !train= & candidates= & seen=drop%}unseen_recs{%!judged_only=true & !ranks_of_hits & !ties=best/expected/worst & candidates= & train= | !judged_only=true & !ranks_of_hits & !seen=drop & !ties=best/expected/worst & candidates=%}given_recs{%!ties=best/expected/worst%} as r{%!ties=best/expected/worst & any_order%}
    where r.rank_by = 'score'{%ties=best/expected/worst%}select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
        rank() over (partition by r.model, r.user_id order by r.score desc) as rank
    from (
    {%duplicates=first/last & ties=best/expected/worst%}    select r.model, r.user_id, r.item_id, {%duplicates=last & ties=best/expected/worst%}min{%duplicates=first & ties=best/expected/worst%}max{%duplicates=first/last & ties=best/expected/worst%}(r.score) as score
        from {%duplicates=first/last & ranks_of_hits & ties=best/expected/worst%}contenders{%!ranks_of_hits & duplicates=first/last & judged_only=true & ties=best/expected/worst%}judged_recs{%!candidates= & !judged_only=true & !ranks_of_hits & duplicates=first/last & ties=best/expected/worst%}candidate_recs{%!judged_only=true & !ranks_of_hits & !train= & candidates= & duplicates=first/last & seen=drop & ties=best/expected/worst%}unseen_recs{%!judged_only=true & !ranks_of_hits & candidates= & duplicates=first/last & ties=best/expected/worst & train= | !judged_only=true & !ranks_of_hits & !seen=drop & candidates= & duplicates=first/last & ties=best/expected/worst%}given_recs{%duplicates=first/last & ties=best/expected/worst%} as r{%any_order & duplicates=first/last & ties=best/expected/worst%}
        where r.rank_by = 'score'{%duplicates=first/last & ties=best/expected/worst%}
        group by r.model, r.user_id, r.item_id{%!duplicates=first/last & ties=best/expected/worst%}    select r.model, r.user_id, r.item_id, r.score
        from {%!duplicates=first/last & ranks_of_hits & ties=best/expected/worst%}contenders{%!duplicates=first/last & !ranks_of_hits & judged_only=true & ties=best/expected/worst%}judged_recs{%!candidates= & !duplicates=first/last & !judged_only=true & !ranks_of_hits & ties=best/expected/worst%}candidate_recs{%!duplicates=first/last & !judged_only=true & !ranks_of_hits & !train= & candidates= & seen=drop & ties=best/expected/worst%}unseen_recs{%!duplicates=first/last & !judged_only=true & !ranks_of_hits & candidates= & ties=best/expected/worst & train= | !duplicates=first/last & !judged_only=true & !ranks_of_hits & !seen=drop & candidates= & ties=best/expected/worst%}given_recs{%!duplicates=first/last & ties=best/expected/worst%} as r{%!duplicates=first/last & any_order & ties=best/expected/worst%}
        where r.rank_by = 'score'{%ties=best/expected/worst%}
    ) as r{%%}
)
== step.ranked ==
{%%}-- one row per row of recs, with its rank
ranked as not materialized (
    {%!duplicates=first/last & !rank_by=score%}select r.model, r.user_id, r.item_id, r.rank{%!duplicates=first/last & !rank_by=score & ties=best/expected/worst%}, r.rank as last{%!duplicates=first/last & !rank_by=score%}
    from {%!duplicates=first/last & !rank_by=score & judged_only=true%}judged_recs{%!candidates= & !duplicates=first/last & !judged_only=true & !rank_by=score%}candidate_recs{%!duplicates=first/last & !judged_only=true & !rank_by=score & !train= & candidates= & seen=drop%}unseen_recs{%!duplicates=first/last & !judged_only=true & !rank_by=score & candidates= & train= | !duplicates=first/last & !judged_only=true & !rank_by=score & !seen=drop & candidates=%}given_recs{%!duplicates=first/last & !rank_by=score%} as r{%!duplicates=first/last & !rank_by=score & any_order%}
    where r.rank_by = 'rank'{%!duplicates=first/last & !rank_by=rank & !rank_by=score%}
    union all
    {%!duplicates=first/last & !rank_by=rank%}select r.model, r.user_id, r.item_id, r.rank{%!duplicates=first/last & !rank_by=rank & ties=best/expected/worst%}, r.last{%!duplicates=first/last & !rank_by=rank%}
    from scored as r{%!duplicates=first/last & ranks_counted%}
    union all
    select c.model, c.user_id, c.item_id, c.rank
    from counted as c{%duplicates=first/last%}select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank{%duplicates=first/last & ties=best/expected/worst%}, o.last - o.dropped as last{%duplicates=first/last%}
    from (
        select
            c.model,
            c.user_id,
            c.item_id,
            c.rank,
    {%duplicates=first/last & ties=best/expected/worst%}        c.last,
    {%duplicates=first/last%}        c.copy,
            -- rows with the same rank do not come before this one
            count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
            - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
    {%duplicates=first/last & ties=best/expected/worst%}            r.last,
    {%duplicates=first/last%}            row_number() over (
                    partition by r.model, r.user_id, r.item_id
                    order by {%duplicates=last%}-try_cast(r.rank as bigint){%duplicates=first%}r.rank{%duplicates=first/last%} asc
                ) as copy
            from (
                {%!rank_by=score & duplicates=first/last%}select r.model, r.user_id, r.item_id, r.rank{%!rank_by=score & duplicates=first/last & ties=best/expected/worst%}, r.rank as last{%!rank_by=score & duplicates=first/last%}
                from {%!rank_by=score & duplicates=first/last & judged_only=true%}judged_recs{%!candidates= & !judged_only=true & !rank_by=score & duplicates=first/last%}candidate_recs{%!judged_only=true & !rank_by=score & !train= & candidates= & duplicates=first/last & seen=drop%}unseen_recs{%!judged_only=true & !rank_by=score & candidates= & duplicates=first/last & train= | !judged_only=true & !rank_by=score & !seen=drop & candidates= & duplicates=first/last%}given_recs{%!rank_by=score & duplicates=first/last%} as r{%!rank_by=score & any_order & duplicates=first/last%}
                where r.rank_by = 'rank'{%!rank_by=rank & !rank_by=score & duplicates=first/last%}
                union all
                {%!rank_by=rank & duplicates=first/last%}select r.model, r.user_id, r.item_id, r.rank{%!rank_by=rank & duplicates=first/last & ties=best/expected/worst%}, r.last{%!rank_by=rank & duplicates=first/last%}
                from scored as r{%duplicates=first/last & ranks_counted%}
                union all
                select c.model, c.user_id, c.item_id, c.rank
                from counted as c{%duplicates=first/last%}
            ) as r
        ) as c
    ) as o
    where o.copy = 1{%%}
)
== step.recommended ==
{%%}-- one row per recommended item, up to the largest cut-off
recommended as not materialized (
    select r.model, r.user_id, r.item_id, r.rank{%ties=best/expected/worst%}, r.last{%%}
    from ranked as r{%!needs.whole_list%}
    where r.rank <= {%!needs.whole_list: depth%}{%%}
)
== step.suspects ==
{%%}-- one row per user who may have repeated items in the truth: the user has fewer bits than rows
suspects as (
    select f.user_id
    from fingerprints as f
    where greatest(bit_count(f.bits), bit_count(f.other_bits)) < f.stated
)
== step.repeaters ==
{%%}-- one row per suspect with a repeated item in the truth
repeaters as (
    select t.user_id, true as repeats
    from given_truth as t
    inner join suspects as s on s.user_id = t.user_id
    where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
    group by t.user_id
    having list_unique(list(t.item_id)) < count(*)
)
== step.folded ==
{%%}-- one row per repeater and relevant item, with its highest relevance
folded as (
    select
        t.user_id,
        t.item_id,
    {%needs.truth_rank%}    min(t.rank) as rank,
    {%%}    max(t.relevance) as relevance
    from given_truth as t
    inner join repeaters as p on p.user_id = t.user_id
    where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
    group by t.user_id, t.item_id
)
== step.relevant ==
{%%}-- one row per user and relevant item; repeated items count once, with their highest relevance
relevant as not materialized (
    select t.user_id, t.item_id{%needs.truth_rank%}, t.rank as truth_rank{%%}, {%gain=binary%}1e0{%gain=exp2%}(power(2e0, t.relevance) - 1){%gain=exp2_shifted%}(power(2e0, t.relevance - coalesce({%gain=exp2_shifted & relevance_threshold=%}null{%!relevance_threshold= & gain=exp2_shifted: relevance_threshold%}{%gain=exp2_shifted%}, 0) + 1) - 1){%gain=map%}coalesce({%gain=map: gain of t.relevance%}, error(
            'gain_map: no gain for relevance '
            || coalesce(cast(t.relevance as varchar), 'NULL')
            || ' of user '
            || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
            || ', item '
            || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
            || '; add one'
        )){%!gain=binary & !gain=exp2 & !gain=exp2_shifted & !gain=map%}t.relevance{%%} as gain
    from (
        select t.user_id, t.item_id, t.relevance{%needs.truth_rank%}, t.rank{%%}
        from given_truth as t
        left join repeaters as p on p.user_id = t.user_id
        where
            not coalesce(p.repeats, false)
            and {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
        union all
        select t.user_id, t.item_id, t.relevance{%needs.truth_rank%}, t.rank{%%}
        from folded as t
    ) as t
)
== step.users ==
{%%}-- one row per user with relevant items: their number, and the profile of their gains; equal gains have equal profiles
users as (
    select f.user_id, {%ideals%}f.profile, {%%}f.stated as relevant
    from fingerprints as f
    left join repeaters as p on p.user_id = f.user_id
    where not coalesce(p.repeats, false)
    union all
    select t.user_id, {%ideals%}sum(hash(xor(hash(t.relevance), hash(now())))) as profile, {%%}count(*) as relevant
    from folded as t
    group by t.user_id
)
== step.entries ==
{%%}-- one row per user with relevant items: the gains of the items, with their ranks in the ordered truth
entries as (
    select t.user_id, list({'rank': t.truth_rank, 'gain': t.gain} order by t.gain desc, t.truth_rank asc) as entries
    from relevant as t
    group by t.user_id
)
== step.examples ==
{%%}-- one row per profile: one user who represents all users with this profile
examples as (
    select u.profile, u.relevant, min(u.user_id) as user_id
    from users as u
    group by u.profile, u.relevant
)
== step.ideals ==
{%%}-- one row per profile: the gains of the relevant items, highest first
ideals as (
    select
        e.profile,
        e.relevant,
        list(t.gain order by t.gain desc) as gains
    from relevant as t
    inner join examples as e on e.user_id = t.user_id
    group by e.profile, e.relevant
)
== step.possible_hits ==
{%%}-- one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST
possible_hits as not materialized (
    select r.model, r.user_id, r.item_id, r.rank{%ties=best/expected/worst%}, r.last{%%}
    from (
        select r.model, r.user_id, r.item_id, r.rank{%ties=best/expected/worst%}, r.last{%%}
        from recommended as r
        union all
        select null as model, t.user_id, t.item_id, null as rank{%ties=best/expected/worst%}, null as last{%%}
        from given_truth as t
        where false
    ) as r
    inner join fingerprints as f
        on
            f.user_id = r.user_id
            and (f.bits >> (hash(r.item_id) & 63)) & 1 = 1
            and (f.other_bits >> (hash(r.item_id) >> 58)) & 1 = 1
)
== step.found ==
{%%}-- one row per list and relevant item in the list, at its best rank
found as (
    select
        r.model,
        r.user_id,
        r.item_id,
        min(r.rank) as rank,
    {%ties=best/expected/worst%}    min(r.last) as last,
    {%%}    min_by(t.gain, r.rank) as gain,
    {%needs.truth_rank%}    max(t.truth_rank) as truth_rank,
    {%%}    count(*) as copies
    from possible_hits as r
    inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id, r.item_id{%duplicates=count%}, r.rank{%%}
)
== step.placed ==
{%%}-- one row per list and relevant item in the list; a tied item has its best or worst possible rank
placed as (
    select
        o.model,
        o.user_id,
        o.item_id,
        {%ties=worst%}o.last + 1 - o.place{%!ties=worst%}o.rank - 1 + o.place{%%} as rank,
        o.gain,
        o.copies{%needs.truth_rank%}, o.truth_rank{%%}
    from (
        select
            f.model,
            f.user_id,
            f.item_id,
            f.rank,
            f.last,
            f.gain,
            f.copies,
    {%needs.truth_rank%}        f.truth_rank,
    {%%}        row_number() over (partition by f.model, f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
        from found as f
    ) as o
)
== step.tied_hits ==
{%%}-- one row per hit and rank that it has in some order of the tied items: the probability, and the expected values at that rank
tied_hits as (
    select
        o.model,
        o.user_id,
        o.item_id,
        o.gain,
        o.copies,
        o.place,
        o.first - 1 + o.place as rank,
        o.before + 1 + (o.place - 1) * (o.together - 1) / cast(greatest(o.items - 1, 1) as double) as nth,
        1e0 / o.items as probability,
        case
            when o.before = 0
                then
                    coalesce(
                        product((o.items - o.together - o.place + 1e0) / (o.items - o.place + 1)) over (
                            partition by o.model, o.user_id, o.item_id, o.first
                            order by o.place asc
                            rows between unbounded preceding and 1 preceding
                        ),
                        1e0
                    )
                    / (o.items - o.place + 1)
            else 0e0
        end as leads
    from (
        select
            b.model,
            b.user_id,
            b.item_id,
            b.gain,
            b.copies,
            b.rank as first,
            b.last - b.rank + 1 as items,
            b.before,
            b.together,
            i.i - b.rank + 1 as place
        from (
            select
                f.model,
                f.user_id,
                f.item_id,
                f.gain,
                f.copies,
                f.rank,
                f.last,
                rank() over (partition by f.model, f.user_id order by f.rank asc) - 1 as before,
                count(*) over (partition by f.model, f.user_id, f.rank) as together
            from found as f
        ) as b
        inner join (select unnest(range(1, {%needs.whole_list | uncut%}(select cast(max(f.last) as bigint) from found as f){%!needs.whole_list & !uncut: depth%}{%%} + 1)) as i) as i on i.i between b.rank and b.last
    ) as o
)
== step.hits ==
{%%}-- one row per hit, numbered in list order
hits as (
    {%ties=expected%}select
        t.model,
        t.user_id,
        t.item_id,
        t.rank,
        t.gain,
        t.copies,
        t.place,
        t.probability,
        t.leads,
        t.nth
    from tied_hits as t{%!ties=expected%}select
        f.model,
        f.user_id,
        f.item_id,
        try_cast(f.rank as bigint) as rank,
    {%!ties=expected & needs.truth_rank%}    f.truth_rank,
    {%!ties=expected%}    f.gain,
        f.copies,
        row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
    from {%ties=best/worst%}placed{%!ties=best/worst & !ties=expected%}found{%!ties=expected%} as f{%!ties=expected & truth_window=rank%}
    where f.truth_rank <= f.rank{%%}
)
== step.hits_in_force ==
{%%}-- one row per hit and cut-off at which it counts
hits_in_force as (
    {%truth_window=k%}select
        h.model,
        h.user_id,
        h.item_id,
        c.k,
        h.rank,
        h.gain,
        row_number() over (partition by h.model, h.user_id, c.k order by h.rank asc, h.nth asc) as nth{%ties=expected & truth_window=k%}, h.probability, h.leads{%truth_window=k%}
    from hits as h
    inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank){%!truth_window=k%}select h.model, h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth{%!truth_window=k & ties=expected%}, h.probability, h.leads{%!truth_window=k%}
    from hits as h
    inner join cutoffs as c on c.k >= h.rank{%%}
)
== step.readings ==
{%%}-- one row per hit and cut-off at which it counts, with the probability that a reader who stops at items gets there
readings as (
    select
        h.model,
        h.user_id,
        h.item_id,
        h.k,
        h.rank,
        h.gain,
        h.nth,
        coalesce(product(1 - {%gain=exp2/exp2_shifted%}(greatest(h.gain, 0e0) / power(2e0, {%gain=exp2/exp2_shifted: err_max_grade%})){%!gain=exp2/exp2_shifted%}((power(2e0, greatest(h.gain, 0e0)) - 1) / power(2e0, {%!gain=exp2/exp2_shifted: err_max_grade%})){%%}) over (
            partition by h.model, h.user_id, h.k
            order by h.nth asc
            rows between unbounded preceding and 1 preceding
        ), 1e0) as reached
    from hits_in_force as h
)
== step.harmonics ==
{%%}-- one row per rank: the sum 1/1 + 1/2 + ... + 1/rank
harmonics as (
    select i.i as rank, sum(coalesce(1e0 / nullif(i.i, 0), 0e0)) over (order by i.i asc) as harmonic
    from (select unnest(range(0, {%: deepest%} + 1)) as i) as i
)
== step.hits_at_k ==
{%%}-- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
hits_at_k as (
    select
        h.model,
        h.user_id,
        h.k{%needs.any_hit%},
        {%needs.any_hit & ties=expected%}sum(try_cast(1e18 * h.leads as hugeint)) / 1e18{%!ties=expected & needs.any_hit%}1e0{%needs.any_hit%} as any_hit{%needs.cg%},
        {%needs.cg & ties=expected%}sum(try_cast(1e18 * (h.gain * h.probability) as hugeint)) / 1e18{%!ties=expected & needs.cg%}sum(try_cast(1e18 * h.gain as hugeint)) / 1e18{%needs.cg%} as cg{%needs.dcg%},
        sum(try_cast(1e18 * (h.gain * {%discount=log2p1 & needs.dcg%}(1e0 / nullif(log2(h.rank + 1), 0)){%discount=jk2002 & needs.dcg%}(1e0 / greatest(1e0, log2(h.rank))){%discount=ln1p & needs.dcg%}(1e0 / nullif(ln(h.rank + 1), 0)){%discount=geometric & needs.dcg%}power(cast({%discount=geometric & needs.dcg: discount_p%} as double), h.rank - 1){%!discount=geometric & !discount=jk2002 & !discount=ln1p & !discount=log2p1 & needs.dcg%}1e0{%needs.dcg & ties=expected%} * h.probability{%needs.dcg%}) as hugeint)) / 1e18 as dcg{%needs.distinct_hits%},
        {%needs.distinct_hits & ties=expected%}sum(try_cast(1e18 * h.probability as hugeint)) / 1e18{%!ties=expected & duplicates=count & needs.distinct_hits%}list_unique(list(h.item_id)){%!duplicates=count & !ties=expected & needs.distinct_hits%}count(*){%needs.distinct_hits%} as distinct_hits{%needs.expected_stop%},
        sum(try_cast(1e18 * (h.reached * {%gain=exp2/exp2_shifted & needs.expected_stop%}(greatest(h.gain, 0e0) / power(2e0, {%gain=exp2/exp2_shifted & needs.expected_stop: err_max_grade%})){%!gain=exp2/exp2_shifted & needs.expected_stop%}((power(2e0, greatest(h.gain, 0e0)) - 1) / power(2e0, {%!gain=exp2/exp2_shifted & needs.expected_stop: err_max_grade%})){%needs.expected_stop%} / nullif(h.rank, 0)) as hugeint)) / 1e18 as expected_stop{%needs.hits%},
        {%needs.hits & ties=expected%}sum(try_cast(1e18 * h.probability as hugeint)) / 1e18{%!ties=expected & needs.hits%}count(*){%needs.hits%} as hits{%needs.hits_to_r%},
        {%needs.hits_to_r & ties=expected%}sum(try_cast(1e18 * (case when h.rank <= v.relevant then h.probability else 0e0 end) as hugeint)) / 1e18{%!ties=expected & needs.hits_to_r%}count(case when h.rank <= v.relevant then 1 end){%needs.hits_to_r%} as hits_to_r{%needs.persistent_gain%},
        sum(try_cast(1e18 * (h.gain * power(cast({%needs.persistent_gain: rbp_p%} as double), h.rank - 1){%needs.persistent_gain & ties=expected%} * h.probability{%needs.persistent_gain%}) as hugeint)) / 1e18 as persistent_gain{%needs.precision_sum%},
        sum(try_cast(1e18 * (h.nth / nullif(cast(h.rank as double), 0){%needs.precision_sum & ties=expected%} * h.probability{%needs.precision_sum%}) as hugeint)) / 1e18 as precision_sum{%needs.precision_total%},
        sum(try_cast(1e18 * ({%needs.precision_total & ties=expected%}(upto.harmonic - before.harmonic) * h.probability{%!ties=expected & needs.precision_total%}upto.harmonic - before.harmonic{%needs.precision_total%}) as hugeint)) / 1e18 as precision_total{%needs.reciprocal_rank%},
        {%needs.reciprocal_rank & ties=expected%}sum(try_cast(1e18 * (h.leads / nullif(h.rank, 0)) as hugeint)) / 1e18{%!ties=expected & needs.reciprocal_rank%}1e0 / nullif(min(h.rank), 0){%needs.reciprocal_rank%} as reciprocal_rank{%%}
    from {%needs.readings%}readings{%!needs.readings%}hits_in_force{%%} as h
    {%needs.hits_to_r%}inner join users as v on v.user_id = h.user_id
    {%needs.harmonics & needs.precision_total%}left join harmonics as upto on upto.rank = h.k
    left join harmonics as before on before.rank = h.rank - 1
    {%%}group by h.model, h.user_id, h.k
)
== step.rejected ==
{%%}-- one row per list and item in the list that is judged not relevant, at its best rank
rejected as (
    select r.model, r.user_id, r.item_id, min({%ties=best%}r.last{%!ties=best%}r.rank{%%}) as rank
    from recommended as r
    inner join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    where not ({%relevant=present%}true{%!relevant=present & relevance_threshold=%}j.relevance > 0{%!relevance_threshold= & !relevant=present%}j.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%})
    group by r.model, r.user_id, r.item_id
)
== step.rejections ==
{%%}-- one row per user: the number of items that are judged not relevant
rejections as (
    select j.user_id, count(*) as items
    from judged as j
    where not ({%relevant=present%}true{%!relevant=present & relevance_threshold=%}j.relevance > 0{%!relevance_threshold= & !relevant=present%}j.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%})
    group by j.user_id
)
== step.preferences ==
{%%}-- one row per hit: the number of items above it that are judged not relevant
preferences as (
    select
        p.model,
        p.user_id,
        p.nth,
        p.above
    from (
        select
            o.model,
            o.user_id,
            o.nth,
            count(case when o.nth is null then 1 end) over (partition by o.model, o.user_id order by o.rank asc) as above
        from (
            select h.model, h.user_id, h.rank, h.nth
            from hits as h
            union all
            select r.model, r.user_id, r.rank, null as nth
            from rejected as r
        ) as o
    ) as p
    where p.nth is not null
)
== step.hits_of_list ==
{%%}-- one row per model, user with a hit and cut-off: the statistics of the hits in the whole list
hits_of_list as (
    select
        h.model,
        h.user_id,
        c.k{%needs.candidate_gains%},
        {%needs.candidate_gains & ties=expected%}list(h.gain order by h.gain desc) filter (where h.place = 1){%!ties=expected & needs.candidate_gains%}list(h.gain order by h.gain desc){%needs.candidate_gains%} as candidate_gains{%needs.hits_anywhere%},
        count(*) as hits_anywhere{%needs.hits_to_r_anywhere%},
        {%needs.hits_to_r_anywhere & ties=expected%}sum(try_cast(1e18 * (case when h.rank <= v.relevant then h.probability else 0e0 end) as hugeint)) / 1e18{%!ties=expected & needs.hits_to_r_anywhere%}count(case when h.rank <= v.relevant then 1 end){%needs.hits_to_r_anywhere%} as hits_to_r_anywhere{%needs.preceded%},
        cast(sum(least(b.above, r.relevant)) as bigint) as preceded{%needs.reciprocal_rank_anywhere%},
        {%needs.reciprocal_rank_anywhere & ties=expected%}sum(try_cast(1e18 * (h.leads / nullif(h.rank, 0)) as hugeint)) / 1e18{%!ties=expected & needs.reciprocal_rank_anywhere%}1e0 / nullif(min(h.rank), 0){%needs.reciprocal_rank_anywhere%} as reciprocal_rank_anywhere{%%}
    from hits as h
    cross join cutoffs as c
    {%needs.hits_to_r_anywhere%}inner join users as v on v.user_id = h.user_id
    {%needs.preceded & needs.preferences%}inner join preferences as b on b.model is not distinct from h.model and b.user_id = h.user_id and b.nth = h.nth
    inner join users as r on r.user_id = h.user_id
    {%truth_window=k%}where h.truth_rank <= c.k
    {%%}group by h.model, h.user_id, c.k
)
== step.splits ==
{%%}-- one row per list, cut-off that separates tied items, and possible number of hits: its weight, and the sum of precisions
splits as (
    select
        w.model,
        w.user_id,
        w.k,
        w.before,
        w.before + w.hits as hits,
        w.precisions,
        exp(w.weight - max(w.weight) over (partition by w.model, w.user_id, w.k)) as weight
    from (
        select
            b.model,
            b.user_id,
            b.k,
            b.before,
            x.i as hits,
    {%ties=best%}        x.i + (b.before - b.first + 1) * (best.harmonic - before.harmonic) as precisions,{%ties=worst%}        x.i + (b.before - b.k + x.i) * (upto.harmonic - worst.harmonic) as precisions,{%!ties=best & !ties=worst%}        x.i / cast(b.above as double) * (
                (b.before + 1 - b.first * (x.i - 1) / greatest(b.above - 1e0, 1e0)) * (upto.harmonic - before.harmonic)
                + (x.i - 1) * b.above / greatest(b.above - 1e0, 1e0)
            ) as precisions,{%%}
            sum(
                case
                    when x.i > 0 and x.i > b.together + b.above - b.items
                        then ln((b.together - x.i + 1e0) * (b.above - x.i + 1) / (x.i * (b.items - b.together - b.above + x.i)))
                    else 0e0
                end
            ) over (partition by b.model, b.user_id, b.k order by x.i asc) as weight
        from (
            select
                o.model,
                o.user_id,
                c.k,
                o.before,
                o.rank as first,
                o.last - o.rank + 1 as items,
                c.k - o.rank + 1 as above,
                count(*) as together
            from (
                select
                    f.model,
                    f.user_id,
                    f.rank,
                    f.last,
                    rank() over (partition by f.model, f.user_id order by f.rank asc) - 1 as before
                from found as f
            ) as o
            inner join cutoffs as c on c.k >= o.rank and c.k < o.last
            group by o.model, o.user_id, c.k, o.before, o.rank, o.last
        ) as b
        inner join (select unnest(range(0, {%: deepest%} + 1)) as i) as x on x.i between b.together + b.above - b.items and least(b.together, b.above)
        inner join harmonics as before on before.rank = b.first - 1
        inner join harmonics as upto on upto.rank = b.k
        inner join harmonics as best on best.rank = b.first - 1 + x.i
        inner join harmonics as worst on worst.rank = b.k - x.i
    ) as w
)
== step.splits_at_k ==
{%%}-- one row per model, user and cut-off that separates tied items: the statistics of the splits
splits_at_k as (
    select
        y.model,
        y.user_id,
        y.k,
        {%ties=best%}max(coalesce(y.precision, 0e0)){%ties=worst%}min(coalesce(y.precision, 0e0)){%!ties=best & !ties=worst%}(sum(try_cast(1e18 * (y.weight * coalesce(y.precision, 0e0)) as hugeint)) / 1e18) / (sum(try_cast(1e18 * y.weight as hugeint)) / 1e18){%%} as split_precision
    from (
        select
            x.model,
            x.user_id,
            x.k,
            x.weight,
            (coalesce(sum(try_cast(1e18 * (h.nth / cast(h.rank as double){%ties=expected%} * h.probability{%%}) as hugeint)) / 1e18, 0e0) + x.precisions) / nullif(x.hits, 0) as precision
        from splits as x
        left join hits_in_force as h on h.model is not distinct from x.model and h.user_id = x.user_id and h.k = x.k and h.nth <= x.before
        group by x.model, x.user_id, x.k, x.hits, x.weight, x.precisions
    ) as y
    group by y.model, y.user_id, y.k
)
== step.list_ranks ==
{%%}-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
    {%lengths_count%}    max({%any_order & lengths_count%}case when r.rank_by = 'rank' then r.rank end{%!any_order & !rank_by=score & lengths_count%}r.rank{%!any_order & lengths_count & rank_by=score%}null{%lengths_count%}) as last_rank,
    {%!rank_by=score%}    bit_xor(hash(xor(hash(try_cast({%!rank_by=score & any_order%}case when r.rank_by = 'rank' then r.rank end{%!any_order & !rank_by=score%}r.rank{%!rank_by=score%} as bigint)), hash(now())))) as ranks,
    {%%}    count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
)
== step.lists ==
{%fast.lists%}-- one row per model and user with a list
lists as (
    select n.model, n.user_id, n.returned{%fast.lists & lengths_count%}, n.last_rank{%fast.lists%}
    from list_ranks as n
){%!fast.lists%}-- one row per model and user with a list
lists as (
    {%!fast.lists & duplicates=first/last/set%}select i.model, i.user_id, count(i.item_id) as returned{%!fast.lists & duplicates=set & lengths_count%}, coalesce(max(i.last_rank), sum(i.copies)) as last_rank{%!fast.lists & duplicates=first/last & lengths_count%}, count(i.item_id) + max(i.last_rank) - sum(i.copies) as last_rank{%!fast.lists & duplicates=first/last/set%}
    from (
        select r.model, r.user_id, r.item_id, {%!fast.lists & closed_up & duplicates=first/last/set%}count(r.item_id){%!closed_up & !fast.lists & duplicates=first/last/set%}count(*){%!fast.lists & duplicates=first/last/set%} as copies, max({%!fast.lists & any_order & duplicates=first/last/set%}case when r.rank_by = 'rank' then r.rank end{%!any_order & !fast.lists & !rank_by=score & duplicates=first/last/set%}r.rank{%!any_order & !fast.lists & duplicates=first/last/set & rank_by=score%}null{%!fast.lists & duplicates=first/last/set%}) as last_rank
        from {%!fast.lists & closed_up & duplicates=first/last/set%}(
            select r.model, r.user_id, r.item_id, r.rank{%!fast.lists & any_order & closed_up & duplicates=first/last/set%}, r.rank_by{%!fast.lists & closed_up & duplicates=first/last/set%}
            from {%!fast.lists & closed_up & duplicates=first/last/set & judged_only=true%}judged_recs{%!candidates= & !fast.lists & !judged_only=true & closed_up & duplicates=first/last/set%}candidate_recs{%!fast.lists & !judged_only=true & !train= & candidates= & closed_up & duplicates=first/last/set & seen=drop%}unseen_recs{%!fast.lists & !judged_only=true & candidates= & closed_up & duplicates=first/last/set & train= | !fast.lists & !judged_only=true & !seen=drop & candidates= & closed_up & duplicates=first/last/set%}given_recs{%!fast.lists & closed_up & duplicates=first/last/set%} as r
            union all
            select distinct r.model, r.user_id, null as item_id, null as rank{%!fast.lists & any_order & closed_up & duplicates=first/last/set%}, r.rank_by{%!fast.lists & closed_up & duplicates=first/last/set%}
            from given_recs as r
        ){%!closed_up & !fast.lists & duplicates=first/last/set%}given_recs{%!fast.lists & duplicates=first/last/set%} as r
        group by r.model, r.user_id, r.item_id
    ) as i
    group by i.model, i.user_id{%!duplicates=first/last/set & !fast.lists & closed_up%}select r.model, r.user_id, count(r.item_id) as returned{%!duplicates=first/last/set & !fast.lists & closed_up & lengths_count%}, max({%!duplicates=first/last/set & !fast.lists & any_order & closed_up & lengths_count%}case when r.rank_by = 'rank' then r.rank end{%!any_order & !duplicates=first/last/set & !fast.lists & !rank_by=score & closed_up & lengths_count%}r.rank{%!any_order & !duplicates=first/last/set & !fast.lists & closed_up & lengths_count & rank_by=score%}null{%!duplicates=first/last/set & !fast.lists & closed_up & lengths_count%}) as last_rank{%!duplicates=first/last/set & !fast.lists & closed_up%}
    from (
        select r.model, r.user_id, r.item_id, r.rank{%!duplicates=first/last/set & !fast.lists & any_order & closed_up%}, r.rank_by{%!duplicates=first/last/set & !fast.lists & closed_up%}
        from {%!duplicates=first/last/set & !fast.lists & closed_up & judged_only=true%}judged_recs{%!candidates= & !duplicates=first/last/set & !fast.lists & !judged_only=true & closed_up%}candidate_recs{%!duplicates=first/last/set & !fast.lists & !judged_only=true & !train= & candidates= & closed_up & seen=drop%}unseen_recs{%!duplicates=first/last/set & !fast.lists & !judged_only=true & candidates= & closed_up & train= | !duplicates=first/last/set & !fast.lists & !judged_only=true & !seen=drop & candidates= & closed_up%}given_recs{%!duplicates=first/last/set & !fast.lists & closed_up%} as r
        union all
        select distinct r.model, r.user_id, null as item_id, null as rank{%!duplicates=first/last/set & !fast.lists & any_order & closed_up%}, r.rank_by{%!duplicates=first/last/set & !fast.lists & closed_up%}
        from given_recs as r
    ) as r
    group by r.model, r.user_id{%!closed_up & !duplicates=first/last/set & !fast.lists%}select r.model, r.user_id, count(*) as returned{%!closed_up & !duplicates=first/last/set & !fast.lists & lengths_count%}, max({%!closed_up & !duplicates=first/last/set & !fast.lists & any_order & lengths_count%}case when r.rank_by = 'rank' then r.rank end{%!any_order & !closed_up & !duplicates=first/last/set & !fast.lists & !rank_by=score & lengths_count%}r.rank{%!any_order & !closed_up & !duplicates=first/last/set & !fast.lists & lengths_count & rank_by=score%}null{%!closed_up & !duplicates=first/last/set & !fast.lists & lengths_count%}) as last_rank{%!closed_up & !duplicates=first/last/set & !fast.lists%}
    from given_recs as r
    group by r.model, r.user_id{%!fast.lists%}
)
== step.gaps ==
{%%}-- one row per list whose ranks have gaps, with its ranks
gaps as (
    select i.model, i.user_id, list(i.rank) as ranks
    from (
        select r.model, r.user_id, r.item_id, min(r.rank) as rank
        from ranked as r
        inner join lists as l on l.model is not distinct from r.model and l.user_id = r.user_id
        where l.last_rank <> l.returned
        group by r.model, r.user_id, r.item_id{%!duplicates=set%}, r.rank{%%}
    ) as i
    group by i.model, i.user_id
)
== step.models ==
{%%}-- one row per model; one row without a name if nothing is recommended
models as (
    select distinct r.model
    from given_recs as r
    union all
    select cast(null as varchar) as model
    where not exists (select 1 from given_recs as r)
)
== step.candidates ==
{%%}-- one row per model and user that a policy may count
candidates as (
    select m.model, u.user_id
    from models as m
    cross join users as u{%users=table%}
    where coalesce((select error(g.message) from (
        select
            coalesce(cast(i.name as varchar), 'NULL')
            || ' is '
            || coalesce(cast(i.in_left as varchar), 'NULL')
            || ' in {%users=table: name.recs%} and '
            || coalesce(cast(i.in_right as varchar), 'NULL')
            || ' in {%users=table: name.users%}; cast one of them to the other''s type' as message
        from (
            select unnest(['user_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
            from (select [typeof(l.user_id)] as types from given_recs as l limit 1) as l
            cross join (select [typeof(r.user_id)] as types from given_users as r limit 1) as r
        ) as i
        where
            regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
            <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
            and '"NULL"' not in (i.in_left, i.in_right)
        limit 1
    ) as g), true){%!no_truth=error/skip & truthless%}
    union
    select m.model, t.user_id
    from models as m
    cross join given_truth as t{%owners_count%}
    union
    select l.model, l.user_id
    from lists as l{%no_truth=one/one_if_both_empty/zero & users=table%}
    union
    select m.model, g.user_id
    from models as m
    cross join given_users as g{%%}
)
== step.members ==
{%%}-- one row per model and user that the policies count
members as (
    select c.model, c.user_id
    from candidates as c
    {%served_alone%}inner join lists as l on l.model is not distinct from c.model and l.user_id = c.user_id
    {%users=table%}inner join given_users as g on g.user_id = c.user_id
    {%%}where c.user_id is not null
)
== step.population ==
{%%}-- one row per model and user in the mean, with the number of relevant items
population as not materialized (
    select
        m.model,
        {%plain_population%}u{%!plain_population%}m{%%}.user_id,
    {%ideals%}    u.profile,
    {%needs.entries%}    e.entries,
    {%needs.lengths%}    l.returned,
    {%needs.ranks%}    g.ranks,
    {%%}    u.relevant
    {%plain_population%}from models as m
    cross join users as u{%!plain_population%}from members as m
    left join users as u on u.user_id = m.user_id{%needs.entries%}
    left join entries as e on e.user_id = {%needs.entries & plain_population%}u{%!plain_population & needs.entries%}m{%needs.entries%}.user_id{%needs.lengths%}
    left join lists as l on l.model is not distinct from m.model and l.user_id = {%needs.lengths & plain_population%}u{%!plain_population & needs.lengths%}m{%needs.lengths%}.user_id{%needs.ranks%}
    left join gaps as g on g.model is not distinct from m.model and g.user_id = {%needs.ranks & plain_population%}u{%!plain_population & needs.ranks%}m{%needs.ranks%}.user_id{%%}
)
== step.first_hits ==
{%%}-- one row per model and user in the mean: the user's columns, and the first cut-off at which the user has a hit
first_hits as (
    select
        u.model,
        u.user_id,
        {%ideals%}u.profile, {%needs.entries%}u.entries, {%needs.lengths%}u.returned, {%needs.ranks%}u.ranks, {%%}u.relevant,
        {%needs.hits_at_k%}h.k{%!needs.hits_at_k%}null{%%} as first_k
    from population as u{%needs.hits_at_k%}
    left join (
        select h.model, h.user_id, min(h.k) as k
        from hits_at_k as h
        group by h.model, h.user_id
    ) as h on h.model is not distinct from u.model and h.user_id = u.user_id{%%}
)
== step.alike ==
{%%}-- one row per model and group of users with the same number of relevant items, gains, list length and first cut-off with a hit
alike as (
    select u.model, min(u.user_id) as user_id, {%ideals%}u.profile, {%needs.entries%}u.entries, {%needs.lengths%}u.returned, {%needs.ranks%}u.ranks, {%%}u.relevant, u.first_k, count(*) as users
    from first_hits as u
    group by u.model, {%ideals%}u.profile, {%needs.entries%}u.entries, {%needs.lengths%}u.returned, {%needs.ranks%}u.ranks, {%%}u.relevant, u.first_k{%each_apart%}, u.user_id{%%}
)
== step.users_at_k ==
{%fast.users_at_k%}-- one row per model, cut-off and user or group of alike users: the columns of the user, and the statistics of the hits
users_at_k as (
    {%fast.users_at_k & sparse%}select
        u.model,
        u.user_id,
        h.k,
    {%fast.users_at_k & grouped & sparse%}    ,
    {%fast.users_at_k & needs.any_hit & sparse%}    h.any_hit,
    {%fast.users_at_k & needs.cg & sparse%}    h.cg,
    {%fast.users_at_k & needs.dcg & sparse%}    h.dcg,
    {%fast.users_at_k & needs.distinct_hits & sparse%}    h.distinct_hits,
    {%fast.users_at_k & needs.expected_stop & sparse%}    h.expected_stop,
    {%fast.users_at_k & needs.hits & sparse%}    h.hits,
    {%fast.users_at_k & needs.hits_to_r & sparse%}    h.hits_to_r,
    {%fast.users_at_k & needs.persistent_gain & sparse%}    h.persistent_gain,
    {%fast.users_at_k & needs.precision_sum & sparse%}    h.precision_sum,
    {%fast.users_at_k & needs.precision_total & sparse%}    h.precision_total,
    {%fast.users_at_k & needs.reciprocal_rank & sparse%}    h.reciprocal_rank,
    {%fast.users_at_k & sparse%}    {%fast.users_at_k & ideals & sparse%}u.profile, {%fast.users_at_k & needs.entries & sparse%}u.entries, {%fast.users_at_k & needs.lengths & sparse%}u.returned, {%fast.users_at_k & needs.ranks & sparse%}u.ranks, {%fast.users_at_k & sparse%}u.relevant

    from hits_at_k as h
    inner join population as u on u.model is not distinct from h.model and u.user_id = h.user_id{%!sparse & fast.users_at_k & needs.hits_at_k%}select
        u.model,
        u.user_id,
        h.k,
    {%!sparse & fast.users_at_k & grouped & needs.hits_at_k%}    1 as users,
    {%!sparse & fast.users_at_k & needs.any_hit & needs.hits_at_k%}    h.any_hit,
    {%!sparse & fast.users_at_k & needs.cg & needs.hits_at_k%}    h.cg,
    {%!sparse & fast.users_at_k & needs.dcg & needs.hits_at_k%}    h.dcg,
    {%!sparse & fast.users_at_k & needs.distinct_hits & needs.hits_at_k%}    h.distinct_hits,
    {%!sparse & fast.users_at_k & needs.expected_stop & needs.hits_at_k%}    h.expected_stop,
    {%!sparse & fast.users_at_k & needs.hits & needs.hits_at_k%}    h.hits,
    {%!sparse & fast.users_at_k & needs.hits_at_k & needs.hits_to_r%}    h.hits_to_r,
    {%!sparse & fast.users_at_k & needs.hits_at_k & needs.persistent_gain%}    h.persistent_gain,
    {%!sparse & fast.users_at_k & needs.hits_at_k & needs.precision_sum%}    h.precision_sum,
    {%!sparse & fast.users_at_k & needs.hits_at_k & needs.precision_total%}    h.precision_total,
    {%!sparse & fast.users_at_k & needs.hits_at_k & needs.reciprocal_rank%}    h.reciprocal_rank,
    {%!sparse & fast.users_at_k & needs.hits_at_k%}    {%!sparse & fast.users_at_k & ideals & needs.hits_at_k%}u.profile, {%!sparse & fast.users_at_k & needs.entries & needs.hits_at_k%}u.entries, {%!sparse & fast.users_at_k & needs.hits_at_k & needs.lengths%}u.returned, {%!sparse & fast.users_at_k & needs.hits_at_k & needs.ranks%}u.ranks, {%!sparse & fast.users_at_k & needs.hits_at_k%}u.relevant

    from hits_at_k as h
    inner join first_hits as u on u.model is not distinct from h.model and u.user_id = h.user_id
    union all
    {%!sparse & fast.users_at_k%}select
        u.model,
        u.user_id,
        c.k,
    {%!sparse & fast.users_at_k & grouped%}    u.users,
    {%!sparse & fast.users_at_k & needs.any_hit%}    null as any_hit,
    {%!sparse & fast.users_at_k & needs.cg%}    null as cg,
    {%!sparse & fast.users_at_k & needs.dcg%}    null as dcg,
    {%!sparse & fast.users_at_k & needs.distinct_hits%}    null as distinct_hits,
    {%!sparse & fast.users_at_k & needs.expected_stop%}    null as expected_stop,
    {%!sparse & fast.users_at_k & needs.hits%}    null as hits,
    {%!sparse & fast.users_at_k & needs.hits_to_r%}    null as hits_to_r,
    {%!sparse & fast.users_at_k & needs.persistent_gain%}    null as persistent_gain,
    {%!sparse & fast.users_at_k & needs.precision_sum%}    null as precision_sum,
    {%!sparse & fast.users_at_k & needs.precision_total%}    null as precision_total,
    {%!sparse & fast.users_at_k & needs.reciprocal_rank%}    null as reciprocal_rank,
    {%!sparse & fast.users_at_k%}    {%!sparse & fast.users_at_k & ideals%}u.profile, {%!sparse & fast.users_at_k & needs.entries%}u.entries, {%!sparse & fast.users_at_k & needs.lengths%}u.returned, {%!sparse & fast.users_at_k & needs.ranks%}u.ranks, {%!sparse & fast.users_at_k%}u.relevant

    from alike as u
    inner join cutoffs as c on c.k < u.first_k or u.first_k is null{%fast.users_at_k%}
){%!fast.users_at_k%}-- one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits
users_at_k as (
    select
        u.model,
        u.user_id,
        c.k,
    {%!fast.users_at_k & needs.any_hit%}    h.any_hit,
    {%!fast.users_at_k & needs.cg%}    h.cg,
    {%!fast.users_at_k & needs.dcg%}    h.dcg,
    {%!fast.users_at_k & needs.distinct_hits%}    h.distinct_hits,
    {%!fast.users_at_k & needs.expected_stop%}    h.expected_stop,
    {%!fast.users_at_k & needs.hits%}    h.hits,
    {%!fast.users_at_k & needs.hits_to_r%}    h.hits_to_r,
    {%!fast.users_at_k & needs.persistent_gain%}    h.persistent_gain,
    {%!fast.users_at_k & needs.precision_sum%}    h.precision_sum,
    {%!fast.users_at_k & needs.precision_total%}    h.precision_total,
    {%!fast.users_at_k & needs.reciprocal_rank%}    h.reciprocal_rank,
    {%!fast.users_at_k%}    {%!fast.users_at_k & ideals%}u.profile, {%!fast.users_at_k & needs.entries%}u.entries, {%!fast.users_at_k & needs.lengths%}u.returned, {%!fast.users_at_k & needs.ranks%}u.ranks, {%!fast.users_at_k%}u.relevant
    from population as u
    cross join cutoffs as c{%!fast.users_at_k & needs.hits_at_k%}
    left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k{%!fast.users_at_k%}
)
== step.discounts ==
{%%}-- a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list
discounts as (
    select list({%discount=log2p1%}(1e0 / nullif(log2(n.i + 1), 0)){%discount=jk2002%}(1e0 / greatest(1e0, log2(n.i))){%discount=ln1p%}(1e0 / nullif(ln(n.i + 1), 0)){%discount=geometric%}power(cast({%discount=geometric: discount_p%} as double), n.i - 1){%!discount=geometric & !discount=jk2002 & !discount=ln1p & !discount=log2p1%}1e0{%%} order by n.i asc) as weights
    from (select unnest(range(1, {%ideal=constant: deepest%}{%ideal=truth_uncut%}(select coalesce(max(u.relevant), 0) from users as u){%ideal=candidates & uncut%}least({%ideal=candidates & uncut: depth%}, (select coalesce(max(n.hits), 0) from (select count(*) as hits from hits as h group by h.model, h.user_id) as n)){%!uncut & ideal=candidates: depth%}{%!ideal=candidates & !ideal=constant & !ideal=truth_uncut%}least({%!ideal=candidates & !ideal=constant & !ideal=truth_uncut: depth%}, (select coalesce(max(u.relevant), 0) from users as u)){%%} + 1)) as i) as n
)
== step.at_k ==
{%%}-- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
at_k as (
    select
        u.model,
        u.user_id,
    {%grouped%}    u.users,
    {%%}    u.k{%needs.any_hit%},
        coalesce(u.any_hit, 0e0) as any_hit{%needs.cg%},
        coalesce(u.cg, 0e0) as cg{%needs.dcg%},
        coalesce(u.dcg, 0e0) as dcg{%needs.distinct_hits%},
        coalesce(u.distinct_hits, 0) as distinct_hits{%needs.expected_stop%},
        coalesce(u.expected_stop, 0e0) as expected_stop{%needs.hits%},
        coalesce(u.hits, 0) as hits{%needs.hits_to_r%},
        coalesce(u.hits_to_r, 0) as hits_to_r{%needs.persistent_gain%},
        coalesce(u.persistent_gain, 0e0) as persistent_gain{%needs.precision_sum%},
        coalesce(u.precision_sum, 0e0) as precision_sum{%needs.precision_total%},
        coalesce(u.precision_total, 0e0) as precision_total{%needs.reciprocal_rank%},
        u.reciprocal_rank{%needs.candidate_gains%},
        w.candidate_gains{%needs.hits_anywhere%},
        coalesce(w.hits_anywhere, 0) as hits_anywhere{%needs.hits_to_r_anywhere%},
        coalesce(w.hits_to_r_anywhere, 0) as hits_to_r_anywhere{%needs.preceded%},
        coalesce(w.preceded, 0) as preceded{%needs.reciprocal_rank_anywhere%},
        w.reciprocal_rank_anywhere{%needs.split_precision%},
        x.split_precision{%needs.idcg%},
        coalesce({%ideal=constant & needs.idcg%}list_sum(list_slice(d.weights, 1, u.k)){%gains_of_one & ideal=truth_uncut & needs.idcg%}list_sum(list_slice(d.weights, 1, coalesce(u.relevant, 0))){%!gains_of_one & ideal=truth_uncut & needs.idcg%}list_inner_product({%!gains_of_one & ideal=truth_uncut & needs.idcg & truth_window=k%}list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain){%!gains_of_one & !truth_window=k & ideal=truth_uncut & needs.idcg%}i.gains{%!gains_of_one & ideal=truth_uncut & needs.idcg%}, list_slice(d.weights, 1, len({%!gains_of_one & ideal=truth_uncut & needs.idcg & truth_window=k%}list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain){%!gains_of_one & !truth_window=k & ideal=truth_uncut & needs.idcg%}i.gains{%!gains_of_one & ideal=truth_uncut & needs.idcg%}))){%gains_of_one & ideal=truth_returned & needs.idcg%}list_sum(list_slice(d.weights, 1, least(least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k))), coalesce(u.relevant, 0)))){%!gains_of_one & ideal=truth_returned & needs.idcg%}list_inner_product(list_slice({%!gains_of_one & ideal=truth_returned & needs.idcg & truth_window=k%}list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain){%!gains_of_one & !truth_window=k & ideal=truth_returned & needs.idcg%}i.gains{%!gains_of_one & ideal=truth_returned & needs.idcg%}, 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))), list_slice(d.weights, 1, len(list_slice({%!gains_of_one & ideal=truth_returned & needs.idcg & truth_window=k%}list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain){%!gains_of_one & !truth_window=k & ideal=truth_returned & needs.idcg%}i.gains{%!gains_of_one & ideal=truth_returned & needs.idcg%}, 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k))))))){%ideal=candidates & needs.idcg%}list_inner_product(list_slice(w.candidate_gains, 1, u.k), list_slice(d.weights, 1, len(list_slice(w.candidate_gains, 1, u.k)))){%ideal=truth_as_given & needs.idcg%}list_sum(list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain * {%discount=log2p1 & ideal=truth_as_given & needs.idcg%}(1e0 / nullif(log2(e.rank + 1), 0)){%discount=jk2002 & ideal=truth_as_given & needs.idcg%}(1e0 / greatest(1e0, log2(e.rank))){%discount=ln1p & ideal=truth_as_given & needs.idcg%}(1e0 / nullif(ln(e.rank + 1), 0)){%discount=geometric & ideal=truth_as_given & needs.idcg%}power(cast({%discount=geometric & ideal=truth_as_given & needs.idcg: discount_p%} as double), e.rank - 1){%!discount=geometric & !discount=jk2002 & !discount=ln1p & !discount=log2p1 & ideal=truth_as_given & needs.idcg%}1e0{%ideal=truth_as_given & needs.idcg%})){%!ideal=candidates & !ideal=constant & !ideal=truth_as_given & !ideal=truth_returned & !ideal=truth_uncut & gains_of_one & needs.idcg%}list_sum(list_slice(d.weights, 1, least(u.k, coalesce(u.relevant, 0)))){%!gains_of_one & !ideal=candidates & !ideal=constant & !ideal=truth_as_given & !ideal=truth_returned & !ideal=truth_uncut & needs.idcg%}list_inner_product(list_slice({%!gains_of_one & !ideal=candidates & !ideal=constant & !ideal=truth_as_given & !ideal=truth_returned & !ideal=truth_uncut & needs.idcg & truth_window=k%}list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain){%!gains_of_one & !ideal=candidates & !ideal=constant & !ideal=truth_as_given & !ideal=truth_returned & !ideal=truth_uncut & !truth_window=k & needs.idcg%}i.gains{%!gains_of_one & !ideal=candidates & !ideal=constant & !ideal=truth_as_given & !ideal=truth_returned & !ideal=truth_uncut & needs.idcg%}, 1, u.k), list_slice(d.weights, 1, len(list_slice({%!gains_of_one & !ideal=candidates & !ideal=constant & !ideal=truth_as_given & !ideal=truth_returned & !ideal=truth_uncut & needs.idcg & truth_window=k%}list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain){%!gains_of_one & !ideal=candidates & !ideal=constant & !ideal=truth_as_given & !ideal=truth_returned & !ideal=truth_uncut & !truth_window=k & needs.idcg%}i.gains{%!gains_of_one & !ideal=candidates & !ideal=constant & !ideal=truth_as_given & !ideal=truth_returned & !ideal=truth_uncut & needs.idcg%}, 1, u.k)))){%needs.idcg%}, 0e0) as idcg{%needs.ideal_stop%},
        coalesce(case when len(list_slice(i.gains, 1, u.k)) > 0 then list_reduce(list_transform(list_slice(i.gains, 1, u.k), lambda g, i: {'stop': {%gain=exp2/exp2_shifted & needs.ideal_stop%}(greatest(g, 0e0) / power(2e0, {%gain=exp2/exp2_shifted & needs.ideal_stop: err_max_grade%})){%!gain=exp2/exp2_shifted & needs.ideal_stop%}((power(2e0, greatest(g, 0e0)) - 1) / power(2e0, {%!gain=exp2/exp2_shifted & needs.ideal_stop: err_max_grade%})){%needs.ideal_stop%} / i, 'on': 1 - {%gain=exp2/exp2_shifted & needs.ideal_stop%}(greatest(g, 0e0) / power(2e0, {%gain=exp2/exp2_shifted & needs.ideal_stop: err_max_grade%})){%!gain=exp2/exp2_shifted & needs.ideal_stop%}((power(2e0, greatest(g, 0e0)) - 1) / power(2e0, {%!gain=exp2/exp2_shifted & needs.ideal_stop: err_max_grade%})){%needs.ideal_stop%}}), lambda a, b: {'stop': a.stop + a.on * b.stop, 'on': a.on * b.on}).stop end, 0e0) as ideal_stop{%needs.list_length%},
        coalesce(u.returned, 0) as list_length{%no_truth=one_if_both_empty%},
        case when u.returned is null then 0 else 1 end as listed{%needs.not_relevant%},
        coalesce(j.items, 0) as not_relevant{%needs.relevant%},
        coalesce(u.relevant, 0) as relevant{%needs.returned%},
        coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)) as returned{%%}
    from users_at_k as u{%needs.hits_of_list%}
    left join hits_of_list as w on w.model is not distinct from u.model and w.user_id = u.user_id and w.k = u.k{%needs.splits_at_k%}
    left join splits_at_k as x on x.model is not distinct from u.model and x.user_id = u.user_id and x.k = u.k{%needs.discounts & needs.idcg%}
    cross join discounts as d{%ideals & needs.idcg | ideals & needs.ideal_stop%}
    left join ideals as i on i.profile = u.profile and i.relevant = u.relevant{%needs.not_relevant & needs.preferences%}
    left join rejections as j on j.user_id = u.user_id{%%}
)
== step.per_user ==
{%%}-- one row per model, cut-off and user or group of alike users: the metrics
per_user as (
    select
        s.model,
        s.user_id,
    {%grouped%}    s.users,
    {%%}    s.k{%each%}{%%},
        {%.metric=mean_precision & uncut | .ap_denominator=k & .metric=ap & uncut | .metric=f1 & .precision_denominator=k & uncut | .metric=precision & .precision_denominator=k & uncut | .metric=idcg/ndcg & ideal=constant & uncut%}case when s.k < 1000000000000000000 then {%truthless%}case when s.relevant > 0 then {%zero_ideal=skip%}case when s.idcg > 0 then {%: .natural%}{%zero_ideal=skip%} end{%!.metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & truthless%} else coalesce({%!.metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & truthless: .natural%}, 0e0){%.metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & no_truth=one & truthless%} else 1e0{%.metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & no_truth=one_if_both_empty & truthless%} when s.listed = 0 then 1e0 else 0e0{%!no_truth=one & !no_truth=one_if_both_empty & .metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & truthless%} else 0e0{%truthless%} end{%.metric=mean_precision & uncut | .ap_denominator=k & .metric=ap & uncut | .metric=f1 & .precision_denominator=k & uncut | .metric=precision & .precision_denominator=k & uncut | .metric=idcg/ndcg & ideal=constant & uncut%} end{%%} as {%: .name%}{%/each%}{%%}
    from at_k as s
)
== step.activities ==
{%%}-- one row per user in train: the number of their rows
activities as (
    select a.user_id, count(*) as events
    from given_train as a
    where a.user_id is not null
    and coalesce((select error(g.message) from (
        select
            coalesce(cast(i.name as varchar), 'NULL')
            || ' is '
            || coalesce(cast(i.in_left as varchar), 'NULL')
            || ' in {%: name.recs%} and '
            || coalesce(cast(i.in_right as varchar), 'NULL')
            || ' in {%: name.train%}; cast one of them to the other''s type' as message
        from (
            select unnest(['user_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
            from (select [typeof(l.user_id)] as types from given_recs as l limit 1) as l
            cross join (select [typeof(r.user_id)] as types from given_train as r limit 1) as r
        ) as i
        where
            regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
            <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
            and '"NULL"' not in (i.in_left, i.in_right)
        limit 1
    ) as g), true)
    group by a.user_id
)
== step.segment_tables ==
{%%}-- one row per column of slices: the first of segments, truth and recs that has it, and its type there
segment_tables as (
    select
        cast(c.ours as varchar) as ours,
        cast(c.name as varchar) as name,
        coalesce({%by_table%}nullif(c.in_segments, '"NULL"'), {%%}nullif(c.in_truth, '"NULL"'), nullif(c.in_recs, '"NULL"')) as type,
        case
    {%by_table%}        when c.in_segments <> '"NULL"' then 'segments'
    {%%}        when c.in_truth <> '"NULL"' then 'truth'
            when c.in_recs <> '"NULL"' then 'recs'
        end as role
    from (
        select
            unnest([{%: .columns.5%}]) as ours,
            unnest([{%: .columns.6%}]) as name,
    {%by_table%}        unnest(s.types) as in_segments,
    {%%}        unnest(t.types) as in_truth,
            unnest(r.types) as in_recs
        from (
            select [{%: .columns.7%}] as types
            from (
                from query_table('{%: source.recs%}'){%by_column%}
                union all by name
                select {%by_column: .columns.2%}
                where false{%%}
            ) as x
            where false
        ) as r
        cross join (
            select [{%: .columns.7%}] as types
            from (
                from query_table('{%: source.truth%}'){%by_column%}
                union all by name
                select {%by_column: .columns.2%}
                where false{%%}
            ) as x
            where false
        ) as t{%by_table%}
        cross join (
            select [{%by_table: .columns.7%}] as types
            from (
                from query_table('{%by_table: source.segments%}'){%by_column & by_table%}
                union all by name
                select {%by_column & by_table: .columns.2%}
                where false{%by_table%}
            ) as x
            where false
        ) as s{%%}
    ) as c
)
== step.segment_values ==
{%%}-- one row per user with segments (and row of the user in the table segments): the values of the columns
segment_values as (
    select
        u.user_id{%: .columns.8%}{%by_activity%},
        a.events as {%by_activity: activity%}{%%}
    from (
        select distinct r.user_id
        from given_recs as r
        where exists (select 1 from segment_tables as c where c.role = 'recs')
        union
        select t.user_id
        from given_truth as t
        where exists (select 1 from segment_tables as c where c.role = 'truth')
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%: name.recs%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%: name.truth%}; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.user_id)] as types from given_truth as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true){%by_table%}
        union
        select s.user_id
        from given_segments as s
        where coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%by_table: name.recs%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%by_table: name.segments%}; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.user_id)] as types from given_segments as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true){%by_activity%}
        union
        select a.user_id
        from activities as a{%%}
    ) as u
    left join (
        select r.user_id{%: .columns.9%}
        from given_recs as r
        where exists (select 1 from segment_tables as c where c.role = 'recs')
        group by r.user_id
    ) as r on r.user_id = u.user_id
    left join (
        select t.user_id{%: .columns.10%}
        from given_truth as t
        where exists (select 1 from segment_tables as c where c.role = 'truth')
        group by t.user_id
    ) as t on t.user_id = u.user_id{%by_table%}
    left join (
        select s.user_id{%by_table: .columns.11%}
        from given_segments as s{%by_table: .columns.12%}
    ) as s on s.user_id = u.user_id{%by_activity%}
    left join activities as a on a.user_id = u.user_id{%%}
)
== step.segment_quantiles ==
{%%}-- one row per column that is cut into quantiles and value: its quantile among the users with a value
segment_quantiles as (
    select
        w.name,
        w.quantiles,
        w.value,
        cast(floor(cast(w.below * w.quantiles as double) / w.users) as bigint) + 1 as quantile
    from (
        select
            n.name,
            n.quantiles,
            n.value,
            cast(sum(n.users) over (partition by n.name, n.quantiles order by n.value asc) - n.users as bigint) as below,
            cast(sum(n.users) over (partition by n.name, n.quantiles) as bigint) as users
        from (
    {%: .quantiles.13%}
        ) as n
    ) as w
)
== step.user_segments ==
{%%}-- one row per user with segments, slice and segment of the user
user_segments as (
    {%: .slices.22%}
)
== step.slices ==
{%%}-- one row per slice; slice 0 has all users as one segment
slices as (
    select 0 as slice{%by_activity%}, cast(null as varchar) as otherwise{%: .slices.23%}
)
== step.per_segment ==
{%%}-- one row per model, cut-off, user, slice and segment of the user: the metrics
per_segment as (
    select
        p.model,
        p.user_id,
        s.slice,
        {%by_activity%}coalesce(g.segment, s.otherwise){%!by_activity%}g.segment{%by_activity%} as segment{%%},
        p.k{%each%}{%%},
        p.{%: .name%}{%/each%}{%%}
    from per_user as p
    cross join slices as s
    left join user_segments as g on g.user_id = p.user_id and g.slice = s.slice
)
== step.grouped_users ==
{%%}-- one row per user who is in one of the groups that are left out
grouped_users as (
    select distinct u.user_id from population as u
)
== step.user_groups ==
{%%}-- one row per user: the group that the user belongs to, by a hash of the id; if there are few users, a group for each
user_groups as (
    select g.user_id, cast('0x' || substr(md5(cast(g.user_id as varchar)), 1, 8) as bigint) * {%: groups%} >> 32 as part
    from grouped_users as g
    where (select count(*) from grouped_users as a) >= {%: groups%}
    union all
    select g.user_id, row_number() over (order by cast(g.user_id as varchar) asc) as part
    from grouped_users as g
    where (select count(*) from grouped_users as a) < {%: groups%}
)
== step.totals ==
{%%}-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
totals as (
    select
        p.model,
        {%sliced%}p.slice,
        p.segment,
        {%%}p.k{%each%}{%%},
        {%grouped%}sum(p.users * try_cast(1e18 * p.{%grouped: .name%} as hugeint)) / 1e18{%!grouped%}sum(try_cast(1e18 * p.{%!grouped: .name%} as hugeint)) / 1e18{%%} as {%: .name%},
    {%!interval= & .by_wilson & grouped%}sum(p.users * try_cast(1e18 * (p.{%!interval= & .by_wilson & grouped: .name%} * p.{%!interval= & .by_wilson & grouped: .name%}) as hugeint)) / 1e18{%!grouped & !interval= & .by_wilson%}sum(try_cast(1e18 * (p.{%!grouped & !interval= & .by_wilson: .name%} * p.{%!grouped & !interval= & .by_wilson: .name%}) as hugeint)) / 1e18{%!.by_wilson & !interval= & grouped%}case
            when max(abs(p.{%!.by_wilson & !interval= & grouped: .name%})) < 3e4 then sum(p.users * try_cast(1e18 * (case when abs(p.{%!.by_wilson & !interval= & grouped: .name%}) < 3e4 then p.{%!.by_wilson & !interval= & grouped: .name%} * p.{%!.by_wilson & !interval= & grouped: .name%} end) as hugeint)) / 1e18
            else sum(p.users * try_cast(1e18 * (1e-9 * p.{%!.by_wilson & !interval= & grouped: .name%} * 1e-9 * p.{%!.by_wilson & !interval= & grouped: .name%}) as hugeint)) / 1e18 * 1e18
        end{%!.by_wilson & !grouped & !interval=%}case
            when max(abs(p.{%!.by_wilson & !grouped & !interval=: .name%})) < 3e4 then sum(try_cast(1e18 * (case when abs(p.{%!.by_wilson & !grouped & !interval=: .name%}) < 3e4 then p.{%!.by_wilson & !grouped & !interval=: .name%} * p.{%!.by_wilson & !grouped & !interval=: .name%} end) as hugeint)) / 1e18
            else sum(try_cast(1e18 * (1e-9 * p.{%!.by_wilson & !grouped & !interval=: .name%} * 1e-9 * p.{%!.by_wilson & !grouped & !interval=: .name%}) as hugeint)) / 1e18 * 1e18
        end{%!interval=%} as {%!interval=: .name%}_squares,
        {%!interval= & grouped%}cast(sum(case when p.{%!interval= & grouped: .name%} <> 0 then p.users else 0 end) as bigint){%!grouped & !interval=%}count(case when p.{%!grouped & !interval=: .name%} <> 0 then 1 end){%!interval=%} as {%!interval=: .name%}_others,
    {%%}    {%grouped%}cast(sum(case when p.{%grouped: .name%} is null then p.users else 0 end) as bigint){%!grouped%}count(*) - count(p.{%!grouped: .name%}){%%} as {%: .name%}_missing{%/each%}{%%}
    from {%sliced%}per_segment{%!sliced%}per_user{%%} as p
    group by p.model, {%sliced%}p.slice, p.segment, {%%}p.k
)
== step.headcount ==
{%%}-- one row per model with users in the mean: the number of these users
headcount as (
    {%sliced%}select u.model, s.slice, {%by_activity & sliced%}coalesce(g.segment, s.otherwise){%!by_activity & sliced%}g.segment{%by_activity & sliced%} as segment{%sliced%}, count(*) as users
    from population as u
    cross join slices as s
    left join user_segments as g on g.user_id = u.user_id and g.slice = s.slice
    group by u.model, s.slice, {%by_activity & sliced%}coalesce(g.segment, s.otherwise){%!by_activity & sliced%}g.segment{%!sliced%}select u.model, count(*) as users
    from population as u
    group by u.model{%%}
)
== step.segments_in_mean ==
{%%}-- one row per slice and segment with users in the mean of a model
segments_in_mean as (
    select distinct h.slice, h.segment
    from headcount as h
)
== step.census ==
{%%}-- one row per model: the number of users in the mean
census as (
    {%sliced%}select m.model, s.slice, s.segment, coalesce(n.users, 0) as users
    from models as m
    cross join segments_in_mean as s
    left join headcount as n on n.model is not distinct from m.model and n.slice = s.slice and n.segment is not distinct from s.segment{%!sliced%}select m.model, coalesce(n.users, 0) as users
    from models as m
    left join headcount as n on n.model is not distinct from m.model{%%}
)
== step.means ==
{%%}-- one row per model and cut-off: the means of the metrics over users, and the numbers of these users
means as (
    select
        n.model,
        {%sliced%}n.slice,
        n.segment,
        {%%}c.k{%each%}{%%},
        {%.f1_average=of_means & .metric=f1%}case when n.users > 0 then coalesce((1 + power(cast({%.f1_average=of_means & .metric=f1: .beta%} as double), 2)) / (
            power(cast({%.f1_average=of_means & .metric=f1: .beta%} as double), 2) / nullif(coalesce(t.{%.f1_average=of_means & .metric=f1: made_of_2%}, 0e0) / nullif(n.users - coalesce(t.{%.f1_average=of_means & .metric=f1: made_of_2%}_missing, 0), 0), 0e0)
            + 1 / nullif(coalesce(t.{%.f1_average=of_means & .metric=f1: made_of_1%}, 0e0) / nullif(n.users - coalesce(t.{%.f1_average=of_means & .metric=f1: made_of_1%}_missing, 0), 0), 0e0)
        ), 0e0) end{%!.f1_average=of_means | !.metric=f1%}coalesce(t.{%!.f1_average=of_means | !.metric=f1: .name%}, 0e0) / nullif(n.users - coalesce(t.{%!.f1_average=of_means | !.metric=f1: .name%}_missing, 0), 0){%%} as {%: .name%},
        n.users - coalesce(t.{%: .name%}_missing, 0) as {%: .name%}_users{%/each%}{%%}
    from census as n
    cross join cutoffs as c
    left join totals as t on t.model is not distinct from n.model and {%sliced%}t.slice = n.slice and t.segment is not distinct from n.segment and {%%}t.k = c.k
)
== step.group_totals ==
{%%}-- one row per model, cut-off and group of users: the sums of the metrics, and the numbers of users without a value
group_totals as (
    select
        p.model,
        {%sliced%}p.slice,
        p.segment,
        {%%}p.k,
        g.part{%each%}{%%},
        sum(try_cast(1e18 * p.{%: .name%} as hugeint)) / 1e18 as {%: .name%},
        count(*) - count(p.{%: .name%}) as {%: .name%}_missing{%/each%}{%%},
        count(*) as users
    from {%sliced%}per_segment{%!sliced%}per_user{%%} as p
    inner join user_groups as g on g.user_id = p.user_id
    group by p.model, {%sliced%}p.slice, p.segment, {%%}p.k, g.part
)
== step.left_out_means ==
{%%}-- one row per model, cut-off and group of users: the means over all other users
left_out_means as (
    select
        n.model,
        {%sliced%}n.slice,
        n.segment,
        {%%}n.k,
        n.part{%each%}{%%},
        {%.f1_average=of_means & .metric=f1%}case when n.users > 0 then coalesce((1 + power(cast({%.f1_average=of_means & .metric=f1: .beta%} as double), 2)) / (
            power(cast({%.f1_average=of_means & .metric=f1: .beta%} as double), 2) / nullif(coalesce(t.{%.f1_average=of_means & .metric=f1: made_of_2%}, 0e0) / nullif(n.users - coalesce(t.{%.f1_average=of_means & .metric=f1: made_of_2%}_missing, 0), 0), 0e0)
            + 1 / nullif(coalesce(t.{%.f1_average=of_means & .metric=f1: made_of_1%}, 0e0) / nullif(n.users - coalesce(t.{%.f1_average=of_means & .metric=f1: made_of_1%}_missing, 0), 0), 0e0)
        ), 0e0) end{%!.f1_average=of_means | !.metric=f1%}coalesce(t.{%!.f1_average=of_means | !.metric=f1: .name%}, 0e0) / nullif(n.users - coalesce(t.{%!.f1_average=of_means | !.metric=f1: .name%}_missing, 0), 0){%%} as {%: .name%}{%/each%}{%%}
    from (
        select g.model, {%sliced%}g.slice, g.segment, {%%}g.k, g.part, c.users - g.users as users
        from group_totals as g
        inner join census as c on {%sliced%}c.model is not distinct from g.model and c.slice = g.slice and c.segment is not distinct from g.segment{%!sliced%}c.model is not distinct from g.model{%%}
    ) as n
    inner join (
        select
            g.model,
            {%sliced%}g.slice,
            g.segment,
            {%%}g.k,
            g.part{%each%}{%%},
            t.{%: .name%} - coalesce(g.{%: .name%}, 0e0) as {%: .name%},
            t.{%: .name%}_missing - g.{%: .name%}_missing as {%: .name%}_missing{%/each%}{%%}
        from group_totals as g
        inner join totals as t on t.model is not distinct from g.model and {%sliced%}t.slice = g.slice and t.segment is not distinct from g.segment and {%%}t.k = g.k
    ) as t on t.model is not distinct from n.model and {%sliced%}t.slice = n.slice and t.segment is not distinct from n.segment and {%%}t.k = n.k and t.part = n.part
)
== step.asked ==
{%%}-- one row per requested metric, with its place in the request
asked as (
    {%each%}{%.place>1 & .shown%}
    union all
    {%.shown%}select {%.shown: .place%} as place, {%.shown: .label%} as metric{%/each%}{%%}
)
== step.summary ==
{%%}-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        {%sliced%}m.slice,
        m.segment,
        {%%}a.metric,
        m.k,
        case a.place
    {%each%}{%.shown%}        when {%.shown: .place%} then m.{%.shown: .name%}
    {%/each%}{%%}    end as value,
        case a.place
    {%each%}{%.shown%}        when {%.shown: .place%} then m.{%.shown: .name%}_users
    {%/each%}{%%}    end as users,
        a.place
    from means as m
    cross join asked as a{%ks_differ%}
    where
        case a.place
    {%each%}{%.shown & ks_differ%}        when {%.shown & ks_differ: .place%} then m.k in ({%.shown & ks_differ: .ks_text%})
    {%/each%}{%ks_differ%}    end{%%}
)
== step.jackknives ==
{%%}-- one row per model, metric and cut-off: the standard error from the values without each group of users, and the number of groups
jackknives as (
    select
        l.model, {%sliced%}l.slice, l.segment, {%%}l.place, l.k,
        len(l.entries) as groups,
        sqrt(
            list_sum(list_transform(l.entries, lambda e: (e - l.mean) * (e - l.mean)))
            * (len(l.entries) - 1e0) / len(l.entries)
        ) as std_error
    from (
        select l.model, {%sliced%}l.slice, l.segment, {%%}l.place, l.k, l.entries, list_sum(l.entries) / len(l.entries) as mean
        from (
            select l.model, {%sliced%}l.slice, l.segment, {%%}l.place, l.k, list(l.value order by l.part asc) as entries
            from (
    {%user_groups%}            select
                    m.model,
                    {%sliced & user_groups%}m.slice,
                    m.segment,
                    {%user_groups%}a.place,
                    m.k,
                    m.part,
                    case a.place
                {%each%}{%.by_groups & .shown & user_groups%}        when {%.by_groups & .shown & user_groups: .place%} then m.{%.by_groups & .shown & user_groups: .name%}
                {%/each%}{%user_groups%}    end as value
                from left_out_means as m
                cross join asked as a
                where m.part is not null
    {%%}        ) as l
            where l.value is not null
            group by l.model, {%sliced%}l.slice, l.segment, {%%}l.place, l.k
        ) as l
    ) as l
)
== step.mean_spreads ==
{%%}-- one row per mean: its standard error, the degrees of freedom (NULL: normal), and for values from 0 to 1 the users that it amounts to
mean_spreads as (
    select
        v.model,
        {%sliced%}v.slice,
        v.segment,
        {%%}v.place,
        v.k,
        v.value,
        v.is_scored,
        case when not v.is_binary then v.users - 1e0 end as df,
        sqrt(v.variance / nullif(v.users - 1e0, 0e0)) as std_error,
        case
            when v.users < 2 then null
            when v.is_binary or v.variance = 0e0 then cast(v.users as double)
            else v.value * (1e0 - v.value) * (v.users - 1e0) / nullif(v.variance, 0e0)
        end as effective_users,
        v.users < 200 or v.others < 50 as few
    from (
        select
            t.*,
            t.is_scored and t.value = t.moment as is_binary,
            case
                when t.moment - t.value * t.value > 1e-10 * t.moment then t.moment - t.value * t.value
                when t.is_scored then 0e0
            end as variance
        from (
            select
                s.model,
                {%sliced%}s.slice,
                s.segment,
                {%%}s.place,
                s.k,
                s.value,
                s.users,
                case s.place
                {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then {%!.by_groups & .by_wilson & .shown%}true{%!.by_groups & !.by_wilson & .shown%}false{%!.by_groups & .shown%}
                {%/each%}{%%}end as is_scored,
                case s.place
                {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then coalesce(t.{%!.by_groups & .shown: .name%}_squares, 0e0)
                {%/each%}{%%}end / nullif(s.users, 0) as moment,
                case s.place
                {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then coalesce(t.{%!.by_groups & .shown: .name%}_others, 0)
                {%/each%}{%%}end as others
            from summary as s
            left join totals as t on t.model is not distinct from s.model and {%sliced%}t.slice = s.slice and t.segment is not distinct from s.segment and {%%}t.k = s.k{%grouping%}
            where
                case s.place
                {%each%}{%!.by_groups & .shown & grouping%}    when {%!.by_groups & .shown & grouping: .place%} then true
                {%/each%}{%grouping%}end{%%}
        ) as t
    ) as v
)
== step.group_spreads ==
{%%}-- one row per value that is no mean: its standard error by the jackknife, the degrees of freedom, and the bounds of the metric
group_spreads as (
    select
        s.model,
        {%sliced%}s.slice,
        s.segment,
        {%%}s.place,
        s.k,
        s.value,
        j.groups - 1e0 as df,
        j.std_error,
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then 0e0
    {%/each%}{%%}    end as least,
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then {%.by_groups & .metric=cg/dcg/fn/fp/hits/idcg/rbp/tn/tp & .shown & .within_bounds%}cast(null as double){%!.within_bounds & .by_groups & .metric=cg/dcg/fn/fp/hits/idcg/rbp/tn/tp & .shown%}cast(null as double){%!.metric=cg/dcg/fn/fp/hits/idcg/rbp/tn/tp & .by_groups & .shown & .within_bounds%}1e0{%!.metric=cg/dcg/fn/fp/hits/idcg/rbp/tn/tp & !.within_bounds & .by_groups & .shown%}cast(null as double){%.by_groups & .shown%}
    {%/each%}{%%}    end as most,
        s.users < 200 as few
    from summary as s
    left join jackknives as j on j.model is not distinct from s.model and {%sliced%}j.slice = s.slice and j.segment is not distinct from s.segment and {%%}j.place = s.place and j.k = s.k
    where
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then true
    {%/each%}{%%}    end
)
== step.spreads ==
{%%}-- one row per model, metric and cut-off: the standard error, its degrees of freedom, and what the interval is made of
spreads as (
    {%!interval= & any(.by_wilson, .shown) | !interval= & any(.by_t, .shown)%}select
        s.model,
        {%!interval= & any(.by_wilson, .shown) & sliced | !interval= & any(.by_t, .shown) & sliced%}s.slice,
        s.segment,
        {%!interval= & any(.by_wilson, .shown) | !interval= & any(.by_t, .shown)%}s.place,
        s.k,
        s.value,
        s.is_scored,
        s.df,
        s.std_error,
        s.effective_users,
        cast(null as double) as least,
        cast(null as double) as most,
        s.few
    from mean_spreads as s{%!interval= & any(.by_wilson, .shown) & grouping | !interval= & any(.by_t, .shown) & grouping%}
    union all
    {%grouping%}select
        s.model,
        {%grouping & sliced%}s.slice,
        s.segment,
        {%grouping%}s.place,
        s.k,
        s.value,
        false as is_scored,
        s.df,
        s.std_error,
        cast(null as double) as effective_users,
        s.least,
        s.most,
        s.few
    from group_spreads as s{%%}
)
== step.degrees ==
{%%}-- one row per number of degrees of freedom: the tail beyond the interval
degrees as (
    select distinct 1e0 - {%: interval%} as tail, s.df
    from spreads as s
    where s.df > 0e0 or s.df is null
)
== step.quantiles ==
{%%}-- one row per number of degrees of freedom: the quantile of the t distribution
quantiles as (
    with logarithms as (
        select
            s.tail,
            s.df,
            s.half,
            case when s.tail > 1.5e-1 then 1.80625e-1 - power(5e-1 - s.tail / 2e0, 2) else sqrt(-ln(s.tail / 2e0)) end as r,
            5e-1 * ln((s.half + 1e1)) - 1e0 / (8e0 * (s.half + 1e1)) + 1e0 / (192e0 * power((s.half + 1e1), 3)) - 1e0 / (640e0 * power((s.half + 1e1), 5))
            + 17e0 / (14336e0 * power((s.half + 1e1), 7)) - 31e0 / (18432e0 * power((s.half + 1e1), 9)) - 5.723649429247001e-1
            + ln(
                (s.half + 0e0) / (s.half + 0.5e0)
                * (s.half + 1e0) / (s.half + 1.5e0)
                * (s.half + 2e0) / (s.half + 2.5e0)
                * (s.half + 3e0) / (s.half + 3.5e0)
                * (s.half + 4e0) / (s.half + 4.5e0)
                * (s.half + 5e0) / (s.half + 5.5e0)
                * (s.half + 6e0) / (s.half + 6.5e0)
                * (s.half + 7e0) / (s.half + 7.5e0)
                * (s.half + 8e0) / (s.half + 8.5e0)
                * (s.half + 9e0) / (s.half + 9.5e0)
            ) as constant
        from (select d.tail, d.df, d.df / 2e0 as half from degrees as d) as s
    ),

    normal as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.tail / 2e0 > 7.5e-2
                    then (5e-1 - s.tail / 2e0) * list_reduce(
                        [
                            2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
                            1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0
                        ],
                        lambda f, c: f * s.r + c
                    ) / list_reduce(
                        [
                            5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
                            5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1e0
                        ],
                        lambda f, c: f * s.r + c
                    )
                when s.r <= 5e0
                    then list_reduce(
                        [
                            7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
                            3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0
                        ],
                        lambda f, c: f * (s.r - 1.6e0) + c
                    ) / list_reduce(
                        [
                            1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
                            6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1e0
                        ],
                        lambda f, c: f * (s.r - 1.6e0) + c
                    )
                else
                    list_reduce(
                        [
                            2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
                            2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0
                        ],
                        lambda f, c: f * (s.r - 5e0) + c
                    ) / list_reduce(
                        [
                            2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
                            1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1e0
                        ],
                        lambda f, c: f * (s.r - 5e0) + c
                    )
            end as z
        from logarithms as s
    ),

    newton_0 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df is null then s.z
                when s.df < 1e1 and s.tail < 1e-1
                    then sqrt(s.df * (power(s.tail * s.df / (2e0 * exp(s.constant)), -2e0 / s.df) - 1e0))
                else
                    s.z + (power(s.z, 3) + s.z) / (4e0 * s.df)
                    + (5e0 * power(s.z, 5) + 16e0 * power(s.z, 3) + 3e0 * s.z) / (96e0 * power(s.df, 2))
                    + (3e0 * power(s.z, 7) + 19e0 * power(s.z, 5) + 17e0 * power(s.z, 3) - 15e0 * s.z) / (384e0 * power(s.df, 3))
                    + (79e0 * power(s.z, 9) + 776e0 * power(s.z, 7) + 1482e0 * power(s.z, 5) - 1920e0 * power(s.z, 3) - 945e0 * s.z)
                    / (92160e0 * power(s.df, 4))
            end as quantile
        from normal as s
    ),

    mills_0 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_0 as n) as s
    ),

    newton_1 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_0 as s
    ),

    mills_1 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_1 as n) as s
    ),

    newton_2 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_1 as s
    ),

    mills_2 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_2 as n) as s
    ),

    newton_3 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_2 as s
    )

    select s.tail, s.df, s.quantile
    from newton_3 as s
)
== step.intervals ==
{%%}-- one row per model, metric and cut-off: the interval, and whether there are too few users to trust it
intervals as (
    select
        s.model,
        {%sliced%}s.slice,
        s.segment,
        {%%}s.place,
        s.k,
        case
            when s.penalty > 0e0
                then greatest(
                    (s.value + s.penalty / 2e0 - sqrt(greatest(s.value * (1e0 - s.value), 0e0) * s.penalty + s.penalty * s.penalty / 4e0)) / (1e0 + s.penalty),
                    0e0
                )
            when s.margin is not null and not s.is_scored then greatest(s.value - s.margin, s.least)
        end as low,
        case
            when s.penalty > 0e0
                then least(
                    (s.value + s.penalty / 2e0 + sqrt(greatest(s.value * (1e0 - s.value), 0e0) * s.penalty + s.penalty * s.penalty / 4e0)) / (1e0 + s.penalty),
                    1e0
                )
            when s.margin is not null and not s.is_scored then least(s.value + s.margin, s.most)
        end as high,
        s.std_error,
        s.few
    from (
        select
            p.*,
            q.quantile * nullif(p.std_error, 0e0) as margin,
            case when p.is_scored then q.quantile * q.quantile / nullif(p.effective_users, 0e0) end as penalty
        from spreads as p
        left join quantiles as q on q.df is not distinct from p.df
    ) as s
)
== step.unbroken ==
{%%}-- one row per length of a list: the hash of the ranks 1, 2, ... up to that length
unbroken as (
    select i.i as returned, bit_xor(hash(xor(hash(i.i), hash(now())))) over (order by i.i asc) as ranks
    from (select unnest(range(1, (select max(n.returned) from list_ranks as n) + 1)) as i) as i
)
== step.unproven ==
{%%}-- one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs
unproven as (
    select n.model, n.user_id
    from list_ranks as n
    left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
    where b.returned is null
)
== step.rank_bands ==
{%%}-- one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank
rank_bands as (
    select r.model, r.user_id, try_cast(r.rank as bigint) >> 6 as band
    from given_recs as r
    inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
    {%any_order%}where r.rank_by = 'rank'
    {%%}group by r.model, r.user_id, try_cast(r.rank as bigint) >> 6
    having bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(r.rank as bigint) & 63 as ubigint))) < count(*)
)
== step.doubtful_recs ==
{%%}-- one row per row of recs in a band of ranks that may have one twice
doubtful_recs as not materialized (
    select r.*
    from given_recs as r
    inner join rank_bands as b
        on b.model is not distinct from r.model and b.user_id = r.user_id and b.band = try_cast(r.rank as bigint) >> 6
)
== step.repeated_ranks ==
{%%}-- one row per list and rank that several items have
repeated_ranks as (
    select r.model, r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
    from doubtful_recs as r
    {%any_order%}where r.rank_by = 'rank'
    {%%}group by r.model, r.user_id, r.rank
    having min(r.item_id) <> max(r.item_id){%duplicates=count%} or count(*) > 1{%%}
)
== step.problems ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%!by= & by_activity%}    union all
        select 2 as place, p.message
        from (
            {%!by= & by_activity: check.activity_users%}
        ) as p
    {%candidates_read%}    union all
        select 3 as place, p.message
        from (
            {%candidates_read: check.candidate_ids%}
        ) as p
        union all
        select 5 as place, p.message
        from (
            {%candidates_read: check.candidate_truth%}
        ) as p
    {%lengths_count & lists_read%}    union all
        select 7 as place, p.message
        from (
            {%lengths_count & lists_read: check.crowded%}
        ) as p
    {%duplicates=error & hits_read%}    union all
        select 5 as place, p.message
        from (
            {%duplicates=error & hits_read: check.duplicates%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.fold_column%}
        ) as p
    {%hits_read & step.relevant & ties=best/worst%}    union all
        select 6 as place, p.message
        from (
            {%hits_read & step.relevant & ties=best/worst: check.gains_below_zero%}
        ) as p
    {%needs.gains%}    union all
        select 6 as place, p.message
        from (
            {%needs.gains: check.gains_out_of_range%}
        ) as p
    {%needs.readings%}    union all
        select 6 as place, p.message
        from (
            {%needs.readings: check.grades%}
        ) as p
    {%!rank_by=rank & ties=input%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank & ties=input: check.input_order%}
        ) as p
    {%truth_check=leave_one_out%}    union all
        select 5 as place, p.message
        from (
            {%truth_check=leave_one_out: check.leave_one_out%}
        ) as p
    {%!by= & by_table & multiple=error%}    union all
        select 6 as place, p.message
        from (
            {%!by= & by_table & multiple=error: check.multiple%}
        ) as p
    {%ranked_read & ties=best/expected/worst & truth_window=k/rank%}    union all
        select 1 as place, p.message
        from (
            {%ranked_read & ties=best/expected/worst & truth_window=k/rank: check.no_order%}
        ) as p
    {%no_truth=error%}    union all
        select 8 as place, p.message
        from (
            {%no_truth=error: check.no_truth%}
        ) as p
    {%%}    union all
        select 9 as place, p.message
        from (
            {%: check.nobody%}
        ) as p
    {%!rank_by=score%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=score: check.ranks%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.recs_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.recs_ids%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%: check.relevance%}
        ) as p
    {%!rank_by=score%}    union all
        select 6 as place, p.message
        from (
            {%!rank_by=score: check.same_rank%}
        ) as p
    {%!rank_by=rank%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank: check.scores%}
        ) as p
    {%seen=error & seen_read%}    union all
        select 5 as place, p.message
        from (
            {%seen=error & seen_read: check.seen_items%}
        ) as p
    {%seen_read%}    union all
        select 2 as place, p.message
        from (
            {%seen_read: check.seen_users%}
        ) as p
    {%!by=%}    union all
        select 2 as place, p.message
        from (
            {%!by=: check.segment_columns%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%!by=: check.segment_lists%}
        ) as p
    {%!by= & with_cuts%}    union all
        select 5 as place, p.message
        from (
            {%!by= & with_cuts: check.segment_numbers%}
        ) as p
    {%!by= & with_crossed%}    union all
        select 5 as place, p.message
        from (
            {%!by= & with_crossed: check.segment_texts%}
        ) as p
    {%!by=%}    union all
        select 5 as place, p.message
        from (
            {%!by=: check.segment_values%}
        ) as p
        union all
        select 8 as place, p.message
        from (
            {%!by=: check.segments%}
        ) as p
    {%duplicates=count/hole/set & step.scored & ties=best/expected/worst%}    union all
        select 5 as place, p.message
        from (
            {%duplicates=count/hole/set & step.scored & ties=best/expected/worst: check.tied_copies%}
        ) as p
    {%step.scored & ties=error%}    union all
        select 5 as place, p.message
        from (
            {%step.scored & ties=error: check.ties%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.truth_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.truth_ids%}
        ) as p
    {%truth_window=k/rank | ideal=truth_as_given%}    union all
        select 4 as place, p.message
        from (
            {%truth_window=k/rank | ideal=truth_as_given: check.truth_rank%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.activity_users ==
{%%}select
                '{%: name.train%}: there is no column user_id, whose rows train.activity counts; name it with user' as message
            from (select count(*) as interactions, count(a.user_id) as users from given_train as a) as n
            where n.interactions > 0 and n.users = 0
== check.candidate_ids ==
{%%}select
                '{%: name.candidates%}: '
                || coalesce(cast(case when c.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(c.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(c.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_candidates as c
            where c.user_id is null or c.item_id is null
            order by c.user_id asc, c.item_id asc
            limit 1
== check.candidate_truth ==
{%%}select
                '{%: name.candidates%}: the relevant item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' of user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ' is not among their candidates; add the truth, as recsql.candidates does' as message
            from given_truth as t
            {%users=table%}inner join given_users as g on g.user_id = t.user_id
            {%%}left join given_candidates as c on c.user_id = t.user_id and c.item_id = t.item_id
            where c.item_id is null and {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
            order by t.user_id asc, t.item_id asc
            limit 1
== check.crowded ==
{%%}select
                '{%: name.recs%}: the list of user '
                || coalesce(regexp_replace(cast(l.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || l.model, '') as varchar), 'NULL')
                || ' has '
                || coalesce(cast(l.returned as varchar), 'NULL')
                || ' items, but its last rank is '
                || coalesce(cast(l.last_rank as varchar), 'NULL')
                || '; give each item of a list its own rank' as message
            from lists as l
            where l.last_rank < l.returned
            order by l.user_id asc
            limit 1
== check.duplicates ==
{%%}select
                '{%: name.recs%}: item '
                || coalesce(regexp_replace(cast(h.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(h.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || h.model, '') as varchar), 'NULL')
                || '; list it once, or choose how it counts with the option duplicates' as message
            from hits as h
            where h.copies > 1
            order by h.user_id asc, h.item_id asc
            limit 1
== check.fold_column ==
{%%}select
                '{%: name.recs%}: it has the column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || ', and a macro can''t keep folds apart; give a view of one fold, without that column' as message
            from (
                select unnest(json_keys(to_json(g))) as name
                from (select * from query_table('{%: source.recs%}') limit 1) as g
            ) as c
            where lower(c.name) = 'fold'
            limit 1
== check.gains_below_zero ==
{%%}select
                '{%: name.truth%}: item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' has gain '
                || coalesce(cast(t.gain as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || '; ties = ''best'' and ''worst'' need gains of at least 0' as message
            from relevant as t
            inner join found as f on f.user_id = t.user_id and f.item_id = t.item_id
            where t.gain < 0
            order by t.user_id asc, t.item_id asc
            limit 1
== check.gains_out_of_range ==
{%%}select
                '{%: name.truth%}: item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' has gain '
                || coalesce(cast(t.gain as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || '; scale the relevance so that gains lie between 1e-6 and 1e9' as message
            from (
                select t.user_id, t.item_id, {%gain=binary%}1e0{%gain=exp2%}(power(2e0, t.relevance) - 1){%gain=exp2_shifted%}(power(2e0, t.relevance - coalesce({%gain=exp2_shifted & relevance_threshold=%}null{%!relevance_threshold= & gain=exp2_shifted: relevance_threshold%}{%gain=exp2_shifted%}, 0) + 1) - 1){%gain=map%}coalesce({%gain=map: gain of t.relevance%}, error(
                    'gain_map: no gain for relevance '
                    || coalesce(cast(t.relevance as varchar), 'NULL')
                    || ' of user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; add one'
                )){%!gain=binary & !gain=exp2 & !gain=exp2_shifted & !gain=map%}t.relevance{%%} as gain
                from given_truth as t
                where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
            ) as t
            where abs(t.gain) >= 1e9 or (t.gain <> 0 and abs(t.gain) < 1e-6)
            order by t.user_id asc, t.item_id asc
            limit 1
== check.grades ==
{%%}select
                '{%: name.truth%}: item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' has relevance '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', above the highest grade '
                || coalesce(cast({%: err_max_grade%} as varchar), 'NULL')
                || '; set err_max_grade to that of your scale' as message
            from (
                select t.user_id, t.item_id, t.relevance, {%gain=exp2/exp2_shifted%}(greatest({%gain=exp2%}(power(2e0, t.relevance) - 1){%gain=exp2_shifted%}(power(2e0, t.relevance - coalesce({%gain=exp2_shifted & relevance_threshold=%}null{%!relevance_threshold= & gain=exp2_shifted: relevance_threshold%}{%gain=exp2_shifted%}, 0) + 1) - 1){%gain=exp2/exp2_shifted%}, 0e0) / power(2e0, {%gain=exp2/exp2_shifted: err_max_grade%})){%!gain=exp2/exp2_shifted%}((power(2e0, greatest({%gain=binary%}1e0{%gain=map%}coalesce({%gain=map: gain of t.relevance%}, error(
                    'gain_map: no gain for relevance '
                    || coalesce(cast(t.relevance as varchar), 'NULL')
                    || ' of user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; add one'
                )){%!gain=binary & !gain=exp2 & !gain=exp2/exp2_shifted & !gain=exp2_shifted & !gain=map%}t.relevance{%!gain=exp2/exp2_shifted%}, 0e0)) - 1) / power(2e0, {%!gain=exp2/exp2_shifted: err_max_grade%})){%%} as chance
                from given_truth as t
                where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
            ) as t
            where t.chance > 1 - power(2e0, -{%: err_max_grade%})
            order by t.user_id asc, t.item_id asc
            limit 1
== check.input_order ==
{%%}select
                '{%: name.recs%}: rank is '
                || coalesce(cast(r.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; ties = ''input'' needs the input order in the column rank' as message
            from given_recs as r
            where r.rank is null{%any_order%} and r.rank_by = 'score'{%%}
            order by r.user_id asc, r.item_id asc
            limit 1
== check.leave_one_out ==
{%%}select
                '{%: name.truth%}: user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has '
                || coalesce(cast(coalesce(u.relevant, 0) as varchar), 'NULL')
                || ' relevant items; truth_check = ''leave_one_out'' needs exactly one per user' as message
            from given_truth as t
            left join users as u on u.user_id = t.user_id
            where u.relevant is null or u.relevant > 1
            order by t.user_id asc
            limit 1
== check.multiple ==
{%%}select
                '{%: name.segments%}: user '
                || coalesce(regexp_replace(cast(g.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has several segments of '
                || coalesce(cast(case g.slice{%: .slices.24%} end as varchar), 'NULL')
                || ': '
                || coalesce(regexp_replace(cast(min(g.segment) as varchar), '^$', ''''''), 'NULL')
                || ' and '
                || coalesce(regexp_replace(cast(case when min(g.segment) <> max(g.segment) then max(g.segment) end as varchar), '^$', ''''''), 'NULL')
                || '; give every user one, or set multiple = ''each''' as message
            from user_segments as g
            group by g.user_id, g.slice
            having count(*) > 1
            order by g.user_id asc, g.slice asc
            limit 1
== check.no_order ==
{%%}select
                'ties = ''{%: ties%}'' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = ''item_asc'', ''item_desc'', ''input'' or ''error''' as message
== check.no_truth ==
{%%}select
                'user '
                || coalesce(regexp_replace(cast(l.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has no relevant item in {%: name.truth%}; no_truth = ''error'' does not allow that' as message
            from (
                select r.user_id from given_recs as r
                union all
                select t.user_id from given_truth as t
            ) as l
            left join users as u on u.user_id = l.user_id
            where u.user_id is null
            order by l.user_id asc
            limit 1
== check.nobody ==
{%%}select
                'no user in {%: name.truth%} has a relevant item and is in the mean; check relevance, relevance_threshold, users and no_recs' as message
            from (select count(*) as users from population as u) as n
            where n.users = 0
== check.ranks ==
{%%}select
                '{%: name.recs%}: rank is '
                || coalesce(cast(r.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; ranks are whole numbers that start at 1' as message
            from given_recs as r
            where
                (
                    r.rank is null
                    or r.rank < 1
                    or r.rank >= 1000000000000000000
                    or (
                        typeof(r.rank) not like '%INT%'
                        and (cast(r.rank as double) % 1 <> 0 or isnan(cast(r.rank as double) + 0 * random()))
                    )
                )
            {%any_order%}    and r.rank_by = 'rank'
            {%%}order by r.user_id asc, r.item_id asc
            limit 1
== check.recs_columns ==
{%%}select
                '{%: name.recs%}: there is no column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || '; '
                || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                || 'it has '
                || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                || '; rename it in a view' as message
            from (
                select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
                from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
                cross join (select json_keys(to_json(g)) as columns from query_table('{%: source.recs%}') as g limit 1) as g
            ) as c
            where c.type = '"NULL"'
            order by c.name asc
            limit 1
== check.recs_ids ==
{%%}select
                '{%: name.recs%}: '
                || coalesce(cast(case when r.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ', rank '
                || coalesce(cast(r.rank as varchar), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_recs as r
            where r.user_id is null or r.item_id is null
            order by r.user_id asc, r.item_id asc
            limit 1
== check.relevance ==
{%%}select
                '{%: name.truth%}: relevance is '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; give every row a number' as message
            from given_truth as t
            where t.relevance is null or isnan(t.relevance + 0 * random()) or isinf(t.relevance)
            order by t.user_id asc, t.item_id asc
            limit 1
== check.same_rank ==
{%%}select
                '{%: name.recs%}: items '
                || coalesce(regexp_replace(cast(o.one as varchar), '^$', ''''''), 'NULL')
                || ' and '
                || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                || ' have the same rank '
                || coalesce(cast(o.rank as varchar), 'NULL')
                || ' in the list of user '
                || coalesce(regexp_replace(cast(o.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || o.model, '') as varchar), 'NULL')
                || '; number each list with row_number(), or use rank_by = ''score'' and choose how equal scores count with the option ties' as message
            from repeated_ranks as o
            order by o.model asc nulls first, o.user_id asc, o.rank asc
            limit 1
== check.scores ==
{%%}select
                '{%: name.recs%}: score is '
                || coalesce(cast(r.score as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; every score must be a finite number, not NULL or text' as message
            from given_recs as r
            where
                (r.score is null or isnan(cast(r.score as double) + 0 * random()) or isinf(cast(r.score as double)) or typeof(r.score) in ('VARCHAR', 'BOOLEAN'))
            {%any_order%}    and r.rank_by = 'score'
            {%%}order by r.user_id asc, r.item_id asc
            limit 1
== check.seen_items ==
{%%}select
                '{%: name.recs%}: item '
                || coalesce(regexp_replace(cast(s.item_id as varchar), '^$', ''''''), 'NULL')
                || ' in the list of user '
                || coalesce(regexp_replace(cast(s.user_id as varchar), '^$', ''''''), 'NULL')
                || ' is an item that they have in {%: name.train%}; seen = ''error'' does not allow that' as message
            from seen_items as s
            order by s.user_id asc, s.item_id asc
            limit 1
== check.seen_users ==
{%%}select
                '{%: name.train%}: there is no column user_id, which seen needs; name it with user' as message
            from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
            where n.interactions > 0 and n.users = 0
== check.segment_columns ==
{%%}select
                'by: there is no column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || ' in '
                || coalesce(cast(c.there as varchar), 'NULL')
                || '; '
                || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(c.columns, lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                || 'there are '
                || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                || coalesce(cast(c.way as varchar), 'NULL') as message
            from (
                select
                    c.name,
                    list_filter(c.columns, lambda e, i: list_position(c.columns, e) = i) as columns,
                    {%by_table%}'{%by_table: name.segments%}' || ' nor ' || {%%}'{%: name.truth%}' || ' nor ' || '{%: name.recs%}' as there,
                    {%by_table%}''{%!by_table%}'; give a table with user_id and that column as segments'{%%} as way
                from (
                    select
                        c.name,
                        flatten([
            {%by_table%}                coalesce((select json_keys(to_json(x)) from query_table('{%by_table: source.segments%}') as x limit 1), []),
            {%%}                coalesce((select json_keys(to_json(x)) from query_table('{%: source.truth%}') as x limit 1), []),
                            coalesce((select json_keys(to_json(x)) from query_table('{%: source.recs%}') as x limit 1), [])
                        ]) as columns
                    from segment_tables as c
                    where c.role is null
                ) as c
            ) as c
            limit 1
== check.segment_lists ==
{%%}select
                coalesce(cast(case c.role when 'recs' then '{%: name.recs%}' else '{%: name.truth%}' end as varchar), 'NULL')
                || ': '
                || coalesce(cast(c.name as varchar), 'NULL')
                || ' is a LIST; give one value per row, or a table segments' as message
            from segment_tables as c
            where c.role <> 'segments' and cast(c.type as varchar) like '%]'
            limit 1
== check.segment_numbers ==
{%%}select min(f.message) as message
            from (
                select cast(null as varchar) as message
                where false{%: .columns.25%}
            ) as f
            having count(*) > 0
== check.segment_texts ==
{%%}select min(f.message) as message
            from (
                select cast(null as varchar) as message
                where false{%: .columns.26%}
            ) as f
            having count(*) > 0
== check.segment_values ==
{%%}select min(m.message) as message
            from (
                select
                    coalesce(cast(case f.role when 'recs' then '{%: name.recs%}' else '{%: name.truth%}' end as varchar), 'NULL')
                    || ': user '
                    || coalesce(regexp_replace(cast(f.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has two values of '
                    || coalesce(cast(f.name as varchar), 'NULL')
                    || ': '
                    || coalesce(regexp_replace(cast(f.one as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(f.other as varchar), '^$', ''''''), 'NULL')
                    || '; give every user one, or a table with both as segments' as message
                from (
                    select
                        cast(null as varchar) as role,
                        cast(null as varchar) as user_id,
                        cast(null as varchar) as name,
                        cast(null as varchar) as one,
                        cast(null as varchar) as other
                    where false{%: .columns.27%}
                ) as f
            ) as m
            having count(*) > 0
== check.segments ==
{%%}select
                'by: '
                || coalesce(cast(case n.slice{%: .slices.24%} end as varchar), 'NULL')
                || ' has '
                || coalesce(cast(n.segments as varchar), 'NULL')
                || ' segments, and at most 100 are shown; group its values in a view' as message
            from (
                select g.slice, count(distinct g.segment) as segments
                from (
            {%pairs_sliced%}        select p.slice, p.segment from segment_pairs as p{%!pairs_sliced%}        select h.slice, h.segment from headcount as h{%%}
                ) as g
                group by g.slice
            ) as n
            where n.segments > 100
            order by n.slice asc
            limit 1
== check.tied_copies ==
{%%}select
                '{%: name.recs%}: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', which ties = ''{%: ties%}'' with duplicates = ''{%: duplicates%}'' does not support; list it once, or use duplicates = ''first''' as message
            from scored as r
            group by r.model, r.user_id, r.item_id
            having count(*) > {%duplicates=set | duplicates=count & needs.distinct_hits & ties=expected%}1{%!duplicates=count & !duplicates=set | !duplicates=set & !needs.distinct_hits | !duplicates=set & !ties=expected%}count(distinct r.score){%%}
            order by r.user_id asc, r.item_id asc
            limit 1
== check.ties ==
{%%}select
                '{%: name.recs%}: user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has items '
                || coalesce(regexp_replace(cast(min(r.item_id) as varchar), '^$', ''''''), 'NULL')
                || ' and '
                || coalesce(regexp_replace(cast(max(r.item_id) as varchar), '^$', ''''''), 'NULL')
                || ' with the same score '
                || coalesce(cast(r.score as varchar), 'NULL')
                || '; use ties = ''item_asc'' or ''item_desc'', or rank the list yourself' as message
            from scored as r
            where r.rank <= {%: depth%} + 1
            group by r.model, r.user_id, r.score
            having count(*) > 1
            order by r.user_id asc
            limit 1
== check.truth_columns ==
{%%}select
                '{%: name.truth%}: there is no column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || '; '
                || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                || 'it has '
                || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                || '; rename it in a view' as message
            from (
                select unnest(['user_id', 'item_id']) as name, unnest(t.types) as type, g.columns
                from (select [typeof(t.user_id), typeof(t.item_id)] as types from given_truth as t limit 1) as t
                cross join (select json_keys(to_json(g)) as columns from query_table('{%: source.truth%}') as g limit 1) as g
            ) as c
            where c.type = '"NULL"'
            order by c.name asc
            limit 1
== check.truth_ids ==
{%%}select
                '{%: name.truth%}: '
                || coalesce(cast(case when t.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_truth as t
            where t.user_id is null or t.item_id is null
            order by t.user_id asc, t.item_id asc
            limit 1
== check.truth_rank ==
{%%}select
                '{%: name.truth%}: rank is '
                || coalesce(cast(t.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; truth_window and ideal = ''truth_as_given'' need the position of each item, starting at 1, in the truth''s column rank' as message
            from given_truth as t
            where t.rank is null or t.rank < 1
            order by t.user_id asc, t.item_id asc
            limit 1
== metric.ndcg ==
{%zero_ideal=zero%}coalesce(s.dcg / nullif(s.idcg, 0e0), 0e0){%zero_ideal=one%}coalesce(s.dcg / nullif(s.idcg, 0e0), 1e0){%!zero_ideal=one & !zero_ideal=zero%}s.dcg / nullif(s.idcg, 0e0)
== metric.recall ==
{%%}coalesce({%.recall_denominator=relevant%}s.hits / cast(nullif(s.relevant, 0) as double){%!.recall_denominator=relevant%}s.hits / cast(nullif(least(s.k, s.relevant), 0) as double){%%}, 0e0)
== metric.precision ==
{%%}coalesce({%.precision_denominator=k%}s.hits / cast(s.k as double){%.precision_denominator=returned%}s.hits / cast(nullif(s.returned, 0) as double){%!.precision_denominator=k & !.precision_denominator=returned%}s.hits / cast(nullif(least(s.k, s.relevant), 0) as double){%%}, 0e0)
== metric.ap ==
{%%}coalesce({%.ap_denominator=achievable%}s.precision_sum / nullif(least(s.k, s.relevant), 0){%.ap_denominator=relevant%}s.precision_sum / nullif(s.relevant, 0){%.ap_denominator=achievable_returned%}s.precision_sum / nullif(least(s.relevant, s.returned), 0){%.ap_denominator=k%}s.precision_sum / nullif(s.k, 0){%!.ap_denominator=achievable & !.ap_denominator=achievable_returned & !.ap_denominator=k & !.ap_denominator=relevant & ties=best/expected/worst%}coalesce(s.split_precision, s.precision_sum / nullif(s.hits, 0)){%!.ap_denominator=achievable & !.ap_denominator=achievable_returned & !.ap_denominator=k & !.ap_denominator=relevant & !ties=best/expected/worst%}s.precision_sum / nullif(s.hits, 0){%%}, 0e0)
== metric.hit ==
{%%}s.any_hit
== metric.rr ==
{%%}coalesce({%.rr_cutoff=k%}s.reciprocal_rank{%!.rr_cutoff=k%}s.reciprocal_rank_anywhere{%%}, 0e0)
== metric.bpref ==
{%.bpref_empty=one%}(s.hits_anywhere - coalesce(s.preceded / cast(nullif(least(s.not_relevant, s.relevant), 0) as double), 0e0)) / cast(nullif(s.relevant, 0) as double){%!.bpref_empty=one%}case
    when s.hits_anywhere = 0 then 0e0
    else (s.hits_anywhere - s.preceded / cast(nullif(least(s.not_relevant, s.relevant), 0) as double)) / cast(nullif(s.relevant, 0) as double)
end
== metric.cg ==
{%%}s.cg
== metric.dcg ==
{%%}s.dcg
== metric.err ==
{%%}coalesce({%.err_normalize=ideal%}s.expected_stop / nullif(s.ideal_stop, 0e0){%!.err_normalize=ideal%}s.expected_stop{%%}, 0e0)
== metric.f1 ==
{%%}coalesce((1 + power(cast({%: .beta%} as double), 2)) / (
    power(cast({%: .beta%} as double), 2) / nullif(coalesce({%.recall_denominator=relevant%}s.hits / cast(nullif(s.relevant, 0) as double){%!.recall_denominator=relevant%}s.hits / cast(nullif(least(s.k, s.relevant), 0) as double){%%}, 0e0), 0e0)
    + 1 / nullif(coalesce({%.precision_denominator=k%}s.hits / cast(s.k as double){%.precision_denominator=returned%}s.hits / cast(nullif(s.returned, 0) as double){%!.precision_denominator=k & !.precision_denominator=returned%}s.hits / cast(nullif(least(s.k, s.relevant), 0) as double){%%}, 0e0), 0e0)
), 0e0)
== metric.fn ==
{%%}cast(s.relevant - s.distinct_hits as double)
== metric.fp ==
{%%}cast(s.returned - s.hits as double)
== metric.hits ==
{%%}cast(s.hits as double)
== metric.idcg ==
{%%}s.idcg
== metric.mean_precision ==
{%%}coalesce(s.precision_total / s.k, 0e0)
== metric.r_precision ==
{%%}coalesce({%.r_precision_cut=k%}s.hits_to_r / cast(nullif(s.relevant, 0) as double){%!.r_precision_cut=k%}s.hits_to_r_anywhere / cast(nullif(s.relevant, 0) as double){%%}, 0e0)
== metric.rbp ==
{%%}coalesce({%.rbp_normalize=none%}(1 - cast({%.rbp_normalize=none: rbp_p%} as double)) * s.persistent_gain{%!.rbp_normalize=none%}s.persistent_gain / nullif(
    coalesce(
        (1 - power(cast({%!.rbp_normalize=none: rbp_p%} as double), least(s.relevant, s.returned))) / nullif(1 - cast({%!.rbp_normalize=none: rbp_p%} as double), 0e0),
        least(s.relevant, s.returned)
    ),
    0e0
){%%}, 0e0)
== metric.tn ==
{%%}case
    when {%: catalog_size%} >= s.returned + s.relevant - s.distinct_hits
        then cast({%: catalog_size%} - (s.returned + s.relevant - s.distinct_hits) as double)
    when {%: catalog_size%} < s.returned + s.relevant - s.distinct_hits
        then error(
            'catalog_size: '
            || coalesce(cast({%: catalog_size%} as varchar), 'NULL')
            || ' is too small; user '
            || coalesce(regexp_replace(cast(s.user_id as varchar), '^$', ''''''), 'NULL')
            || ' alone has '
            || coalesce(cast(cast(s.returned + s.relevant - s.distinct_hits as bigint) as varchar), 'NULL')
            || ' items in list and truth'
        )
end
== metric.tp ==
{%%}cast(s.hits as double)
== target.evaluate ==
{%sliced%}select
    s.model,
    case s.slice{%sliced: .slices.24%} end as slice,
    s.segment,
    s.metric,
    {%sliced & uncut%}cast(nullif(s.k, 1000000000000000000) as integer) as k{%!uncut & sliced%}s.k{%sliced%},
    s.value,
    s.users,
    cast(s.users as double) / nullif(a.users, 0) as share{%!interval= & sliced%},
    i.low,
    i.high,
    i.std_error,
    i.few{%!sliced%}select s.model, s.metric, {%!sliced & uncut%}cast(nullif(s.k, 1000000000000000000) as integer) as k{%!sliced & !uncut%}s.k{%!sliced%}, s.value, s.users{%!interval= & !sliced%}, i.low, i.high, i.std_error, i.few{%%}
from summary as s
{%sliced%}left join summary as a on a.model is not distinct from s.model and a.slice = 0 and a.place = s.place and a.k = s.k
{%small%}left join census as m on {%sliced & small%}m.model is not distinct from s.model and m.slice = s.slice and m.segment is not distinct from s.segment{%!sliced & small%}m.model is not distinct from s.model{%small%}
{%!interval=%}inner join intervals as i on i.model is not distinct from s.model and {%!interval= & sliced%}i.slice = s.slice and i.segment is not distinct from s.segment and {%!interval=%}i.place = s.place and i.k = s.k
{%%}where (select count(error(p.message)) from problems as p) = 0{%small%} and (s.slice = 0 or coalesce(m.users, 0) >= {%small: min_users%}){%%}
{%sliced%}order by
    s.model asc nulls first,
    s.slice asc,
    {%sliced & with_order%}case s.slice{%sliced & with_order: .slices.29%}
    end asc nulls last,
    {%sliced%}s.segment asc nulls last,
    s.place asc,
    s.k asc{%!sliced%}order by s.model asc nulls first, s.place asc, s.k asc
== step.per_user of per_user ==
{%%}-- one row per model, cut-off and user or group of alike users: the metrics
per_user as (
    select
        s.model,
        s.user_id,
    {%grouped%}    s.users,
    {%zero_ideal=skip%}    s.relevant = 0 or s.idcg > 0 as is_counted,
    {%%}    s.list_length,
        s.relevant,
        s.k{%each%}{%%},
        {%.metric=mean_precision & uncut | .ap_denominator=k & .metric=ap & uncut | .metric=f1 & .precision_denominator=k & uncut | .metric=precision & .precision_denominator=k & uncut | .metric=idcg/ndcg & ideal=constant & uncut%}case when s.k < 1000000000000000000 then {%truthless%}case when s.relevant > 0 then {%zero_ideal=skip%}case when s.idcg > 0 then {%: .natural%}{%zero_ideal=skip%} end{%!.metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & truthless%} else coalesce({%!.metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & truthless: .natural%}, 0e0){%.metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & no_truth=one & truthless%} else 1e0{%.metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & no_truth=one_if_both_empty & truthless%} when s.listed = 0 then 1e0 else 0e0{%!no_truth=one & !no_truth=one_if_both_empty & .metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr & truthless%} else 0e0{%truthless%} end{%.metric=mean_precision & uncut | .ap_denominator=k & .metric=ap & uncut | .metric=f1 & .precision_denominator=k & uncut | .metric=precision & .precision_denominator=k & uncut | .metric=idcg/ndcg & ideal=constant & uncut%} end{%%} as {%: .name%}{%/each%}{%%}
    from at_k as s
)
== step.segment_lists ==
{%%}-- one row per user with segments: the segment in each slice, or several with commas between them
segment_lists as (
    select
        g.user_id{%: .slices.30%}
    from user_segments as g
    group by g.user_id
)
== step.problems of per_user ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%!by= & by_activity%}    union all
        select 2 as place, p.message
        from (
            {%!by= & by_activity: check.activity_users%}
        ) as p
    {%candidates_read%}    union all
        select 3 as place, p.message
        from (
            {%candidates_read: check.candidate_ids%}
        ) as p
        union all
        select 5 as place, p.message
        from (
            {%candidates_read: check.candidate_truth%}
        ) as p
    {%lengths_count & lists_read%}    union all
        select 7 as place, p.message
        from (
            {%lengths_count & lists_read: check.crowded%}
        ) as p
    {%duplicates=error & hits_read%}    union all
        select 5 as place, p.message
        from (
            {%duplicates=error & hits_read: check.duplicates%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.fold_column%}
        ) as p
    {%hits_read & step.relevant & ties=best/worst%}    union all
        select 6 as place, p.message
        from (
            {%hits_read & step.relevant & ties=best/worst: check.gains_below_zero%}
        ) as p
    {%needs.gains%}    union all
        select 6 as place, p.message
        from (
            {%needs.gains: check.gains_out_of_range%}
        ) as p
    {%needs.readings%}    union all
        select 6 as place, p.message
        from (
            {%needs.readings: check.grades%}
        ) as p
    {%!rank_by=rank & ties=input%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank & ties=input: check.input_order%}
        ) as p
    {%truth_check=leave_one_out%}    union all
        select 5 as place, p.message
        from (
            {%truth_check=leave_one_out: check.leave_one_out%}
        ) as p
    {%!by= & by_table & multiple=error%}    union all
        select 6 as place, p.message
        from (
            {%!by= & by_table & multiple=error: check.multiple%}
        ) as p
    {%ranked_read & ties=best/expected/worst & truth_window=k/rank%}    union all
        select 1 as place, p.message
        from (
            {%ranked_read & ties=best/expected/worst & truth_window=k/rank: check.no_order%}
        ) as p
    {%no_truth=error%}    union all
        select 8 as place, p.message
        from (
            {%no_truth=error: check.no_truth%}
        ) as p
    {%%}    union all
        select 9 as place, p.message
        from (
            {%: check.nobody%}
        ) as p
    {%!rank_by=score%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=score: check.ranks%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.recs_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.recs_ids%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%: check.relevance%}
        ) as p
    {%!rank_by=score%}    union all
        select 6 as place, p.message
        from (
            {%!rank_by=score: check.same_rank%}
        ) as p
    {%!rank_by=rank%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank: check.scores%}
        ) as p
    {%seen=error & seen_read%}    union all
        select 5 as place, p.message
        from (
            {%seen=error & seen_read: check.seen_items%}
        ) as p
    {%seen_read%}    union all
        select 2 as place, p.message
        from (
            {%seen_read: check.seen_users%}
        ) as p
    {%!by=%}    union all
        select 2 as place, p.message
        from (
            {%!by=: check.segment_columns%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%!by=: check.segment_lists%}
        ) as p
    {%!by= & with_cuts%}    union all
        select 5 as place, p.message
        from (
            {%!by= & with_cuts: check.segment_numbers%}
        ) as p
    {%!by= & with_crossed%}    union all
        select 5 as place, p.message
        from (
            {%!by= & with_crossed: check.segment_texts%}
        ) as p
    {%!by=%}    union all
        select 5 as place, p.message
        from (
            {%!by=: check.segment_values%}
        ) as p
    {%duplicates=count/hole/set & step.scored & ties=best/expected/worst%}    union all
        select 5 as place, p.message
        from (
            {%duplicates=count/hole/set & step.scored & ties=best/expected/worst: check.tied_copies%}
        ) as p
    {%step.scored & ties=error%}    union all
        select 5 as place, p.message
        from (
            {%step.scored & ties=error: check.ties%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.truth_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.truth_ids%}
        ) as p
    {%truth_window=k/rank | ideal=truth_as_given%}    union all
        select 4 as place, p.message
        from (
            {%truth_window=k/rank | ideal=truth_as_given: check.truth_rank%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== target.per_user ==
{%%}select
    s.model,
    s.user_id,
    {%!several & uncut%}cast(nullif(s.k, 1000000000000000000) as integer) as k{%several | !uncut%}s.k{%%},
    s.list_length,
    s.relevant{%: .slices.31%}{%each%}{%.shown%},
    s.{%.shown: .name%}{%/each%}{%%}
from per_user as s
{%!by=%}left join segment_lists as g on g.user_id = s.user_id
{%%}where
    (select count(error(p.message)) from problems as p) = 0
{%zero_ideal=skip%}    and s.is_counted
{%!several%}order by s.model asc nulls first, s.user_id asc, s.k asc

== step.totals of compare ==
{%%}-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
totals as (
    select
        p.model,
        {%sliced%}p.slice,
        p.segment,
        {%%}p.k{%each%}{%%},
        {%grouped%}cast(sum(p.users * try_cast(1e18 * p.{%grouped: .name%} as hugeint)) as decimal(38, 0)){%!grouped%}cast(sum(try_cast(1e18 * p.{%!grouped: .name%} as hugeint)) as decimal(38, 0)){%%} as {%: .name%},
        cast(sum(try_cast(1e18 * (p.{%: .name%} * p.{%: .name%}) as hugeint)) as decimal(38, 0)) as {%: .name%}_squares,
        count(case when p.{%: .name%} > 5e-13 then 1 end) as {%: .name%}_others,
        {%grouped%}cast(sum(case when p.{%grouped: .name%} is null then p.users else 0 end) as bigint){%!grouped%}count(*) - count(p.{%!grouped: .name%}){%%} as {%: .name%}_missing{%/each%}{%%}
    from {%sliced%}per_segment{%!sliced%}per_user{%%} as p
    group by p.model, {%sliced%}p.slice, p.segment, {%%}p.k
)
== step.model_pairs ==
{%%}-- one row per pair of models that is compared; if there is none, one for the checks to refuse
model_pairs as (
    select
        row_number() over (order by a.model asc nulls first, b.model asc nulls first) as pair,
        a.model,
        b.model as baseline
    from models as a
    cross join (select count(*) as models from models) as n
    {%baseline=%}left join models as b on b.model > a.model or (a.model is null and b.model is not null)
    where b.model is not null or n.models = 1{%!baseline=%}left join models as b on b.model = '{%!baseline=: baseline as text%}'
    where b.model is distinct from a.model or n.models = 1{%%}
)
== step.differences ==
{%%}-- one row per pair of models, cut-off and user: the values of both models where both have one, and whether only one has
differences as (
    select
        coalesce(a.pair, b.pair) as pair,
        coalesce(a.user_id, b.user_id) as user_id,
        coalesce(a.k, b.k) as k{%each%}{%%},
        case when b.{%: .name%} is not null then a.{%: .name%} end as {%: .name%},
        case when a.{%: .name%} is not null then b.{%: .name%} end as {%: .name%}_base,
        (a.{%: .name%} is null) <> (b.{%: .name%} is null) as {%: .name%}_unpaired{%/each%}{%%}
    from (
        select
            p.pair,
            u.user_id,
            u.k{%each%}{%%},
            u.{%: .name%}{%/each%}{%%}
        from model_pairs as p
        inner join per_user as u on u.model is not distinct from p.model
    ) as a
    full outer join (
        select
            p.pair,
            u.user_id,
            u.k{%each%}{%%},
            u.{%: .name%}{%/each%}{%%}
        from model_pairs as p
        inner join per_user as u on u.model is not distinct from p.baseline
    ) as b on b.pair = a.pair and b.user_id = a.user_id and b.k = a.k
)
== step.segment_pairs ==
{%%}-- one row per pair of models, slice and segment with users
segment_pairs as (
    select
        row_number() over (order by d.pair asc, d.slice asc, d.segment asc) as number,
        d.pair,
        d.slice,
        d.segment
    from (
        select distinct
            d.pair,
            s.slice,
            {%by_activity%}coalesce(g.segment, s.otherwise){%!by_activity%}g.segment{%by_activity%} as segment{%%}
        from differences as d
        cross join slices as s
        left join user_segments as g on g.user_id = d.user_id and g.slice = s.slice
    ) as d
)
== step.sliced_differences ==
{%%}-- one row per pair of models with a segment, cut-off and user: the same as differences; the number of both is the pair
sliced_differences as (
    select
        p.number as pair,
        d.user_id,
        d.k{%each%}{%%},
        d.{%: .name%},
        d.{%: .name%}_base,
        d.{%: .name%}_unpaired{%/each%}{%%}
    from differences as d
    cross join slices as s
    left join user_segments as g on g.user_id = d.user_id and g.slice = s.slice
    inner join segment_pairs as p on p.pair = d.pair and p.slice = s.slice and p.segment is not distinct from {%by_activity%}coalesce(g.segment, s.otherwise){%!by_activity%}g.segment{%%}
)
== step.shared ==
{%%}-- one row per pair of models and cut-off: over the users with a hit in both lists, the products, and who is ahead
shared as (
    select
        p.pair,
        a.k{%each%}{%%},
        count(case when a.{%: .name%} > 5e-13 then 1 end) as {%: .name%}_others,
        count(case when b.{%: .name%} > 5e-13 then 1 end) as {%: .name%}_base_others,
        count(case when a.{%: .name%} - b.{%: .name%} > 5e-13 then 1 end) as {%: .name%}_wins,
        count(case when b.{%: .name%} - a.{%: .name%} > 5e-13 then 1 end) as {%: .name%}_losses,
        cast(sum(try_cast(1e18 * (a.{%: .name%} * b.{%: .name%}) as hugeint)) as decimal(38, 0)) as {%: .name%}_products{%/each%}{%%}
    from model_pairs as p
    inner join per_user as a on a.model is not distinct from p.model
    inner join per_user as b on b.model is not distinct from p.baseline and b.user_id = a.user_id and b.k = a.k
    group by p.pair, a.k
)
== step.paired_sums ==
{%sparse%}-- one row per pair of models and cut-off: over the users who have both values, the sums, squares and products, in units of 1e-18
paired_sums as (
    select
        p.pair,
        c.k{%each%}{%sparse%},
        n.users as {%sparse: .name%}_users,
        cast(0 as bigint) as {%sparse: .name%}_unpaired,
        coalesce(a.{%sparse: .name%}_others, 0) - coalesce(s.{%sparse: .name%}_others, 0) + coalesce(s.{%sparse: .name%}_wins, 0) as {%sparse: .name%}_wins,
        coalesce(b.{%sparse: .name%}_others, 0) - coalesce(s.{%sparse: .name%}_base_others, 0) + coalesce(s.{%sparse: .name%}_losses, 0) as {%sparse: .name%}_losses,
        coalesce(a.{%sparse: .name%}, 0) as {%sparse: .name%},
        coalesce(b.{%sparse: .name%}, 0) as {%sparse: .name%}_base,
        coalesce(a.{%sparse: .name%}_squares, 0) as {%sparse: .name%}_squares,
        coalesce(b.{%sparse: .name%}_squares, 0) as {%sparse: .name%}_base_squares,
        coalesce(s.{%sparse: .name%}_products, 0) as {%sparse: .name%}_products{%/each%}{%sparse%}
    from model_pairs as p
    cross join cutoffs as c
    inner join census as n on n.model is not distinct from p.model
    left join totals as a on a.model is not distinct from p.model and a.k = c.k
    left join totals as b on b.model is not distinct from p.baseline and b.k = c.k
    left join shared as s on s.pair = p.pair and s.k = c.k
){%!sparse%}-- one row per pair of models and cut-off: over the users who have both values, the sums, squares and products, in units of 1e-18
paired_sums as (
    select
        d.pair,
        d.k{%each%}{%!sparse%},
        count(d.{%!sparse: .name%}) as {%!sparse: .name%}_users,
        count(case when d.{%!sparse: .name%}_unpaired then 1 end) as {%!sparse: .name%}_unpaired,
        count(case when d.{%!sparse: .name%} - d.{%!sparse: .name%}_base > 5e-13 then 1 end) as {%!sparse: .name%}_wins,
        count(case when d.{%!sparse: .name%}_base - d.{%!sparse: .name%} > 5e-13 then 1 end) as {%!sparse: .name%}_losses,
        cast(sum(try_cast(1e18 * d.{%!sparse: .name%} as hugeint)) as decimal(38, 0)) as {%!sparse: .name%},
        cast(sum(try_cast(1e18 * d.{%!sparse: .name%}_base as hugeint)) as decimal(38, 0)) as {%!sparse: .name%}_base,
        {%!sparse & .by_wilson%}cast(sum(try_cast(1e18 * (d.{%!sparse & .by_wilson: .name%} * d.{%!sparse & .by_wilson: .name%}) as hugeint)) as decimal(38, 0)){%!.by_wilson & !sparse%}case when max(greatest(abs(d.{%!.by_wilson & !sparse: .name%}), abs(d.{%!.by_wilson & !sparse: .name%}_base))) < 1e7 then cast(sum(try_cast(1e18 * (case when abs(d.{%!.by_wilson & !sparse: .name%}) < 1e7 and abs(d.{%!.by_wilson & !sparse: .name%}) < 1e7 then d.{%!.by_wilson & !sparse: .name%} * d.{%!.by_wilson & !sparse: .name%} end) as hugeint)) as decimal(38, 0)) end{%!sparse%} as {%!sparse: .name%}_squares,
        {%!sparse & .by_wilson%}cast(sum(try_cast(1e18 * (d.{%!sparse & .by_wilson: .name%}_base * d.{%!sparse & .by_wilson: .name%}_base) as hugeint)) as decimal(38, 0)){%!.by_wilson & !sparse%}case when max(greatest(abs(d.{%!.by_wilson & !sparse: .name%}), abs(d.{%!.by_wilson & !sparse: .name%}_base))) < 1e7 then cast(sum(try_cast(1e18 * (case when abs(d.{%!.by_wilson & !sparse: .name%}_base) < 1e7 and abs(d.{%!.by_wilson & !sparse: .name%}_base) < 1e7 then d.{%!.by_wilson & !sparse: .name%}_base * d.{%!.by_wilson & !sparse: .name%}_base end) as hugeint)) as decimal(38, 0)) end{%!sparse%} as {%!sparse: .name%}_base_squares,
        {%!sparse & .by_wilson%}cast(sum(try_cast(1e18 * (d.{%!sparse & .by_wilson: .name%} * d.{%!sparse & .by_wilson: .name%}_base) as hugeint)) as decimal(38, 0)){%!.by_wilson & !sparse%}case when max(greatest(abs(d.{%!.by_wilson & !sparse: .name%}), abs(d.{%!.by_wilson & !sparse: .name%}_base))) < 1e7 then cast(sum(try_cast(1e18 * (case when abs(d.{%!.by_wilson & !sparse: .name%}) < 1e7 and abs(d.{%!.by_wilson & !sparse: .name%}_base) < 1e7 then d.{%!.by_wilson & !sparse: .name%} * d.{%!.by_wilson & !sparse: .name%}_base end) as hugeint)) as decimal(38, 0)) end{%!sparse%} as {%!sparse: .name%}_products{%/each%}{%!sparse%}
    from {%!sparse & pairs_sliced%}sliced_differences{%!pairs_sliced & !sparse%}differences{%!sparse%} as d
    group by d.pair, d.k
)
== step.alike_differences ==
{%%}-- one row per pair of models, metric, cut-off and difference that is not 0: the number of users who have it
alike_differences as (
    select d.pair, d.place, d.k, d.difference, count(*) as users
    from (
        select
            d.pair,
            a.place,
            d.k,
            round(case a.place
            {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then d.{%!.by_groups & .shown: .name%} - d.{%!.by_groups & .shown: .name%}_base
            {%/each%}{%%}end, 12) as difference
        from {%pairs_sliced%}sliced_differences{%!pairs_sliced%}differences{%%} as d
        cross join asked as a
    ) as d
    where d.difference <> 0e0
    group by d.pair, d.place, d.k, d.difference
)
== step.signed_ranks ==
{%%}-- one row per pair of models, metric and cut-off: the rank sum of the wins, as standard deviations from what equal models have
signed_ranks as (
    select
        r.pair,
        r.place,
        r.k,
        (list_sum(list(r.wins * r.rank order by r.size asc)) - list_sum(list(r.users * r.rank order by r.size asc)) / 2e0)
        * 2e0 / sqrt(list_sum(list(r.users * r.rank * r.rank order by r.size asc))) as z
    from (
        select s.*, sum(s.users) over (partition by s.pair, s.place, s.k order by s.size asc) - (s.users - 1e0) / 2e0 as rank
        from (
            select
                d.pair,
                d.place,
                d.k,
                abs(d.difference) as size,
                cast(sum(d.users) as bigint) as users,
                cast(sum(case when d.difference > 0e0 then d.users else 0 end) as bigint) as wins
            from alike_differences as d
            group by d.pair, d.place, d.k, abs(d.difference)
        ) as s
    ) as r
    group by r.pair, r.place, r.k
)
== step.sizes ==
{%%}-- one row per pair of models, metric and cut-off: the moments of the differences, and their step if all are multiples of the smallest
sizes as (
    select
        d.pair,
        d.place,
        d.k,
        sum(d.users) as users,
        list_sum(list(d.users * d.difference order by d.difference asc)) as total,
        list_sum(list(d.users * power(d.difference, 2) order by d.difference asc)) as squares,
        list_sum(list(d.users * power(d.difference, 4) order by d.difference asc)) as fourths,
        list_sum(list(d.users * power(d.difference, 6) order by d.difference asc)) as sixths,
        case
            when max(abs(abs(d.difference) / d.smallest - round(abs(d.difference) / d.smallest))) < 1e-6 then min(d.smallest)
            else 0e0
        end as step
    from (
        select a.*, min(abs(a.difference)) over (partition by a.pair, a.place, a.k) as smallest
        from alike_differences as a
    ) as d
    group by d.pair, d.place, d.k
)
== step.flipped ==
{%%}-- one row per pair of models, metric and cut-off with 20 users or fewer who differ: the share of all flips of signs that reach the sum
flipped as (
    with numbered as (
        select
            a.pair,
            a.place,
            a.k,
            abs(a.difference) as size,
            row_number() over (partition by a.pair, a.place, a.k order by abs(a.difference) asc) - 1 as number
        from alike_differences as a
        inner join sizes as s on s.pair = a.pair and s.place = a.place and s.k = a.k and s.users <= 20
        inner join (select unnest(range(1, 20 + 1)) as i) as n on n.i <= a.users
    ),

    halves as (
        select n.pair, n.place, n.k, h.i as half, sum(case when floor(n.number / 10) = h.i then 1 else 0 end) as users
        from numbered as n
        cross join (select unnest(range(0, 1 + 1)) as i) as h
        group by n.pair, n.place, n.k, h.i
    ),

    sums as (
        select
            h.pair,
            h.place,
            h.k,
            h.half,
            f.i as flip,
            list_sum(list(case when floor(f.i / power(2e0, n.number % 10)) % 2 = 1 then -n.size else n.size end order by n.number asc)) as total
        from halves as h
        inner join (select unnest(range(0, 1023 + 1)) as i) as f on f.i < power(2, h.users)
        left join numbered as n on n.pair = h.pair and n.place = h.place and n.k = h.k and floor(n.number / 10) = h.half
        group by h.pair, h.place, h.k, h.half, f.i
    )

    select
        a.pair,
        a.place,
        a.k,
        avg(
            case
    {%alternative=greater%}            when coalesce(a.total, 0e0) + coalesce(b.total, 0e0) >= s.total - 1e-9 then 1e0{%alternative=less%}            when coalesce(a.total, 0e0) + coalesce(b.total, 0e0) <= s.total + 1e-9 then 1e0{%!alternative=greater & !alternative=less%}            when abs(coalesce(a.total, 0e0) + coalesce(b.total, 0e0)) >= abs(s.total) - 1e-9 then 1e0{%%}
                else 0e0
            end
        ) as p
    from sums as a
    inner join sums as b on b.pair = a.pair and b.place = a.place and b.k = a.k
    inner join sizes as s on s.pair = a.pair and s.place = a.place and s.k = a.k
    where a.half = 0 and b.half = 1
    group by a.pair, a.place, a.k
)
== step.paired ==
{%%}-- one row per pair of models, metric and cut-off: the sums that the test and the interval are made of
paired as (
    select
        p.model,
        p.baseline,
    {%pairs_sliced%}    g.slice,
        g.segment,
    {%%}    case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then {%!.by_groups & .shown: .order%}
        {%/each%}{%%}end as place,
        a.metric,
        s.k,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}_users
        {%/each%}{%%}end as users,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}_unpaired
        {%/each%}{%%}end as unpaired,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}_wins
        {%/each%}{%%}end as wins,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}_losses
        {%/each%}{%%}end as losses,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}
        {%/each%}{%%}end as sum,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}_base
        {%/each%}{%%}end as base_sum,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}_squares
        {%/each%}{%%}end as squares,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}_base_squares
        {%/each%}{%%}end as base_squares,
        case a.place
        {%each%}{%!.by_groups & .shown%}    when {%!.by_groups & .shown: .place%} then s.{%!.by_groups & .shown: .name%}_products
        {%/each%}{%%}end as products{%test=wilcoxon%},
        r.z{%test=randomisation%},
        m.total,
        m.squares as total_squares,
        m.fourths,
        m.sixths,
        m.step,
        f.p as exact{%%}
    from paired_sums as s
    {%pairs_sliced%}inner join segment_pairs as g on g.number = s.pair
    inner join model_pairs as p on p.pair = g.pair{%!pairs_sliced%}inner join model_pairs as p on p.pair = s.pair{%%}
    cross join asked as a{%test=wilcoxon%}
    left join signed_ranks as r on r.pair = s.pair and r.place = a.place and r.k = s.k{%test=randomisation%}
    left join sizes as m on m.pair = s.pair and m.place = a.place and m.k = s.k
    left join flipped as f on f.pair = s.pair and f.place = a.place and f.k = s.k{%ks_differ%}
    where
        case a.place
        {%each%}{%!.by_groups & .shown & ks_differ%}    when {%!.by_groups & .shown & ks_differ: .place%} then s.k in ({%!.by_groups & .shown & ks_differ: .ks_text%})
        {%/each%}{%ks_differ%}end{%%}
)
== step.problems of compare ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%!by= & by_activity%}    union all
        select 2 as place, p.message
        from (
            {%!by= & by_activity: check.activity_users%}
        ) as p
    {%!baseline=%}    union all
        select 2 as place, p.message
        from (
            {%!baseline=: check.baseline%}
        ) as p
    {%candidates_read%}    union all
        select 3 as place, p.message
        from (
            {%candidates_read: check.candidate_ids%}
        ) as p
        union all
        select 5 as place, p.message
        from (
            {%candidates_read: check.candidate_truth%}
        ) as p
    {%lengths_count & lists_read%}    union all
        select 7 as place, p.message
        from (
            {%lengths_count & lists_read: check.crowded%}
        ) as p
    {%duplicates=error & hits_read%}    union all
        select 5 as place, p.message
        from (
            {%duplicates=error & hits_read: check.duplicates%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.fold_column%}
        ) as p
    {%hits_read & step.relevant & ties=best/worst%}    union all
        select 6 as place, p.message
        from (
            {%hits_read & step.relevant & ties=best/worst: check.gains_below_zero%}
        ) as p
    {%needs.gains%}    union all
        select 6 as place, p.message
        from (
            {%needs.gains: check.gains_out_of_range%}
        ) as p
    {%needs.readings%}    union all
        select 6 as place, p.message
        from (
            {%needs.readings: check.grades%}
        ) as p
    {%!rank_by=rank & ties=input%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank & ties=input: check.input_order%}
        ) as p
    {%truth_check=leave_one_out%}    union all
        select 5 as place, p.message
        from (
            {%truth_check=leave_one_out: check.leave_one_out%}
        ) as p
    {%!by= & by_table & multiple=error%}    union all
        select 6 as place, p.message
        from (
            {%!by= & by_table & multiple=error: check.multiple%}
        ) as p
    {%ranked_read & ties=best/expected/worst & truth_window=k/rank%}    union all
        select 1 as place, p.message
        from (
            {%ranked_read & ties=best/expected/worst & truth_window=k/rank: check.no_order%}
        ) as p
    {%no_truth=error%}    union all
        select 8 as place, p.message
        from (
            {%no_truth=error: check.no_truth%}
        ) as p
    {%%}    union all
        select 9 as place, p.message
        from (
            {%: check.nobody%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.one_model%}
        ) as p
    {%!rank_by=score%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=score: check.ranks%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.recs_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.recs_ids%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%: check.relevance%}
        ) as p
    {%!rank_by=score%}    union all
        select 6 as place, p.message
        from (
            {%!rank_by=score: check.same_rank%}
        ) as p
    {%!rank_by=rank%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank: check.scores%}
        ) as p
    {%seen=error & seen_read%}    union all
        select 5 as place, p.message
        from (
            {%seen=error & seen_read: check.seen_items%}
        ) as p
    {%seen_read%}    union all
        select 2 as place, p.message
        from (
            {%seen_read: check.seen_users%}
        ) as p
    {%!by=%}    union all
        select 2 as place, p.message
        from (
            {%!by=: check.segment_columns%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%!by=: check.segment_lists%}
        ) as p
    {%!by= & with_cuts%}    union all
        select 5 as place, p.message
        from (
            {%!by= & with_cuts: check.segment_numbers%}
        ) as p
    {%!by= & with_crossed%}    union all
        select 5 as place, p.message
        from (
            {%!by= & with_crossed: check.segment_texts%}
        ) as p
    {%!by=%}    union all
        select 5 as place, p.message
        from (
            {%!by=: check.segment_values%}
        ) as p
        union all
        select 8 as place, p.message
        from (
            {%!by=: check.segments%}
        ) as p
    {%duplicates=count/hole/set & step.scored & ties=best/expected/worst%}    union all
        select 5 as place, p.message
        from (
            {%duplicates=count/hole/set & step.scored & ties=best/expected/worst: check.tied_copies%}
        ) as p
    {%step.scored & ties=error%}    union all
        select 5 as place, p.message
        from (
            {%step.scored & ties=error: check.ties%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.truth_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.truth_ids%}
        ) as p
    {%truth_window=k/rank | ideal=truth_as_given%}    union all
        select 4 as place, p.message
        from (
            {%truth_window=k/rank | ideal=truth_as_given: check.truth_rank%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.baseline ==
{%%}select
                'baseline: '
                || coalesce(cast(m.baseline as varchar), 'NULL')
                || ' is no model of {%: name.recs%}; '
                || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(m.models, lambda n: jaro_winkler_similarity(lower(n), lower(m.baseline)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(m.baseline)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                || 'choose one of '
                || coalesce(cast(array_to_string(m.models, ', ') as varchar), 'NULL') as message
            from (
                select
                    '{%: baseline as text%}' as baseline,
                    list(n.model order by n.model asc) as models
                from models as n
                where n.model is not null
            ) as m
            left join models as o on o.model = m.baseline
            where o.model is null
== check.one_model ==
{%%}select
                '{%: name.recs%}: '
                || coalesce(cast(coalesce(min(m.model), 'NULL') as varchar), 'NULL')
                || ' is the only model, and a comparison needs two or more; give the lists of another one' as message
            from models as m
            having count(*) < 2
== target.paired ==
{%%}select
    s.model,
    s.baseline,
{%pairs_sliced%}    s.slice,
    s.segment,
{%%}    s.place,
    s.metric,
    s.k,
    s.users,
    s.unpaired,
    s.wins,
    s.losses,
    s.sum,
    s.base_sum,
    s.squares,
    s.base_squares,
    s.products{%test=wilcoxon%},
    s.z{%test=randomisation%},
    s.total,
    s.total_squares,
    s.fourths,
    s.sixths,
    s.step,
    s.exact{%%}
from paired as s
where (select count(error(p.message)) from problems as p) = 0
== step.given_items ==
{%%}-- one row per catalogue item and category
given_items as not materialized (
    select i.item_id, i.category
    from (
        from query_table('{%: source.items%}')
        union all by name
        select null::varchar as category where false
    ) as i
)
== step.scored of item_metrics ==
{%%}-- one row per scored item, ranked by its score
scored as not materialized (
    {%!ties=best/expected/worst%}select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, {%ties=item_desc%}r.item_id desc{%ties=input%}r.rank asc, r.item_id asc{%!ties=best/expected/worst & !ties=input & !ties=item_desc%}r.item_id asc{%!ties=best/expected/worst%}
        ) as rank
    from {%!candidates= & !ties=best/expected/worst%}candidate_recs{%!ties=best/expected/worst & !train= & candidates= & seen=drop%}unseen_recs{%!ties=best/expected/worst & candidates= & train= | !seen=drop & !ties=best/expected/worst & candidates=%}given_recs{%!ties=best/expected/worst%} as r{%!ties=best/expected/worst & any_order%}
    where r.rank_by = 'score'{%ties=best/expected/worst%}select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
        rank() over (partition by r.model, r.user_id order by r.score desc) as rank
    from (
    {%duplicates=first/last & ties=best/expected/worst%}    select r.model, r.user_id, r.item_id, {%duplicates=last & ties=best/expected/worst%}min{%duplicates=first & ties=best/expected/worst%}max{%duplicates=first/last & ties=best/expected/worst%}(r.score) as score
        from {%!candidates= & duplicates=first/last & ties=best/expected/worst%}candidate_recs{%!train= & candidates= & duplicates=first/last & seen=drop & ties=best/expected/worst%}unseen_recs{%candidates= & duplicates=first/last & ties=best/expected/worst & train= | !seen=drop & candidates= & duplicates=first/last & ties=best/expected/worst%}given_recs{%duplicates=first/last & ties=best/expected/worst%} as r{%any_order & duplicates=first/last & ties=best/expected/worst%}
        where r.rank_by = 'score'{%duplicates=first/last & ties=best/expected/worst%}
        group by r.model, r.user_id, r.item_id{%!duplicates=first/last & ties=best/expected/worst%}    select r.model, r.user_id, r.item_id, r.score
        from {%!candidates= & !duplicates=first/last & ties=best/expected/worst%}candidate_recs{%!duplicates=first/last & !train= & candidates= & seen=drop & ties=best/expected/worst%}unseen_recs{%!duplicates=first/last & candidates= & ties=best/expected/worst & train= | !duplicates=first/last & !seen=drop & candidates= & ties=best/expected/worst%}given_recs{%!duplicates=first/last & ties=best/expected/worst%} as r{%!duplicates=first/last & any_order & ties=best/expected/worst%}
        where r.rank_by = 'score'{%ties=best/expected/worst%}
    ) as r{%%}
)
== step.ranked of item_metrics ==
{%%}-- one row per row of recs, with its rank
ranked as not materialized (
    {%!duplicates=first/last & !rank_by=score%}select r.model, r.user_id, r.item_id, r.rank{%!duplicates=first/last & !rank_by=score & ties=best/expected/worst%}, r.rank as last{%!duplicates=first/last & !rank_by=score%}
    from {%!candidates= & !duplicates=first/last & !rank_by=score%}candidate_recs{%!duplicates=first/last & !rank_by=score & !train= & candidates= & seen=drop%}unseen_recs{%!duplicates=first/last & !rank_by=score & candidates= & train= | !duplicates=first/last & !rank_by=score & !seen=drop & candidates=%}given_recs{%!duplicates=first/last & !rank_by=score%} as r{%!duplicates=first/last & !rank_by=score & any_order%}
    where r.rank_by = 'rank'{%!duplicates=first/last & !rank_by=rank & !rank_by=score%}
    union all
    {%!duplicates=first/last & !rank_by=rank%}select r.model, r.user_id, r.item_id, r.rank{%!duplicates=first/last & !rank_by=rank & ties=best/expected/worst%}, r.last{%!duplicates=first/last & !rank_by=rank%}
    from scored as r{%duplicates=first/last%}select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank{%duplicates=first/last & ties=best/expected/worst%}, o.last - o.dropped as last{%duplicates=first/last%}
    from (
        select
            c.model,
            c.user_id,
            c.item_id,
            c.rank,
    {%duplicates=first/last & ties=best/expected/worst%}        c.last,
    {%duplicates=first/last%}        c.copy,
            -- rows with the same rank do not come before this one
            count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
            - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
    {%duplicates=first/last & ties=best/expected/worst%}            r.last,
    {%duplicates=first/last%}            row_number() over (
                    partition by r.model, r.user_id, r.item_id
                    order by {%duplicates=last%}-try_cast(r.rank as bigint){%duplicates=first%}r.rank{%duplicates=first/last%} asc
                ) as copy
            from (
                {%!rank_by=score & duplicates=first/last%}select r.model, r.user_id, r.item_id, r.rank{%!rank_by=score & duplicates=first/last & ties=best/expected/worst%}, r.rank as last{%!rank_by=score & duplicates=first/last%}
                from {%!candidates= & !rank_by=score & duplicates=first/last%}candidate_recs{%!rank_by=score & !train= & candidates= & duplicates=first/last & seen=drop%}unseen_recs{%!rank_by=score & candidates= & duplicates=first/last & train= | !rank_by=score & !seen=drop & candidates= & duplicates=first/last%}given_recs{%!rank_by=score & duplicates=first/last%} as r{%!rank_by=score & any_order & duplicates=first/last%}
                where r.rank_by = 'rank'{%!rank_by=rank & !rank_by=score & duplicates=first/last%}
                union all
                {%!rank_by=rank & duplicates=first/last%}select r.model, r.user_id, r.item_id, r.rank{%!rank_by=rank & duplicates=first/last & ties=best/expected/worst%}, r.last{%!rank_by=rank & duplicates=first/last%}
                from scored as r{%duplicates=first/last%}
            ) as r
        ) as c
    ) as o
    where o.copy = 1{%%}
)
== step.recommended of item_metrics ==
{%%}-- one row per recommended item, up to the largest cut-off
recommended as not materialized (
    select r.model, r.user_id, r.item_id, r.rank{%ties=best/expected/worst%}, r.last{%%}
    from ranked as r{%!duplicates=first/last%}
    where r.rank <= {%!duplicates=first/last: depth%}{%%}
)
== step.list_ranks of item_metrics ==
{%%}-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
    {%!rank_by=score%}    bit_xor(hash(xor(hash(try_cast({%!rank_by=score & any_order%}case when r.rank_by = 'rank' then r.rank end{%!any_order & !rank_by=score%}r.rank{%!rank_by=score%} as bigint)), hash(now())))) as ranks,
    {%%}    count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
)
== step.lists of item_metrics ==
{%fast.lists%}-- one row per model and user with a list
lists as (
    select n.model, n.user_id, n.returned
    from list_ranks as n
){%!fast.lists%}-- one row per model and user with a list
lists as (
    {%!fast.lists & duplicates=first/last/set%}select i.model, i.user_id, count(i.item_id) as returned
    from (
        select r.model, r.user_id, r.item_id, {%!fast.lists & closed_up & duplicates=first/last/set%}count(r.item_id){%!closed_up & !fast.lists & duplicates=first/last/set%}count(*){%!fast.lists & duplicates=first/last/set%} as copies, max({%!fast.lists & any_order & duplicates=first/last/set%}case when r.rank_by = 'rank' then r.rank end{%!any_order & !fast.lists & !rank_by=score & duplicates=first/last/set%}r.rank{%!any_order & !fast.lists & duplicates=first/last/set & rank_by=score%}null{%!fast.lists & duplicates=first/last/set%}) as last_rank
        from {%!fast.lists & closed_up & duplicates=first/last/set%}(
            select r.model, r.user_id, r.item_id, r.rank{%!fast.lists & any_order & closed_up & duplicates=first/last/set%}, r.rank_by{%!fast.lists & closed_up & duplicates=first/last/set%}
            from {%!candidates= & !fast.lists & closed_up & duplicates=first/last/set%}candidate_recs{%!fast.lists & !train= & candidates= & closed_up & duplicates=first/last/set & seen=drop%}unseen_recs{%!fast.lists & candidates= & closed_up & duplicates=first/last/set & train= | !fast.lists & !seen=drop & candidates= & closed_up & duplicates=first/last/set%}given_recs{%!fast.lists & closed_up & duplicates=first/last/set%} as r
            union all
            select distinct r.model, r.user_id, null as item_id, null as rank{%!fast.lists & any_order & closed_up & duplicates=first/last/set%}, r.rank_by{%!fast.lists & closed_up & duplicates=first/last/set%}
            from given_recs as r
        ){%!closed_up & !fast.lists & duplicates=first/last/set%}given_recs{%!fast.lists & duplicates=first/last/set%} as r
        group by r.model, r.user_id, r.item_id
    ) as i
    group by i.model, i.user_id{%!duplicates=first/last/set & !fast.lists & closed_up%}select r.model, r.user_id, count(r.item_id) as returned
    from (
        select r.model, r.user_id, r.item_id, r.rank{%!duplicates=first/last/set & !fast.lists & any_order & closed_up%}, r.rank_by{%!duplicates=first/last/set & !fast.lists & closed_up%}
        from {%!candidates= & !duplicates=first/last/set & !fast.lists & closed_up%}candidate_recs{%!duplicates=first/last/set & !fast.lists & !train= & candidates= & closed_up & seen=drop%}unseen_recs{%!duplicates=first/last/set & !fast.lists & candidates= & closed_up & train= | !duplicates=first/last/set & !fast.lists & !seen=drop & candidates= & closed_up%}given_recs{%!duplicates=first/last/set & !fast.lists & closed_up%} as r
        union all
        select distinct r.model, r.user_id, null as item_id, null as rank{%!duplicates=first/last/set & !fast.lists & any_order & closed_up%}, r.rank_by{%!duplicates=first/last/set & !fast.lists & closed_up%}
        from given_recs as r
    ) as r
    group by r.model, r.user_id{%!closed_up & !duplicates=first/last/set & !fast.lists%}select r.model, r.user_id, count(*) as returned
    from given_recs as r
    group by r.model, r.user_id{%!fast.lists%}
)
== step.segment_tables of item_metrics ==
{%%}-- one row per column of slices: the first of segments, truth and recs that has it, and its type there
segment_tables as (
    select
        cast(c.ours as varchar) as ours,
        cast(c.name as varchar) as name,
        coalesce({%by_table%}nullif(c.in_segments, '"NULL"'), {%%}nullif(c.in_recs, '"NULL"')) as type,
        case
    {%by_table%}        when c.in_segments <> '"NULL"' then 'segments'
    {%%}        when c.in_recs <> '"NULL"' then 'recs'
        end as role
    from (
        select
            unnest([{%: .columns.5%}]) as ours,
            unnest([{%: .columns.6%}]) as name,
    {%by_table%}        unnest(s.types) as in_segments,
    {%%}        unnest(r.types) as in_recs
        from (
            select [{%: .columns.7%}] as types
            from (
                from query_table('{%: source.recs%}'){%by_column%}
                union all by name
                select {%by_column: .columns.2%}
                where false{%%}
            ) as x
            where false
        ) as r{%by_table%}
        cross join (
            select [{%by_table: .columns.7%}] as types
            from (
                from query_table('{%by_table: source.segments%}'){%by_column & by_table%}
                union all by name
                select {%by_column & by_table: .columns.2%}
                where false{%by_table%}
            ) as x
            where false
        ) as s{%%}
    ) as c
)
== step.segment_values of item_metrics ==
{%%}-- one row per user with segments (and row of the user in the table segments): the values of the columns
segment_values as (
    select
        u.user_id{%: .columns.32%}{%by_activity%},
        a.events as {%by_activity: activity%}{%%}
    from (
        select distinct r.user_id
        from given_recs as r
        where exists (select 1 from segment_tables as c where c.role = 'recs'){%by_table%}
        union
        select s.user_id
        from given_segments as s
        where coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%by_table: name.recs%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%by_table: name.segments%}; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.user_id)] as types from given_segments as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true){%by_activity%}
        union
        select a.user_id
        from activities as a{%%}
    ) as u
    left join (
        select r.user_id{%: .columns.9%}
        from given_recs as r
        where exists (select 1 from segment_tables as c where c.role = 'recs')
        group by r.user_id
    ) as r on r.user_id = u.user_id{%by_table%}
    left join (
        select s.user_id{%by_table: .columns.11%}
        from given_segments as s{%by_table: .columns.12%}
    ) as s on s.user_id = u.user_id{%by_activity%}
    left join activities as a on a.user_id = u.user_id{%%}
)
== step.grouped_users of item_metrics ==
{%%}-- one row per user who is in one of the groups that are left out
grouped_users as (
    {%!interval=%}select distinct l.user_id from lists as l{%interval=%}select distinct u.user_id from population as u{%%}
)
== step.listed ==
{%%}-- one row per recommended item of the lists that count
listed as not materialized (
    select r.model, r.user_id, r.item_id, {%duplicates=hole/set%}min(r.rank) as rank{%!duplicates=hole/set%}r.rank{%%}
    from recommended as r{%duplicates=hole/set%}
    group by r.model, r.user_id, r.item_id{%%}
)
== step.list_counts ==
{%%}-- one row per model (segment, for slices, and group of users, for intervals): the number of lists
list_counts as (
    select
        l.model,
    {%!by=%}    s.slice,
        {%!by= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity%}g.segment{%!by= & by_activity%} as segment{%!by=%},
    {%!interval=%}    o.part,
    {%%}    count(*) as lists
    from lists as l
    {%!interval=%}inner join user_groups as o on o.user_id = l.user_id
    {%!by=%}cross join slices as s
    left join user_segments as g on g.user_id = l.user_id and g.slice = s.slice
    {%%}group by l.model, {%!by=%}s.slice, {%!by= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity%}g.segment{%!by= & !interval=%}, {%!interval=%}o.part{%%}
)
== step.left_out ==
{%%}-- one row per group of users with lists that is left out; NULL if none is
left_out as (
    select distinct {%!by=%}c.slice, c.segment, {%%}c.part
    from list_counts as c
    union all
    {%!by=%}select distinct c.slice, c.segment, null as part
    from list_counts as c{%by=%}select null as part{%%}
)
== step.list_segments ==
{%%}-- one row per model, slice and segment: the number of lists, and their share of all
list_segments as (
    select
        n.model,
        {%!by=%}n.slice,
        n.segment,
        {%%}n.lists,
        cast(n.lists as double) / max(case when n.slice = 0 then n.lists end) over (partition by n.model) as share
    {%!interval=%}from (
        select c.model, {%!by= & !interval=%}c.slice, c.segment, {%!interval=%}cast(sum(c.lists) as bigint) as lists
        from list_counts as c
        group by c.model, {%!by= & !interval=%}c.slice, c.segment, {%!interval=%}
    ) as n{%interval=%}from list_counts as n{%%}
)
== step.segments_of_lists ==
{%%}-- one row per slice and segment with lists of a model
segments_of_lists as (
    select distinct l.slice, l.segment
    from list_segments as l
)
== step.served_users ==
{%%}-- one row per model: the number of users with a list
served_users as (
    {%!by=%}select l.model, l.slice, l.segment, l.lists as users
    from list_segments as l
    {%by=%}select c.model, cast(sum(c.lists) as bigint) as users
    from list_counts as c
    group by c.model{%%}
)
== step.bands ==
{%%}-- a single row: for each rank 1, 2, ... the smallest cut-off that includes it, up to the largest numeric cut-off
bands as (
    select list(n.k order by n.rank asc) as cutoffs
    from (
        select i.i as rank, min(c.k) as k
        from (select unnest(range(1, {%: deepest%} + 1)) as i) as i
        inner join cutoffs as c on c.k >= i.i
        group by i.i
    ) as n
)
== step.item_bands ==
{%%}-- one row per model, item and cut-off (and group of users, for intervals): how often the item is in the top k, but below the next smaller cut-off
item_bands as (
    select
        r.model,
    {%!by=%}    s.slice,
        {%!by= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity%}g.segment{%!by= & by_activity%} as segment{%!by=%},
    {%%}    r.item_id,
    {%!interval=%}    u.part,
    {%%}    {%uncut%}coalesce(b.cutoffs[try_cast(r.rank as bigint)], 1000000000000000000){%!uncut%}b.cutoffs[try_cast(r.rank as bigint)]{%%} as k,
    {%needs.exposures%}    {%discount=none & needs.exposures%}cast(sum(try_cast(1e18 * 1e0 as hugeint)) as decimal(38, 0)){%!discount=none & needs.exposures%}cast(sum(try_cast(1e18 * ({%discount=log2p1 & needs.exposures%}(1e0 / nullif(log2(r.rank + 1), 0)){%discount=jk2002 & needs.exposures%}(1e0 / greatest(1e0, log2(r.rank))){%discount=ln1p & needs.exposures%}(1e0 / nullif(ln(r.rank + 1), 0)){%discount=geometric & needs.exposures%}power(cast({%discount=geometric & needs.exposures: discount_p%} as double), r.rank - 1){%!discount=geometric & !discount=jk2002 & !discount=ln1p & !discount=log2p1 & !discount=none & needs.exposures%}1e0{%!discount=none & needs.exposures%}) as hugeint)) as decimal(38, 0)){%needs.exposures%} as exposure,
    {%%}    count(*) as times
    from listed as r
    {%!by=%}cross join slices as s
    left join user_segments as g on g.user_id = r.user_id and g.slice = s.slice
    {%!interval=%}inner join user_groups as u on u.user_id = r.user_id
    {%%}cross join bands as b
    group by r.model, {%!by=%}s.slice, {%!by= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity%}g.segment{%!by=%}, {%%}r.item_id, {%!interval=%}u.part, {%uncut%}coalesce(b.cutoffs[try_cast(r.rank as bigint)], 1000000000000000000){%!uncut%}b.cutoffs[try_cast(r.rank as bigint)]{%%}
)
== step.item_counts ==
{%%}-- one row per model, cut-off and recommended item: how often it is in the top k
item_counts as (
    select
        b.model,
        {%!by=%}b.slice,
        b.segment,
        {%%}c.k,
        b.item_id,
    {%needs.exposures%}    sum(b.exposure) as exposure,
    {%%}    cast(sum(b.times) as bigint) as times
    from item_bands as b
    inner join cutoffs as c on c.k >= b.k
    group by b.model, {%!by=%}b.slice, b.segment, {%%}c.k, b.item_id
)
== step.train_items ==
{%%}-- one row per item in train
train_items as (
    select distinct t.item_id
    from given_train as t
    where t.item_id is not null
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%: name.recs%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%: name.train%}; cast one of them to the other''s type' as message
            from (
                select unnest(['item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.item_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.item_id)] as types from given_train as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true)
)
== step.catalog ==
{%%}-- one row per item of the catalogue
catalog as (
    {%!items=%}select distinct i.item_id
    from given_items as i
    where i.item_id is not null
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%!items=: name.recs%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%!items=: name.items%}; cast one of them to the other''s type' as message
            from (
                select unnest(['item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.item_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.item_id)] as types from given_items as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true){%items=%}select t.item_id
    from train_items as t{%%}
)
== step.list_sizes ==
{%%}-- one row per model, user and cut-off: the number of items in the top k of the list
list_sizes as (
    select r.model, r.user_id, c.k, count(*) as items
    from listed as r
    inner join cutoffs as c on c.k >= r.rank
    group by r.model, r.user_id, c.k
)
== step.list_shares ==
{%%}-- one row per model, user, cut-off and recommended item: the share of the list in the top k that it is
list_shares as not materialized (
    select r.model, r.user_id, n.k, r.item_id, 1e0 / n.items as share
    from listed as r
    inner join list_sizes as n on n.model is not distinct from r.model and n.user_id = r.user_id and n.k >= r.rank
)
== step.group_weights ==
{%%}-- one row per model, cut-off, recommended item and group of users: its shares of their lists, added up in units of 1e-18
group_weights as (
    select
        y.model,
    {%!by=%}    s.slice,
        {%!by= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity%}g.segment{%!by= & by_activity%} as segment{%!by=%},
    {%%}    y.k,
        y.item_id,
        u.part,
        cast(sum(try_cast(1e18 * y.share as hugeint)) as decimal(38, 0)) as weight
    from list_shares as y
    {%!by=%}cross join slices as s
    left join user_segments as g on g.user_id = y.user_id and g.slice = s.slice
    {%%}inner join user_groups as u on u.user_id = y.user_id
    group by y.model, {%!by=%}s.slice, {%!by= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity%}g.segment{%!by=%}, {%%}y.k, y.item_id, u.part
)
== step.item_weights ==
{%%}-- one row per model, cut-off and recommended item: its shares of the lists, added up in units of 1e-18
item_weights as (
    {%!interval=%}select
        g.model,
        {%!by= & !interval=%}g.slice,
        g.segment,
        {%!interval=%}g.k,
        g.item_id,
        sum(g.weight) as weight
    from group_weights as g
    group by g.model, {%!by= & !interval=%}g.slice, g.segment, {%!interval=%}g.k, g.item_id{%interval=%}select
        y.model,
    {%!by= & interval=%}    s.slice,
        {%!by= & by_activity & interval=%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & interval=%}g.segment{%!by= & by_activity & interval=%} as segment{%!by= & interval=%},
    {%interval=%}    y.k,
        y.item_id,
        cast(sum(try_cast(1e18 * y.share as hugeint)) as decimal(38, 0)) as weight
    from list_shares as y
    {%!by= & interval=%}cross join slices as s
    left join user_segments as g on g.user_id = y.user_id and g.slice = s.slice
    {%interval=%}group by y.model, {%!by= & interval=%}s.slice, {%!by= & by_activity & interval=%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & interval=%}g.segment{%!by= & interval=%}, {%interval=%}y.k, y.item_id{%%}
)
== step.group_counts ==
{%%}-- one row per model, cut-off, recommended item and group of users: how often it is in the top k of the group
group_counts as (
    select
        b.model,
        {%!by=%}b.slice,
        b.segment,
        {%%}c.k,
        b.item_id,
        b.part,
    {%needs.exposures%}    sum(b.exposure) as exposure,
    {%%}    cast(sum(b.times) as bigint) as times
    from item_bands as b
    inner join cutoffs as c on c.k >= b.k
    group by b.model, {%!by=%}b.slice, b.segment, {%%}c.k, b.item_id, b.part
)
== step.item_changes ==
{%%}-- one row per number of times: the items that are recommended so often by all users, or more or fewer of them without a group
item_changes as (
    select
        n.model,
        {%!by=%}n.slice,
        n.segment,
        {%%}n.k,
        o.part,
        n.times,
    {%needs.catalog%}    n.catalog_items,
    {%needs.train%}    n.train_items,
    {%needs.weights%}    n.weight,
    {%%}    n.items
    from (
        select
            i.model,
            {%!by=%}i.slice,
            i.segment,
            {%%}i.k,
            i.times,
        {%needs.catalog%}    {%needs.catalog & with_catalog%}count(g.item_id){%!with_catalog & needs.catalog%}count(*){%needs.catalog%} as catalog_items,
        {%needs.train%}    count(t.item_id) as train_items,
        {%needs.weights%}    sum(w.weight) as weight,
        {%%}    count(*) as items
        from item_counts as i
        {%needs.weights%}inner join item_weights as w on w.model is not distinct from i.model and {%!by= & needs.weights%}w.slice = i.slice and w.segment is not distinct from i.segment and {%needs.weights%}w.k = i.k and w.item_id = i.item_id
        {%needs.catalog & with_catalog%}left join catalog as g on g.item_id = i.item_id
        {%needs.train%}left join train_items as t on t.item_id = i.item_id
        {%%}group by i.model, {%!by=%}i.slice, i.segment, {%%}i.k, i.times
    ) as n
    {%!by=%}inner join left_out as o on o.slice = n.slice and o.segment is not distinct from n.segment{%by=%}cross join left_out as o{%%}
    union all
    select
        i.model,
        {%!by=%}i.slice,
        i.segment,
        {%%}i.k,
        p.part,
        i.times,
    {%needs.catalog%}    {%needs.catalog & with_catalog%}case when g.item_id is not null then -1 else 0 end{%!with_catalog & needs.catalog%}-1{%needs.catalog%} as catalog_items,
    {%needs.train%}    case when t.item_id is not null then -1 else 0 end as train_items,
    {%needs.weights%}    -w.weight as weight,
    {%%}    -1 as items
    from group_counts as p
    inner join item_counts as i on i.model is not distinct from p.model and {%!by=%}i.slice = p.slice and i.segment is not distinct from p.segment and {%%}i.k = p.k and i.item_id = p.item_id
    {%needs.weights%}inner join item_weights as w on w.model is not distinct from i.model and {%!by= & needs.weights%}w.slice = i.slice and w.segment is not distinct from i.segment and {%needs.weights%}w.k = i.k and w.item_id = i.item_id
    inner join group_weights as v on v.model is not distinct from p.model and {%!by= & needs.weights%}v.slice = p.slice and v.segment is not distinct from p.segment and {%needs.weights%}v.k = p.k and v.item_id = p.item_id and v.part = p.part
    {%needs.catalog & with_catalog%}left join catalog as g on g.item_id = i.item_id
    {%needs.train%}left join train_items as t on t.item_id = i.item_id
    {%%}
    union all
    select
        i.model,
        {%!by=%}i.slice,
        i.segment,
        {%%}i.k,
        p.part,
        i.times - p.times as times,
    {%needs.catalog%}    {%needs.catalog & with_catalog%}case when g.item_id is not null then 1 else 0 end{%!with_catalog & needs.catalog%}1{%needs.catalog%} as catalog_items,
    {%needs.train%}    case when t.item_id is not null then 1 else 0 end as train_items,
    {%needs.weights%}    w.weight - v.weight as weight,
    {%%}    1 as items
    from group_counts as p
    inner join item_counts as i on i.model is not distinct from p.model and {%!by=%}i.slice = p.slice and i.segment is not distinct from p.segment and {%%}i.k = p.k and i.item_id = p.item_id and i.times > p.times
    {%needs.weights%}inner join item_weights as w on w.model is not distinct from i.model and {%!by= & needs.weights%}w.slice = i.slice and w.segment is not distinct from i.segment and {%needs.weights%}w.k = i.k and w.item_id = i.item_id
    inner join group_weights as v on v.model is not distinct from p.model and {%!by= & needs.weights%}v.slice = p.slice and v.segment is not distinct from p.segment and {%needs.weights%}v.k = p.k and v.item_id = p.item_id and v.part = p.part
    {%needs.catalog & with_catalog%}left join catalog as g on g.item_id = i.item_id
    {%needs.train%}left join train_items as t on t.item_id = i.item_id
    {%%}
)
== step.item_frequencies ==
{%%}-- one row per model, cut-off and number of times (and group of users that is left out): how many items are recommended that often
item_frequencies as (
    select
        n.model,
        {%!by=%}n.slice,
        n.segment,
        {%%}n.k,
    {%!interval=%}    n.part,
    {%%}    n.times,
        n.items,
    {%needs.weights%}    cast(n.weight as hugeint) / 1e18 as weight,
    {%needs.catalog%}    n.catalog_items,
        sum(n.catalog_items) over (partition by n.model, {%!by= & needs.catalog%}n.slice, n.segment, {%needs.catalog%}n.k{%!interval= & needs.catalog%}, n.part{%needs.catalog%} order by n.times asc) - n.catalog_items as catalog_below,
        cast(sum(n.times * n.catalog_items) over (partition by n.model, {%!by= & needs.catalog%}n.slice, n.segment, {%needs.catalog%}n.k{%!interval= & needs.catalog%}, n.part{%needs.catalog%}) as double) as catalog_total,
    {%needs.train%}    n.train_items,
    {%%}    sum(n.items) over (partition by n.model, {%!by=%}n.slice, n.segment, {%%}n.k{%!interval=%}, n.part{%%} order by n.times asc) - n.items as below,
        cast(sum(n.times * n.items) over (partition by n.model, {%!by=%}n.slice, n.segment, {%%}n.k{%!interval=%}, n.part{%%}) as double) as total
    from (
    {%!interval=%}    select
            i.model,
            {%!by= & !interval=%}i.slice,
            i.segment,
            {%!interval=%}i.k,
            i.part,
            i.times,
    {%!interval= & needs.catalog%}        sum(i.catalog_items) as catalog_items,
    {%!interval= & needs.train%}        sum(i.train_items) as train_items,
    {%!interval= & needs.weights%}        sum(i.weight) as weight,
    {%!interval=%}        sum(i.items) as items
        from item_changes as i
        group by i.model, {%!by= & !interval=%}i.slice, i.segment, {%!interval=%}i.k, i.part, i.times
        having sum(i.items) > 0{%interval=%}    select
            i.model,
            {%!by= & interval=%}i.slice,
            i.segment,
            {%interval=%}i.k,
            i.times,
        {%interval= & needs.catalog%}    {%interval= & needs.catalog & with_catalog%}count(g.item_id){%!with_catalog & interval= & needs.catalog%}count(*){%interval= & needs.catalog%} as catalog_items,
        {%interval= & needs.train%}    count(t.item_id) as train_items,
        {%interval= & needs.weights%}    sum(w.weight) as weight,
        {%interval=%}    count(*) as items
        from item_counts as i
        {%interval= & needs.weights%}inner join item_weights as w on w.model is not distinct from i.model and {%!by= & interval= & needs.weights%}w.slice = i.slice and w.segment is not distinct from i.segment and {%interval= & needs.weights%}w.k = i.k and w.item_id = i.item_id
        {%interval= & needs.catalog & with_catalog%}left join catalog as g on g.item_id = i.item_id
        {%interval= & needs.train%}left join train_items as t on t.item_id = i.item_id
        {%interval=%}group by i.model, {%!by= & interval=%}i.slice, i.segment, {%interval=%}i.k, i.times{%%}
    ) as n
)
== step.items_at_k ==
{%%}-- one row per model and cut-off: the statistics of the counts of the recommended items
items_at_k as (
    select
        f.model,
        {%!by=%}f.slice,
        f.segment,
        {%%}f.k{%!interval=%},
        f.part{%needs.catalog_information%},
        sum(try_cast(1e18 * (case when f.catalog_items > 0 then f.catalog_items * (f.times / f.catalog_total) * log2(f.catalog_total / f.times) end) as hugeint)) / 1e18 as catalog_information{%needs.catalog_items%},
        sum(f.catalog_items) as catalog_items{%needs.catalog_place_sum%},
        sum(f.times * (f.catalog_items * f.catalog_below + f.catalog_items * (f.catalog_items + 1) / 2e0)) as catalog_place_sum{%needs.catalog_recommendations%},
        sum(f.times * f.catalog_items) as catalog_recommendations{%needs.distinct_items%},
        sum(f.items) as distinct_items{%needs.information%},
        sum(try_cast(1e18 * (f.items * (f.times / f.total) * log2(f.total / f.times)) as hugeint)) / 1e18 as information{%needs.list_information%},
        sum(try_cast(1e18 * (f.weight * log2(f.total / f.times)) as hugeint)) / 1e18 / nullif(sum(try_cast(1e18 * f.weight as hugeint)) / 1e18, 0e0) as list_information{%needs.lists%},
        cast(round(sum(try_cast(1e18 * f.weight as hugeint)) / 1e18) as bigint) as lists{%needs.place_sum%},
        sum(f.times * (f.items * f.below + f.items * (f.items + 1) / 2e0)) as place_sum{%needs.recommendations%},
        sum(f.times * f.items) as recommendations{%needs.train_items%},
        sum(f.train_items) as train_items{%%}
    from item_frequencies as f
    group by f.model, {%!by=%}f.slice, f.segment, {%%}f.k{%!interval=%}, f.part{%%}
)
== step.item_exposures ==
{%%}-- one row per model, cut-off and recommended item (and group of users that is left out): its exposure, and its place in ascending order of exposure
item_exposures as (
    select
        i.model,
        {%!by=%}i.slice,
        i.segment,
        {%%}i.k,
    {%!interval=%}    i.part,
    {%%}    cast(i.exposure as hugeint) / 1e18 as exposure,
        {%needs.catalog & with_catalog%}g.item_id is not null{%!needs.catalog | !with_catalog%}true{%%} as is_of_catalog,
        row_number() over (partition by i.model, {%!by=%}i.slice, i.segment, {%%}i.k{%!interval=%}, i.part{%%}, {%needs.catalog & with_catalog%}g.item_id is not null{%!needs.catalog | !with_catalog%}true{%%} order by i.exposure asc, i.item_id asc) as catalog_place,
        row_number() over (partition by i.model, {%!by=%}i.slice, i.segment, {%%}i.k{%!interval=%}, i.part{%%} order by i.exposure asc, i.item_id asc) as place
    {%!interval=%}from (
        select
            c.model,
            {%!by= & !interval=%}c.slice,
            c.segment,
            {%!interval=%}c.k,
            o.part,
            c.item_id,
            c.exposure - coalesce(p.exposure, 0) as exposure
        from item_counts as c
        {%!by= & !interval=%}inner join left_out as o on o.slice = c.slice and o.segment is not distinct from c.segment{%!interval= & by=%}cross join left_out as o{%!interval=%}
        left join group_counts as p on p.model is not distinct from c.model and {%!by= & !interval=%}p.slice = c.slice and p.segment is not distinct from c.segment and {%!interval=%}p.k = c.k and p.item_id = c.item_id and p.part = o.part
        where c.times > coalesce(p.times, 0)
    ) as i{%interval=%}from item_counts as i{%needs.catalog & with_catalog%}
    left join catalog as g on g.item_id = i.item_id{%%}
)
== step.exposures_at_k ==
{%%}-- one row per model and cut-off: the statistics of the exposure of the recommended items
exposures_at_k as (
    select
        x.model,
        {%!by=%}x.slice,
        x.segment,
        {%%}x.k{%!interval=%},
        x.part{%needs.catalog_exposure%},
        sum(try_cast(1e18 * (case when x.is_of_catalog then x.exposure end) as hugeint)) / 1e18 as catalog_exposure{%needs.catalog_exposure_place_sum%},
        sum(try_cast(1e18 * (case when x.is_of_catalog then x.exposure * x.catalog_place end) as hugeint)) / 1e18 as catalog_exposure_place_sum{%needs.exposure%},
        sum(try_cast(1e18 * x.exposure as hugeint)) / 1e18 as exposure{%needs.exposure_place_sum%},
        sum(try_cast(1e18 * (x.exposure * x.place) as hugeint)) / 1e18 as exposure_place_sum{%%}
    from item_exposures as x
    group by x.model, {%!by=%}x.slice, x.segment, {%%}x.k{%!interval=%}, x.part{%%}
)
== step.item_categories ==
{%%}-- one row per item and category of the item
item_categories as (
    select distinct i.item_id, i.category
    from given_items as i
    where i.item_id is not null and i.category is not null
)
== step.category_counts ==
{%%}-- one row per model, user, cut-off and category: how many items of the list have it; category is NULL for items without one
category_counts as (
    select r.model, r.user_id, c.k, g.category, count(g.category) as items
    from listed as r
    inner join cutoffs as c on c.k >= r.rank
    left join item_categories as g on g.item_id = r.item_id
    group by r.model, r.user_id, c.k, g.category
)
== step.category_entropies ==
{%%}-- one row per model, user and cut-off: the entropy of the list's categories; NULL without categories and smoothing
category_entropies as (
    select
        n.model,
        n.user_id,
        n.k,
        sum(try_cast(1e18 * (case
            when n.items > 0 then (n.items + cast({%: smoothing%} as double)) / n.total * log2(1e0 / ((n.items + cast({%: smoothing%} as double)) / n.total))
            when n.total > 0 then 0e0
        end) as hugeint)) / 1e18
        + max(case when cast({%: smoothing%} as double) > 0 then (n.categories - n.seen) * cast({%: smoothing%} as double) / n.total * log2(1e0 / (cast({%: smoothing%} as double) / n.total)) else 0e0 end) as entropy
    from (
        select
            g.model,
            g.user_id,
            g.k,
            g.items,
            a.categories,
            count(g.category) over (partition by g.model, g.user_id, g.k) as seen,
            sum(g.items) over (partition by g.model, g.user_id, g.k) + a.categories * cast({%: smoothing%} as double) as total
        from category_counts as g
        cross join (select count(distinct i.category) as categories from item_categories as i) as a
    ) as n
    group by n.model, n.user_id, n.k
)
== step.categories_at_k ==
{%%}-- one row per model and cut-off: the statistics of the categories in the lists
categories_at_k as (
    {%!interval=%}select
        w.model,
        {%!by= & !interval=%}w.slice,
        w.segment,
        {%!interval=%}w.k,
        o.part{%!interval= & needs.category_information%},
        w.category_information - coalesce(g.category_information, 0) as category_information{%!interval= & needs.category_lists%},
        w.category_lists - coalesce(g.category_lists, 0) as category_lists{%!interval=%}
    from (
        select
            y.model,
        {%!by= & !interval=%}    s.slice,
            {%!by= & !interval= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & !interval=%}g.segment{%!by= & !interval= & by_activity%} as segment{%!by= & !interval=%},
        {%!interval=%}    y.k{%!interval= & needs.category_information%},
            sum(try_cast(1e18 * y.entropy as hugeint)) / 1e18 as category_information{%!interval= & needs.category_lists%},
            count(y.entropy) as category_lists{%!interval=%}
        from category_entropies as y{%!by= & !interval=%}
        cross join slices as s
        left join user_segments as g on g.user_id = y.user_id and g.slice = s.slice{%!interval=%}
        group by y.model, {%!by= & !interval=%}s.slice, {%!by= & !interval= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & !interval=%}g.segment{%!by= & !interval=%}, {%!interval=%}y.k
    ) as w
    {%!by= & !interval=%}inner join left_out as o on o.slice = w.slice and o.segment is not distinct from w.segment{%!interval= & by=%}cross join left_out as o{%!interval=%}
    left join (
        select
            y.model,
        {%!by= & !interval=%}    s.slice,
            {%!by= & !interval= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & !interval=%}g.segment{%!by= & !interval= & by_activity%} as segment{%!by= & !interval=%},
        {%!interval=%}    y.k,
            u.part{%!interval= & needs.category_information%},
            sum(try_cast(1e18 * y.entropy as hugeint)) / 1e18 as category_information{%!interval= & needs.category_lists%},
            count(y.entropy) as category_lists{%!interval=%}
        from category_entropies as y{%!by= & !interval=%}
        cross join slices as s
        left join user_segments as g on g.user_id = y.user_id and g.slice = s.slice{%!interval=%}
        inner join user_groups as u on u.user_id = y.user_id
        group by y.model, {%!by= & !interval=%}s.slice, {%!by= & !interval= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & !interval=%}g.segment{%!by= & !interval=%}, {%!interval=%}y.k, u.part
    ) as g on g.model is not distinct from w.model and {%!by= & !interval=%}g.slice = w.slice and g.segment is not distinct from w.segment and {%!interval=%}g.k = w.k and g.part = o.part{%interval=%}select
        y.model,
    {%!by= & interval=%}    s.slice,
        {%!by= & by_activity & interval=%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & interval=%}g.segment{%!by= & by_activity & interval=%} as segment{%!by= & interval=%},
    {%interval=%}    y.k{%interval= & needs.category_information%},
        sum(try_cast(1e18 * y.entropy as hugeint)) / 1e18 as category_information{%interval= & needs.category_lists%},
        count(y.entropy) as category_lists{%interval=%}
    from category_entropies as y{%!by= & interval=%}
    cross join slices as s
    left join user_segments as g on g.user_id = y.user_id and g.slice = s.slice{%interval=%}
    group by y.model, {%!by= & interval=%}s.slice, {%!by= & by_activity & interval=%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & interval=%}g.segment{%!by= & interval=%}, {%interval=%}y.k
    {%%}
)
== step.train_counts ==
{%%}-- one row per item in train: its rows, and its users if a metric counts these; NULL if it has none
train_counts as (
    select
        t.item_id,
    {%train_users_counted%}    nullif(count(t.user_id), 0) as users,
        cast(sum(t.interactions) as bigint) as interactions
    from (
        select t.item_id, t.user_id, count(*) as interactions
        from given_train as t
        where t.item_id is not null
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in {%train_users_counted: name.recs%} and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in {%train_users_counted: name.train%}; cast one of them to the other''s type' as message
                from (
                    select unnest(['item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.item_id)] as types from given_recs as l limit 1) as l
                    cross join (select [typeof(r.item_id)] as types from given_train as r limit 1) as r
                ) as i
                where
                    regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
        group by t.item_id, t.user_id
    ) as t{%!train_users_counted%}    count(*) as interactions
    from given_train as t
    where t.item_id is not null
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%!train_users_counted: name.recs%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%!train_users_counted: name.train%}; cast one of them to the other''s type' as message
            from (
                select unnest(['item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.item_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.item_id)] as types from given_train as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true){%%}
    group by t.item_id
)
== step.train_totals ==
{%%}-- a single row: the number of rows of train, and of users if a metric counts these
train_totals as (
    select
    {%train_users_counted%}    count(distinct t.user_id) as users,
    {%%}    count(*) as interactions
    from given_train as t
    where t.item_id is not null
)
== step.item_popularities ==
{%%}-- one row per item in train: its self-information in bits, and its popularity
item_popularities as (
    select
        t.item_id{%needs.novelties%},
        log2(cast(n.{%needs.novelties: novelty_base%} as double) / t.{%needs.novelties: novelty_base%}) as novelty{%needs.popularities%},
        t.{%needs.popularities: popularity_base%} as popularity{%%}
    from train_counts as t{%needs.novelties%}
    cross join train_totals as n{%%}
)
== step.list_popularities ==
{%%}-- one row per model, user and cut-off: the novelty of its items and how many have one, and their mean popularity
list_popularities as (
    select
        r.model,
        r.user_id,
        c.k{%needs.novelties%},
        sum(try_cast(1e18 * ({%needs.novelties & novelty_unseen=skip%}i.novelty{%!novelty_unseen=skip & needs.novelties%}coalesce(i.novelty, {%needs.novelties & novelty_unseen=one%}(select log2(nullif(cast(n.{%needs.novelties & novelty_unseen=one: novelty_base%} as double), 0e0)) from train_totals as n){%needs.novelties & novelty_unseen=max%}(select max(m.novelty) from item_popularities as m){%!novelty_unseen=max & !novelty_unseen=one & !novelty_unseen=skip & needs.novelties%}0e0{%!novelty_unseen=skip & needs.novelties%}){%needs.novelties%}) as hugeint)) / 1e18 as novelty,
        {%needs.novelties & novelty_unseen=skip%}count(i.novelty){%!novelty_unseen=skip & needs.novelties%}count(*){%needs.novelties%} as novelty_items{%needs.popularities%},
        cast(sum({%needs.popularities & popularity_unseen=skip%}i.popularity{%!popularity_unseen=skip & needs.popularities%}coalesce(i.popularity, 0){%needs.popularities%}) as double) / nullif({%needs.popularities & popularity_unseen=skip%}count(i.popularity){%!popularity_unseen=skip & needs.popularities%}count(*){%needs.popularities%}, 0) as popularity{%%}
    from listed as r
    inner join cutoffs as c on c.k >= r.rank
    left join item_popularities as i on i.item_id = r.item_id
    group by r.model, r.user_id, c.k
)
== step.popularities_at_k ==
{%%}-- one row per model and cut-off: the statistics of the novelty and popularity of the items in the lists
popularities_at_k as (
    {%!interval=%}select
        w.model,
        {%!by= & !interval=%}w.slice,
        w.segment,
        {%!interval=%}w.k,
        o.part{%!interval= & needs.novelty_items%},
        w.novelty_items - coalesce(g.novelty_items, 0) as novelty_items{%!interval= & needs.novelty_lists%},
        w.novelty_lists - coalesce(g.novelty_lists, 0) as novelty_lists{%!interval= & needs.novelty_means%},
        w.novelty_means - coalesce(g.novelty_means, 0) as novelty_means{%!interval= & needs.novelty_total%},
        w.novelty_total - coalesce(g.novelty_total, 0) as novelty_total{%!interval= & needs.popularity_lists%},
        w.popularity_lists - coalesce(g.popularity_lists, 0) as popularity_lists{%!interval= & needs.popularity_means%},
        w.popularity_means - coalesce(g.popularity_means, 0) as popularity_means{%!interval=%}
    from (
        select
            y.model,
        {%!by= & !interval=%}    s.slice,
            {%!by= & !interval= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & !interval=%}g.segment{%!by= & !interval= & by_activity%} as segment{%!by= & !interval=%},
        {%!interval=%}    y.k{%!interval= & needs.novelty_items%},
            sum(y.novelty_items) as novelty_items{%!interval= & needs.novelty_lists%},
            count(y.novelty) as novelty_lists{%!interval= & needs.novelty_means%},
            sum(try_cast(1e18 * (y.novelty / nullif(y.novelty_items, 0)) as hugeint)) / 1e18 as novelty_means{%!interval= & needs.novelty_total%},
            sum(try_cast(1e18 * y.novelty as hugeint)) / 1e18 as novelty_total{%!interval= & needs.popularity_lists%},
            count(y.popularity) as popularity_lists{%!interval= & needs.popularity_means%},
            sum(try_cast(1e18 * y.popularity as hugeint)) / 1e18 as popularity_means{%!interval=%}
        from list_popularities as y{%!by= & !interval=%}
        cross join slices as s
        left join user_segments as g on g.user_id = y.user_id and g.slice = s.slice{%!interval=%}
        group by y.model, {%!by= & !interval=%}s.slice, {%!by= & !interval= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & !interval=%}g.segment{%!by= & !interval=%}, {%!interval=%}y.k
    ) as w
    {%!by= & !interval=%}inner join left_out as o on o.slice = w.slice and o.segment is not distinct from w.segment{%!interval= & by=%}cross join left_out as o{%!interval=%}
    left join (
        select
            y.model,
        {%!by= & !interval=%}    s.slice,
            {%!by= & !interval= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & !interval=%}g.segment{%!by= & !interval= & by_activity%} as segment{%!by= & !interval=%},
        {%!interval=%}    y.k,
            u.part{%!interval= & needs.novelty_items%},
            sum(y.novelty_items) as novelty_items{%!interval= & needs.novelty_lists%},
            count(y.novelty) as novelty_lists{%!interval= & needs.novelty_means%},
            sum(try_cast(1e18 * (y.novelty / nullif(y.novelty_items, 0)) as hugeint)) / 1e18 as novelty_means{%!interval= & needs.novelty_total%},
            sum(try_cast(1e18 * y.novelty as hugeint)) / 1e18 as novelty_total{%!interval= & needs.popularity_lists%},
            count(y.popularity) as popularity_lists{%!interval= & needs.popularity_means%},
            sum(try_cast(1e18 * y.popularity as hugeint)) / 1e18 as popularity_means{%!interval=%}
        from list_popularities as y{%!by= & !interval=%}
        cross join slices as s
        left join user_segments as g on g.user_id = y.user_id and g.slice = s.slice{%!interval=%}
        inner join user_groups as u on u.user_id = y.user_id
        group by y.model, {%!by= & !interval=%}s.slice, {%!by= & !interval= & by_activity%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & !interval=%}g.segment{%!by= & !interval=%}, {%!interval=%}y.k, u.part
    ) as g on g.model is not distinct from w.model and {%!by= & !interval=%}g.slice = w.slice and g.segment is not distinct from w.segment and {%!interval=%}g.k = w.k and g.part = o.part{%interval=%}select
        y.model,
    {%!by= & interval=%}    s.slice,
        {%!by= & by_activity & interval=%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & interval=%}g.segment{%!by= & by_activity & interval=%} as segment{%!by= & interval=%},
    {%interval=%}    y.k{%interval= & needs.novelty_items%},
        sum(y.novelty_items) as novelty_items{%interval= & needs.novelty_lists%},
        count(y.novelty) as novelty_lists{%interval= & needs.novelty_means%},
        sum(try_cast(1e18 * (y.novelty / nullif(y.novelty_items, 0)) as hugeint)) / 1e18 as novelty_means{%interval= & needs.novelty_total%},
        sum(try_cast(1e18 * y.novelty as hugeint)) / 1e18 as novelty_total{%interval= & needs.popularity_lists%},
        count(y.popularity) as popularity_lists{%interval= & needs.popularity_means%},
        sum(try_cast(1e18 * y.popularity as hugeint)) / 1e18 as popularity_means{%interval=%}
    from list_popularities as y{%!by= & interval=%}
    cross join slices as s
    left join user_segments as g on g.user_id = y.user_id and g.slice = s.slice{%interval=%}
    group by y.model, {%!by= & interval=%}s.slice, {%!by= & by_activity & interval=%}coalesce(g.segment, s.otherwise){%!by= & !by_activity & interval=%}g.segment{%!by= & interval=%}, {%interval=%}y.k
    {%%}
)
== step.run_at_k ==
{%%}-- one row per model and cut-off: the statistics that the metrics of all lists together read
run_at_k as (
    select
        m.model,
    {%!by=%}    n.slice,
        n.segment,
    {%%}    c.k{%!interval=%},
        o.part{%needs.catalog_information%},
        i.catalog_information{%needs.catalog_items%},
        coalesce(i.catalog_items, 0) as catalog_items{%needs.catalog_place_sum%},
        i.catalog_place_sum{%needs.catalog_recommendations%},
        i.catalog_recommendations{%needs.distinct_items%},
        coalesce(i.distinct_items, 0) as distinct_items{%needs.information%},
        i.information{%needs.list_information%},
        i.list_information{%needs.lists%},
        coalesce(i.lists, 0) as lists{%needs.place_sum%},
        i.place_sum{%needs.recommendations%},
        i.recommendations{%needs.train_items%},
        coalesce(i.train_items, 0) as train_items{%needs.catalog_exposure%},
        e.catalog_exposure{%needs.catalog_exposure_place_sum%},
        e.catalog_exposure_place_sum{%needs.exposure%},
        e.exposure{%needs.exposure_place_sum%},
        e.exposure_place_sum{%needs.category_information%},
        q.category_information{%needs.category_lists%},
        coalesce(q.category_lists, 0) as category_lists{%needs.novelty_items%},
        p.novelty_items{%needs.novelty_lists%},
        coalesce(p.novelty_lists, 0) as novelty_lists{%needs.novelty_means%},
        p.novelty_means{%needs.novelty_total%},
        p.novelty_total{%needs.popularity_lists%},
        coalesce(p.popularity_lists, 0) as popularity_lists{%needs.popularity_means%},
        p.popularity_means{%needs.catalog_size%},
        {%catalog_size= & needs.catalog_size%}cast((select count(*) from catalog as g) as double){%!catalog_size= & needs.catalog_size%}case
            when coalesce(i.catalog_items, 0) > {%!catalog_size= & needs.catalog_size: catalog_size%}
                then error(
                    'catalog_size: '
                    || coalesce(cast({%!catalog_size= & needs.catalog_size: catalog_size%} as varchar), 'NULL')
                    || ' is too small; at k = '
                    || coalesce(cast({%!catalog_size= & needs.catalog_size & uncut%}coalesce(cast(nullif(c.k, 1000000000000000000) as varchar), 'all'){%!catalog_size= & !uncut & needs.catalog_size%}c.k{%!catalog_size= & needs.catalog_size%} as varchar), 'NULL')
                    || ' there are '
                    || coalesce(cast(coalesce(i.catalog_items, 0) as varchar), 'NULL')
                    || ' different items'
                )
            else cast({%!catalog_size= & needs.catalog_size: catalog_size%} as double)
        end{%needs.catalog_size%} as catalog_size{%needs.highest_popularity%},
        cast((select max(i.popularity) from item_popularities as i) as double) as highest_popularity{%needs.train_popularity%},
        cast((select sum(i.popularity) from item_popularities as i) as double) as train_popularity{%needs.train_size%},
        cast((select count(*) from train_items as t) as double) as train_size{%needs.train_users%},
        cast((select n.users from train_totals as n) as double) as train_users{%%}
    from models as m{%!by=%}
    cross join segments_of_lists as n{%%}
    cross join cutoffs as c{%!interval=%}
    {%!by= & !interval=%}inner join left_out as o on o.slice = n.slice and o.segment is not distinct from n.segment{%!interval= & by=%}cross join left_out as o{%needs.items_at_k%}
    left join items_at_k as i on i.model is not distinct from m.model and {%!by= & needs.items_at_k%}i.slice = n.slice and i.segment is not distinct from n.segment and {%needs.items_at_k%}i.k = c.k{%!interval= & needs.items_at_k%} and i.part is not distinct from o.part{%needs.exposures_at_k%}
    left join exposures_at_k as e on e.model is not distinct from m.model and {%!by= & needs.exposures_at_k%}e.slice = n.slice and e.segment is not distinct from n.segment and {%needs.exposures_at_k%}e.k = c.k{%!interval= & needs.exposures_at_k%} and e.part is not distinct from o.part{%needs.categories_at_k%}
    left join categories_at_k as q on q.model is not distinct from m.model and {%!by= & needs.categories_at_k%}q.slice = n.slice and q.segment is not distinct from n.segment and {%needs.categories_at_k%}q.k = c.k{%!interval= & needs.categories_at_k%} and q.part is not distinct from o.part{%needs.popularities_at_k%}
    left join popularities_at_k as p on p.model is not distinct from m.model and {%!by= & needs.popularities_at_k%}p.slice = n.slice and p.segment is not distinct from n.segment and {%needs.popularities_at_k%}p.k = c.k{%!interval= & needs.popularities_at_k%} and p.part is not distinct from o.part{%%}
)
== step.per_run ==
{%%}-- one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists
per_run as (
    select
        s.model,
        {%!by=%}s.slice,
        s.segment,
        {%%}s.k{%!interval=%},
        s.part{%each%}{%%},
        {%: .natural%} as {%: .name%},
        {%.metric=entropy%}cast({%.entropy_scope=list & .metric=entropy%}s.lists{%.entropy_scope=category & .metric=entropy%}s.category_lists{%!.entropy_scope=category & !.entropy_scope=list & .metric=entropy%}null{%.metric=entropy%} as bigint){%.metric=novelty%}cast({%.metric=novelty & .novelty_mean=lists%}s.novelty_lists{%!.novelty_mean=lists & .metric=novelty%}null{%.metric=novelty%} as bigint){%.metric=popularity%}cast(s.popularity_lists as bigint){%!.metric=entropy & !.metric=novelty & !.metric=popularity%}cast(null as bigint){%%} as {%: .name%}_users{%/each%}{%%}
    from run_at_k as s
)
== step.summary of item_metrics ==
{%%}-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        {%!by=%}m.slice,
        m.segment,
        {%%}a.metric,
        m.k,
        case a.place
    {%each%}{%.shown%}        when {%.shown: .place%} then m.{%.shown: .name%}
    {%/each%}{%%}    end as value,
        case a.place
    {%each%}{%.shown%}        when {%.shown: .place%} then m.{%.shown: .name%}_users
    {%/each%}{%%}    end as users,
        a.place
    from per_run as m
    cross join asked as a{%ks_differ%}
    where
        case a.place
    {%each%}{%.shown & ks_differ%}        when {%.shown & ks_differ: .place%} then m.k in ({%.shown & ks_differ: .ks_text%})
    {%/each%}{%ks_differ%}    end{%!interval=%}
    {%!interval= & ks_differ%}    and{%!interval= & !ks_differ%}where{%!interval=%} m.part is null{%%}
)
== step.jackknives of item_metrics ==
{%%}-- one row per model, metric and cut-off: the standard error from the values without each group of users, and the number of groups
jackknives as (
    select
        l.model, {%!by=%}l.slice, l.segment, {%%}l.place, l.k,
        len(l.entries) as groups,
        sqrt(
            list_sum(list_transform(l.entries, lambda e: (e - l.mean) * (e - l.mean)))
            * (len(l.entries) - 1e0) / len(l.entries)
        ) as std_error
    from (
        select l.model, {%!by=%}l.slice, l.segment, {%%}l.place, l.k, l.entries, list_sum(l.entries) / len(l.entries) as mean
        from (
            select l.model, {%!by=%}l.slice, l.segment, {%%}l.place, l.k, list(l.value order by l.part asc) as entries
            from (
    {%!interval=%}            select
                    m.model,
                    {%!by= & !interval=%}m.slice,
                    m.segment,
                    {%!interval=%}a.place,
                    m.k,
                    m.part,
                    case a.place
                {%each%}{%!interval= & .by_groups & .shown%}        when {%!interval= & .by_groups & .shown: .place%} then m.{%!interval= & .by_groups & .shown: .name%}
                {%/each%}{%!interval=%}    end as value
                from per_run as m
                cross join asked as a
                where m.part is not null
    {%%}        ) as l
            where l.value is not null
            group by l.model, {%!by=%}l.slice, l.segment, {%%}l.place, l.k
        ) as l
    ) as l
)
== step.group_spreads of item_metrics ==
{%%}-- one row per value that is no mean: its standard error by the jackknife, the degrees of freedom, and the bounds of the metric
group_spreads as (
    select
        s.model,
        {%!by=%}s.slice,
        s.segment,
        {%%}s.place,
        s.k,
        s.value,
        j.groups - 1e0 as df,
        j.std_error,
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then 0e0
    {%/each%}{%%}    end as least,
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then {%.by_groups & .metric=coverage/gini & .shown & .within_bounds%}1e0{%!.within_bounds & .by_groups & .metric=coverage/gini & .shown%}cast(null as double){%!.metric=coverage/gini & .by_groups & .shown & .within_bounds%}cast(null as double){%!.metric=coverage/gini & !.within_bounds & .by_groups & .shown%}cast(null as double){%.by_groups & .shown%}
    {%/each%}{%%}    end as most,
        {%!interval=%}coalesce(s.users, o.users, 0){%interval=%}s.users{%%} < 200 as few
    from summary as s
    {%!interval=%}left join served_users as o on {%!by= & !interval=%}o.model is not distinct from s.model and o.slice = s.slice and o.segment is not distinct from s.segment{%!interval= & by=%}o.model is not distinct from s.model{%!interval=%}
    {%%}left join jackknives as j on j.model is not distinct from s.model and {%!by=%}j.slice = s.slice and j.segment is not distinct from s.segment and {%%}j.place = s.place and j.k = s.k
    where
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then true
    {%/each%}{%%}    end
)
== step.spreads of item_metrics ==
{%%}-- one row per model, metric and cut-off: the standard error, its degrees of freedom, and what the interval is made of
spreads as (
    {%!interval=%}select
        s.model,
        {%!by= & !interval=%}s.slice,
        s.segment,
        {%!interval=%}s.place,
        s.k,
        s.value,
        false as is_scored,
        s.df,
        s.std_error,
        cast(null as double) as effective_users,
        s.least,
        s.most,
        s.few
    from group_spreads as s{%%}
)
== step.intervals of item_metrics ==
{%%}-- one row per model, metric and cut-off: the interval, and whether there are too few users to trust it
intervals as (
    select
        s.model,
        {%!by=%}s.slice,
        s.segment,
        {%%}s.place,
        s.k,
        case
            when s.penalty > 0e0
                then greatest(
                    (s.value + s.penalty / 2e0 - sqrt(greatest(s.value * (1e0 - s.value), 0e0) * s.penalty + s.penalty * s.penalty / 4e0)) / (1e0 + s.penalty),
                    0e0
                )
            when s.margin is not null and not s.is_scored then greatest(s.value - s.margin, s.least)
        end as low,
        case
            when s.penalty > 0e0
                then least(
                    (s.value + s.penalty / 2e0 + sqrt(greatest(s.value * (1e0 - s.value), 0e0) * s.penalty + s.penalty * s.penalty / 4e0)) / (1e0 + s.penalty),
                    1e0
                )
            when s.margin is not null and not s.is_scored then least(s.value + s.margin, s.most)
        end as high,
        s.std_error,
        s.few
    from (
        select
            p.*,
            q.quantile * nullif(p.std_error, 0e0) as margin,
            case when p.is_scored then q.quantile * q.quantile / nullif(p.effective_users, 0e0) end as penalty
        from spreads as p
        left join quantiles as q on q.df is not distinct from p.df
    ) as s
)
== step.problems of item_metrics ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%!by= & by_activity%}    union all
        select 2 as place, p.message
        from (
            {%!by= & by_activity: check.activity_users%}
        ) as p
    {%!candidates=%}    union all
        select 3 as place, p.message
        from (
            {%!candidates=: check.candidate_ids%}
        ) as p
    {%needs.categories_at_k%}    union all
        select 2 as place, p.message
        from (
            {%needs.categories_at_k: check.categories%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%needs.categories_at_k: check.category_lists%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.fold_column%}
        ) as p
    {%!rank_by=rank & ties=input%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank & ties=input: check.input_order%}
        ) as p
    {%!by= & by_table & multiple=error%}    union all
        select 6 as place, p.message
        from (
            {%!by= & by_table & multiple=error: check.multiple%}
        ) as p
    {%ties=best/expected/worst%}    union all
        select 1 as place, p.message
        from (
            {%ties=best/expected/worst: check.no_order%}
        ) as p
    {%!rank_by=score%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=score: check.ranks%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.recs_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.recs_ids%}
        ) as p
    {%!rank_by=score%}    union all
        select 6 as place, p.message
        from (
            {%!rank_by=score: check.same_rank%}
        ) as p
    {%!rank_by=rank%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank: check.scores%}
        ) as p
    {%seen=error & seen_read%}    union all
        select 5 as place, p.message
        from (
            {%seen=error & seen_read: check.seen_items%}
        ) as p
    {%seen_read%}    union all
        select 2 as place, p.message
        from (
            {%seen_read: check.seen_users%}
        ) as p
    {%!by=%}    union all
        select 2 as place, p.message
        from (
            {%!by=: check.segment_columns%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%!by=: check.segment_lists%}
        ) as p
    {%!by= & with_cuts%}    union all
        select 5 as place, p.message
        from (
            {%!by= & with_cuts: check.segment_numbers%}
        ) as p
    {%!by= & with_crossed%}    union all
        select 5 as place, p.message
        from (
            {%!by= & with_crossed: check.segment_texts%}
        ) as p
    {%!by=%}    union all
        select 5 as place, p.message
        from (
            {%!by=: check.segment_values%}
        ) as p
        union all
        select 8 as place, p.message
        from (
            {%!by=: check.segments%}
        ) as p
    {%!rank_by=rank & duplicates=count/hole/set & ties=best/expected/worst%}    union all
        select 5 as place, p.message
        from (
            {%!rank_by=rank & duplicates=count/hole/set & ties=best/expected/worst: check.tied_copies%}
        ) as p
    {%!rank_by=rank & ties=error%}    union all
        select 5 as place, p.message
        from (
            {%!rank_by=rank & ties=error: check.ties%}
        ) as p
    {%needs.popularities_at_k & train_users_counted%}    union all
        select 2 as place, p.message
        from (
            {%needs.popularities_at_k & train_users_counted: check.train_users%}
        ) as p
    {%needs.popularities & needs.popularities_at_k & popularity_unseen=error%}    union all
        select 5 as place, p.message
        from (
            {%needs.popularities & needs.popularities_at_k & popularity_unseen=error: check.unseen_items%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.categories ==
{%%}select
                '{%: name.items%}: no item has a category; entropy_scope = ''category'' needs a column category with one category per row' as message
            from (select count(*) as categories from item_categories as i) as n
            where n.categories = 0
== check.category_lists ==
{%%}select
                '{%: name.items%}: category is '
                || coalesce(cast(typeof(i.category) as varchar), 'NULL')
                || '; unnest it in a view, with one category per row' as message
            from given_items as i
            where typeof(i.category) like '%]'
            limit 1
== check.segment_columns of item_metrics ==
{%%}select
                'by: there is no column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || ' in '
                || coalesce(cast(c.there as varchar), 'NULL')
                || '; '
                || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(c.columns, lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                || 'there are '
                || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                || coalesce(cast(c.way as varchar), 'NULL') as message
            from (
                select
                    c.name,
                    list_filter(c.columns, lambda e, i: list_position(c.columns, e) = i) as columns,
                    {%by_table%}'{%by_table: name.segments%}' || ' nor ' || {%%}'{%: name.recs%}' as there,
                    {%by_table%}''{%!by_table%}'; give a table with user_id and that column as segments'{%%} as way
                from (
                    select
                        c.name,
                        flatten([
            {%by_table%}                coalesce((select json_keys(to_json(x)) from query_table('{%by_table: source.segments%}') as x limit 1), []),
            {%%}                coalesce((select json_keys(to_json(x)) from query_table('{%: source.recs%}') as x limit 1), [])
                        ]) as columns
                    from segment_tables as c
                    where c.role is null
                ) as c
            ) as c
            limit 1
== check.segment_lists of item_metrics ==
{%%}select
                coalesce(cast(case c.role when 'recs' then '{%: name.recs%}' end as varchar), 'NULL')
                || ': '
                || coalesce(cast(c.name as varchar), 'NULL')
                || ' is a LIST; give one value per row, or a table segments' as message
            from segment_tables as c
            where c.role <> 'segments' and cast(c.type as varchar) like '%]'
            limit 1
== check.segment_values of item_metrics ==
{%%}select min(m.message) as message
            from (
                select
                    coalesce(cast(case f.role when 'recs' then '{%: name.recs%}' end as varchar), 'NULL')
                    || ': user '
                    || coalesce(regexp_replace(cast(f.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has two values of '
                    || coalesce(cast(f.name as varchar), 'NULL')
                    || ': '
                    || coalesce(regexp_replace(cast(f.one as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(f.other as varchar), '^$', ''''''), 'NULL')
                    || '; give every user one, or a table with both as segments' as message
                from (
                    select
                        cast(null as varchar) as role,
                        cast(null as varchar) as user_id,
                        cast(null as varchar) as name,
                        cast(null as varchar) as one,
                        cast(null as varchar) as other
                    where false{%: .columns.33%}
                ) as f
            ) as m
            having count(*) > 0
== check.segments of item_metrics ==
{%%}select
                'by: '
                || coalesce(cast(case n.slice{%: .slices.24%} end as varchar), 'NULL')
                || ' has '
                || coalesce(cast(n.segments as varchar), 'NULL')
                || ' segments, and at most 100 are shown; group its values in a view' as message
            from (
                select g.slice, count(distinct g.segment) as segments
                from (
                    select l.slice, l.segment from list_counts as l
                ) as g
                group by g.slice
            ) as n
            where n.segments > 100
            order by n.slice asc
            limit 1
== check.tied_copies of item_metrics ==
{%%}select
                '{%: name.recs%}: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', which ties = ''{%: ties%}'' with duplicates = ''{%: duplicates%}'' does not support; list it once, or use duplicates = ''first''' as message
            from scored as r
            group by r.model, r.user_id, r.item_id
            having count(*) > {%duplicates=set%}1{%!duplicates=set%}count(distinct r.score){%%}
            order by r.user_id asc, r.item_id asc
            limit 1
== check.train_users ==
{%%}select
                '{%: name.train%}: no row has a user; base = ''users'' of novelty and popularity needs a column user_id' as message
            from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
            where n.interactions > 0 and n.users = 0
== check.unseen_items ==
{%%}select
                'popularity_unseen = ''error'': item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ' is not in {%: name.train%}; add it there, or choose another value' as message
            from listed as r
            left join train_counts as t on t.item_id = r.item_id
            where t.item_id is null
            order by r.user_id asc, r.item_id asc
            limit 1
== metric.coverage ==
{%.coverage_denominator=catalog & .coverage_restrict=false%}s.distinct_items{%!.coverage_restrict=false & .coverage_denominator=catalog%}s.catalog_items{%.coverage_denominator=catalog%} / nullif(s.catalog_size, 0){%.coverage_denominator=train & .coverage_restrict=false%}s.distinct_items{%!.coverage_restrict=false & .coverage_denominator=train%}s.train_items{%.coverage_denominator=train%} / nullif(s.train_size, 0){%!.coverage_denominator=catalog & !.coverage_denominator=train%}cast({%!.coverage_denominator=catalog & !.coverage_denominator=train & .coverage_restrict=false%}s.distinct_items{%!.coverage_denominator=catalog & !.coverage_denominator=train & !.coverage_restrict=false%}s.catalog_items{%!.coverage_denominator=catalog & !.coverage_denominator=train%} as double)
== metric.entropy ==
{%.entropy_base=e & .entropy_normalize=none & .entropy_scope=list%}s.list_information{%.entropy_base=e & .entropy_normalize=none & .entropy_scope=category%}s.category_information / nullif(s.category_lists, 0){%!.entropy_scope=category & !.entropy_scope=list & .entropy_base=e & .entropy_normalize=none%}s.information{%.entropy_base=e & .entropy_normalize=none%} * ln(2e0){%.entropy_base=10 & .entropy_normalize=none & .entropy_scope=list%}s.list_information{%.entropy_base=10 & .entropy_normalize=none & .entropy_scope=category%}s.category_information / nullif(s.category_lists, 0){%!.entropy_scope=category & !.entropy_scope=list & .entropy_base=10 & .entropy_normalize=none%}s.information{%.entropy_base=10 & .entropy_normalize=none%} * ln(2e0) / ln(10e0){%!.entropy_base=10 & !.entropy_base=e & .entropy_normalize=none & .entropy_scope=list%}s.list_information{%!.entropy_base=10 & !.entropy_base=e & .entropy_normalize=none & .entropy_scope=category%}s.category_information / nullif(s.category_lists, 0){%!.entropy_base=10 & !.entropy_base=e & !.entropy_scope=category & !.entropy_scope=list & .entropy_normalize=none%}s.information{%.entropy_base=e & .entropy_normalize=distinct & .entropy_scope=list%}s.list_information{%.entropy_base=e & .entropy_normalize=distinct & .entropy_scope=category%}s.category_information / nullif(s.category_lists, 0){%!.entropy_scope=category & !.entropy_scope=list & .entropy_base=e & .entropy_normalize=distinct%}s.information{%.entropy_base=e & .entropy_normalize=distinct%} * ln(2e0){%.entropy_base=10 & .entropy_normalize=distinct & .entropy_scope=list%}s.list_information{%.entropy_base=10 & .entropy_normalize=distinct & .entropy_scope=category%}s.category_information / nullif(s.category_lists, 0){%!.entropy_scope=category & !.entropy_scope=list & .entropy_base=10 & .entropy_normalize=distinct%}s.information{%.entropy_base=10 & .entropy_normalize=distinct%} * ln(2e0) / ln(10e0){%!.entropy_base=10 & !.entropy_base=e & .entropy_normalize=distinct & .entropy_scope=list%}s.list_information{%!.entropy_base=10 & !.entropy_base=e & .entropy_normalize=distinct & .entropy_scope=category%}s.category_information / nullif(s.category_lists, 0){%!.entropy_base=10 & !.entropy_base=e & !.entropy_scope=category & !.entropy_scope=list & .entropy_normalize=distinct%}s.information{%.entropy_normalize=distinct%} / nullif(s.distinct_items, 0){%!.entropy_normalize=distinct & !.entropy_normalize=none & .entropy_scope=list%}case
    when s.distinct_items = s.catalog_items
        then s.list_information
    when s.distinct_items > s.catalog_items
        then error(
            'entropy_normalize = ''log_catalog'': at k = '
            || coalesce(cast({%!.entropy_normalize=distinct & !.entropy_normalize=none & .entropy_scope=list & uncut%}coalesce(cast(nullif(s.k, 1000000000000000000) as varchar), 'all'){%!.entropy_normalize=distinct & !.entropy_normalize=none & !uncut & .entropy_scope=list%}s.k{%!.entropy_normalize=distinct & !.entropy_normalize=none & .entropy_scope=list%} as varchar), 'NULL')
            || ', '
            || coalesce(cast(s.distinct_items - s.catalog_items as varchar), 'NULL')
            || ' of the recommended items are not in the catalogue; add them to it, or leave them out of the lists'
        )
end / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0){%!.entropy_normalize=distinct & !.entropy_normalize=none & .entropy_scope=category%}s.category_information / nullif(s.category_lists, 0) / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0){%!.entropy_normalize=distinct & !.entropy_normalize=none & !.entropy_scope=category & !.entropy_scope=list%}s.catalog_information / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)
== metric.gini ==
{%.gini_orientation=equality%}1 - {%%}(2 * {%.gini_population=catalog%}s.catalog_{%!.gini_population=catalog%}s.{%.gini_weight=count%}place_sum{%!.gini_weight=count%}exposure_place_sum{%%} / nullif(cast({%.gini_population=catalog%}s.catalog_{%!.gini_population=catalog%}s.{%.gini_weight=count%}recommendations{%!.gini_weight=count%}exposure{%%} as double), 0e0) + {%.gini_population=catalog%}s.catalog_size{%!.gini_population=catalog%}s.distinct_items{%%} - 2 * {%.gini_population=catalog%}s.catalog_items{%!.gini_population=catalog%}s.distinct_items{%%} - 1) / {%.gini_divide=n%}nullif({%.gini_divide=n & .gini_population=catalog%}s.catalog_size{%!.gini_population=catalog & .gini_divide=n%}s.distinct_items{%.gini_divide=n%}, 0){%!.gini_divide=n%}nullif({%!.gini_divide=n & .gini_population=catalog%}s.catalog_size{%!.gini_divide=n & !.gini_population=catalog%}s.distinct_items{%!.gini_divide=n%} - 1, 0)
== metric.novelty ==
{%.novelty_mean=rows & .novelty_normalize=log_users | .novelty_divide=k & .novelty_normalize=log_users%}s.novelty_total / nullif(cast({%.novelty_mean=rows & .novelty_normalize=log_users%}s.novelty_items{%!.novelty_mean=rows & .novelty_divide=k & .novelty_normalize=log_users%}s.novelty_lists * s.k{%.novelty_mean=rows & .novelty_normalize=log_users | .novelty_divide=k & .novelty_normalize=log_users%} as double), 0e0){%!.novelty_divide=k & !.novelty_mean=rows & .novelty_normalize=log_users%}s.novelty_means / nullif(s.novelty_lists, 0){%.novelty_normalize=log_users%} / nullif(log2(nullif(s.train_users, 0e0)), 0e0){%!.novelty_normalize=log_users & .novelty_log=e & .novelty_mean=rows | !.novelty_normalize=log_users & .novelty_divide=k & .novelty_log=e%}s.novelty_total / nullif(cast({%!.novelty_normalize=log_users & .novelty_log=e & .novelty_mean=rows%}s.novelty_items{%!.novelty_mean=rows & !.novelty_normalize=log_users & .novelty_divide=k & .novelty_log=e%}s.novelty_lists * s.k{%!.novelty_normalize=log_users & .novelty_log=e & .novelty_mean=rows | !.novelty_normalize=log_users & .novelty_divide=k & .novelty_log=e%} as double), 0e0){%!.novelty_divide=k & !.novelty_mean=rows & !.novelty_normalize=log_users & .novelty_log=e%}s.novelty_means / nullif(s.novelty_lists, 0){%!.novelty_normalize=log_users & .novelty_log=e%} * ln(2e0){%!.novelty_normalize=log_users & .novelty_log=10 & .novelty_mean=rows | !.novelty_normalize=log_users & .novelty_divide=k & .novelty_log=10%}s.novelty_total / nullif(cast({%!.novelty_normalize=log_users & .novelty_log=10 & .novelty_mean=rows%}s.novelty_items{%!.novelty_mean=rows & !.novelty_normalize=log_users & .novelty_divide=k & .novelty_log=10%}s.novelty_lists * s.k{%!.novelty_normalize=log_users & .novelty_log=10 & .novelty_mean=rows | !.novelty_normalize=log_users & .novelty_divide=k & .novelty_log=10%} as double), 0e0){%!.novelty_divide=k & !.novelty_mean=rows & !.novelty_normalize=log_users & .novelty_log=10%}s.novelty_means / nullif(s.novelty_lists, 0){%!.novelty_normalize=log_users & .novelty_log=10%} * ln(2e0) / ln(10e0){%!.novelty_log=10 & !.novelty_log=e & !.novelty_normalize=log_users & .novelty_mean=rows | !.novelty_log=10 & !.novelty_log=e & !.novelty_normalize=log_users & .novelty_divide=k%}s.novelty_total / nullif(cast({%!.novelty_log=10 & !.novelty_log=e & !.novelty_normalize=log_users & .novelty_mean=rows%}s.novelty_items{%!.novelty_log=10 & !.novelty_log=e & !.novelty_mean=rows & !.novelty_normalize=log_users & .novelty_divide=k%}s.novelty_lists * s.k{%!.novelty_log=10 & !.novelty_log=e & !.novelty_normalize=log_users & .novelty_mean=rows | !.novelty_log=10 & !.novelty_log=e & !.novelty_normalize=log_users & .novelty_divide=k%} as double), 0e0){%!.novelty_divide=k & !.novelty_log=10 & !.novelty_log=e & !.novelty_mean=rows & !.novelty_normalize=log_users%}s.novelty_means / nullif(s.novelty_lists, 0)
== metric.popularity ==
{%.popularity_normalize=sum%}s.popularity_means / nullif(s.popularity_lists, 0) / nullif(s.train_popularity, 0e0){%.popularity_normalize=max%}s.popularity_means / nullif(s.popularity_lists, 0) / nullif(s.highest_popularity, 0e0){%!.popularity_normalize=max & !.popularity_normalize=sum%}s.popularity_means / nullif(s.popularity_lists, 0)
== target.evaluate of item_metrics ==
{%!by=%}select
    s.model,
    case s.slice{%!by=: .slices.24%} end as slice,
    s.segment,
    s.metric,
    {%!by= & uncut%}cast(nullif(s.k, 1000000000000000000) as integer) as k{%!by= & !uncut%}s.k{%!by=%},
    s.value,
    s.users,
    case
        when s.users is null then coalesce(l.share, 0e0)
        else cast(s.users as double) / nullif(a.users, 0)
    end as share{%!by= & !interval=%},
    i.low,
    i.high,
    i.std_error,
    i.few{%by=%}select s.model, s.metric, {%by= & uncut%}cast(nullif(s.k, 1000000000000000000) as integer) as k{%!uncut & by=%}s.k{%by=%}, s.value, s.users{%!interval= & by=%}, i.low, i.high, i.std_error, i.few{%%}
from summary as s
{%!by=%}left join summary as a on a.model is not distinct from s.model and a.slice = 0 and a.place = s.place and a.k = s.k
{%small%}left join list_segments as m on {%!by= & small%}m.model is not distinct from s.model and m.slice = s.slice and m.segment is not distinct from s.segment{%by= & small%}m.model is not distinct from s.model{%small%}
{%!by=%}left join list_segments as l on l.model is not distinct from s.model and l.slice = s.slice and l.segment is not distinct from s.segment
{%!interval=%}inner join intervals as i on i.model is not distinct from s.model and {%!by= & !interval=%}i.slice = s.slice and i.segment is not distinct from s.segment and {%!interval=%}i.place = s.place and i.k = s.k
{%%}where (select count(error(p.message)) from problems as p) = 0{%small%} and (s.slice = 0 or coalesce(m.lists, 0) >= {%small: min_users%}){%%}
{%!by=%}order by
    s.model asc nulls first,
    s.slice asc,
    {%!by= & with_order%}case s.slice{%!by= & with_order: .slices.29%}
    end asc nulls last,
    {%!by=%}s.segment asc nulls last,
    s.place asc,
    s.k asc{%by=%}order by s.model asc nulls first, s.place asc, s.k asc
== step.given_predictions ==
{%%}-- one row per row of predictions, with recsql's column names
given_predictions as not materialized (
    select p.model, p.user_id, p.item_id, cast(p.prediction as double) as prediction, cast(p.rating as double) as rating
    from (
        from query_table('{%: source.predictions%}')
        union all by name
        select null::varchar as model, null as rating
        where false
    ) as p
)
== step.given_ratings ==
{%%}-- one row per row of ratings, with recsql's column names
given_ratings as not materialized (
    select t.user_id, t.item_id, cast(t.rating as double) as rating
    from (
        from query_table('{%: source.ratings%}')
        union all by name
        select null as rating
        where false
    ) as t
)
== step.grouped_users of rating_metrics ==
{%%}-- one row per user who is in one of the groups that are left out
grouped_users as (
    {%rating_groups%}select distinct p.user_id from given_predictions as p{%!rating_groups%}select distinct u.user_id from population as u{%%}
)
== step.pairs ==
{%%}-- one row per rating with its prediction, which is NULL if it is missing
pairs as (
    {%!ratings=%}select p.model, p.user_id, p.item_id, t.rating, p.prediction
    from given_predictions as p
    inner join given_ratings as t
        on t.user_id = p.user_id
        and t.item_id = p.item_id
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%!ratings=: name.predictions%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%!ratings=: name.ratings%}; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_predictions as l limit 1) as l
                cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_ratings as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true){%ratings=%}select p.model, p.user_id, p.item_id, p.rating, p.prediction
    from given_predictions as p{%%}
)
== step.centres ==
{%%}-- one row per model, and per user if mean = users: the means that the variances need
centres as (
    select
        p.model,
        {%mean=users%}p.user_id{%!mean=users%}null{%%} as rater,
        case when min(p.rating) < max(p.rating) then case when max(abs(p.rating)) < 1e9 and avg(abs(p.rating)) > 1e-6 then sum(try_cast(1e18 * (case when abs(p.rating) < 1e9 then p.rating end) as hugeint)) / 1e18 else fsum(p.rating) end / count(*) else min(p.rating) end as rating,
        case when min(p.rating - p.prediction) < max(p.rating - p.prediction) then case when max(abs(p.rating - p.prediction)) < 1e9 and avg(abs(p.rating - p.prediction)) > 1e-6 then sum(try_cast(1e18 * (case when abs(p.rating - p.prediction) < 1e9 then p.rating - p.prediction end) as hugeint)) / 1e18 else fsum(p.rating - p.prediction) end / count(*) else min(p.rating - p.prediction) end as error
    from pairs as p
    where p.prediction is not null
    group by p.model{%mean=users%}, p.user_id{%%}
)
== step.rating_errors ==
{%%}-- one row per model, and per user if mean = users: the statistics of the pairs
rating_errors as (
    select
        p.model,
        {%mean=users%}p.user_id{%!mean=users%}null{%%} as rater,
    {%needs.absolute_error%}    case when max(abs(abs(p.rating - p.prediction))) < 1e9 and avg(abs(abs(p.rating - p.prediction))) > 1e-6 then sum(try_cast(1e18 * (case when abs(abs(p.rating - p.prediction)) < 1e9 then abs(p.rating - p.prediction) end) as hugeint)) / 1e18 else fsum(abs(p.rating - p.prediction)) end as absolute_error,
    {%needs.error_variance%}    case when max(abs(power(p.rating - p.prediction - c.error, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction - c.error, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction - c.error, 2)) < 1e9 then power(p.rating - p.prediction - c.error, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction - c.error, 2)) end / nullif(count(p.prediction), 0) as error_variance,
    {%needs.pairs%}    count(p.prediction) as pairs,
    {%needs.rating_variance%}    case when max(abs(power(p.rating - c.rating, 2))) < 1e9 and avg(abs(power(p.rating - c.rating, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - c.rating, 2)) < 1e9 then power(p.rating - c.rating, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - c.rating, 2)) end / nullif(count(p.prediction), 0) as rating_variance,
    {%needs.squared_error%}    case when max(abs(power(p.rating - p.prediction, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction, 2)) < 1e9 then power(p.rating - p.prediction, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction, 2)) end as squared_error,
    {%%}    count(distinct case when p.prediction is not null then p.user_id end) as users,
        count(p.prediction) as used,
        count(*) - count(p.prediction) as missing
    from pairs as p{%needs.means%}
    left join centres as c
        on
            c.model is not distinct from p.model
    {%mean=users & needs.means%}        and c.rater is not distinct from p.user_id
    {%needs.means%}        and p.prediction is not null{%%}
    group by p.model{%mean=users%}, p.user_id{%%}
)
== step.rating_metrics ==
{%%}-- one row per model, and per user if mean = users: the metrics
rating_metrics as (
    select
        s.model,
        s.users{%each%}{%%},
        {%: .natural%} as {%: .name%}{%/each%}{%%}
    from rating_errors as s
)
== step.rating_counts ==
{%%}-- one row per model with predictions: how many pairs were compared, and how many rows had no match
rating_counts as (
    select
        p.model,
        coalesce(s.used, 0) as pairs,
        coalesce(s.missing, 0) as missing,
        {%!ratings=%}p.predictions - coalesce(s.used + s.missing, 0){%ratings=%}0{%%} as unmatched_predictions,
        {%!ratings=%}(select count(*) from given_ratings as t) - coalesce(s.used + s.missing, 0){%ratings=%}0{%%} as unmatched_ratings
    from (
        select g.model, count(*) as predictions
        from given_predictions as g
        group by g.model
    ) as p
    left join (
        select e.model, cast(sum(e.used) as bigint) as used, cast(sum(e.missing) as bigint) as missing
        from rating_errors as e
        group by e.model
    ) as s on s.model is not distinct from p.model
)
== step.rating_means ==
{%%}-- one row per model with predictions: the metrics, and the number of users
rating_means as (
    select
        n.model{%each%}{%%},
        case when max(abs(s.{%: .name%})) < 1e9 and avg(abs(s.{%: .name%})) > 1e-6 then sum(try_cast(1e18 * (case when abs(s.{%: .name%}) < 1e9 then s.{%: .name%} end) as hugeint)) / 1e18 else fsum(s.{%: .name%}) end / count(s.{%: .name%}) as {%: .name%},
        cast(coalesce(sum(case when s.{%: .name%} is not null then s.users end), 0) as bigint) as {%: .name%}_users{%/each%}{%%}
    from rating_counts as n
    left join rating_metrics as s on s.model is not distinct from n.model
    group by n.model
)
== step.rater_errors ==
{%%}-- one row per model and user: the sums of the errors, and the number of pairs
rater_errors as (
    select
        p.model,
        p.user_id,
    {%any(.metric=mae)%}    case when max(abs(abs(p.rating - p.prediction))) < 1e9 and avg(abs(abs(p.rating - p.prediction))) > 1e-6 then sum(try_cast(1e18 * (case when abs(abs(p.rating - p.prediction)) < 1e9 then abs(p.rating - p.prediction) end) as hugeint)) / 1e18 else fsum(abs(p.rating - p.prediction)) end as absolute_error,
    {%any(.metric=)%}    case when max(abs(power(p.rating - p.prediction - c.error, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction - c.error, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction - c.error, 2)) < 1e9 then power(p.rating - p.prediction - c.error, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction - c.error, 2)) end / nullif(count(p.prediction), 0) as error_variance,
        count(p.prediction) as pairs,
        case when max(abs(power(p.rating - c.rating, 2))) < 1e9 and avg(abs(power(p.rating - c.rating, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - c.rating, 2)) < 1e9 then power(p.rating - c.rating, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - c.rating, 2)) end / nullif(count(p.prediction), 0) as rating_variance,
    {%any(.metric=mse/rmse)%}    case when max(abs(power(p.rating - p.prediction, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction, 2)) < 1e9 then power(p.rating - p.prediction, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction, 2)) end as squared_error,
    {%%}    count(*) as used
    from pairs as p
    where p.prediction is not null
    group by p.model, p.user_id
)
== step.group_errors ==
{%%}-- one row per model and group of users: the sums of the errors, and of the deviations from the means of all
group_errors as (
    select
        p.model,
        g.part,
    {%needs.absolute_error%}    case when max(abs(abs(p.rating - p.prediction))) < 1e9 and avg(abs(abs(p.rating - p.prediction))) > 1e-6 then sum(try_cast(1e18 * (case when abs(abs(p.rating - p.prediction)) < 1e9 then abs(p.rating - p.prediction) end) as hugeint)) / 1e18 else fsum(abs(p.rating - p.prediction)) end as absolute_error,
    {%needs.squared_error%}    case when max(abs(power(p.rating - p.prediction, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction, 2)) < 1e9 then power(p.rating - p.prediction, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction, 2)) end as squared_error,
    {%needs.means%}    case when max(abs(p.rating - c.rating)) < 1e9 and avg(abs(p.rating - c.rating)) > 1e-6 then sum(try_cast(1e18 * (case when abs(p.rating - c.rating) < 1e9 then p.rating - c.rating end) as hugeint)) / 1e18 else fsum(p.rating - c.rating) end as rating_deviation,
        case when max(abs(power(p.rating - c.rating, 2))) < 1e9 and avg(abs(power(p.rating - c.rating, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - c.rating, 2)) < 1e9 then power(p.rating - c.rating, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - c.rating, 2)) end as rating_squares,
        case when max(abs(p.rating - p.prediction - c.error)) < 1e9 and avg(abs(p.rating - p.prediction - c.error)) > 1e-6 then sum(try_cast(1e18 * (case when abs(p.rating - p.prediction - c.error) < 1e9 then p.rating - p.prediction - c.error end) as hugeint)) / 1e18 else fsum(p.rating - p.prediction - c.error) end as error_deviation,
        case when max(abs(power(p.rating - p.prediction - c.error, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction - c.error, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction - c.error, 2)) < 1e9 then power(p.rating - p.prediction - c.error, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction - c.error, 2)) end as error_squares,
    {%%}    count(*) as used
    from pairs as p
    inner join user_groups as g on g.user_id = p.user_id{%needs.means%}
    inner join centres as c on c.model is not distinct from p.model{%%}
    where p.prediction is not null
    group by p.model, g.part
)
== step.left_out_metrics ==
{%%}-- one row per model and group of users: the metrics of all other users
left_out_metrics as (
    select
        s.model,
        s.part{%each%}{%.by_groups%},
        {%.by_groups: .natural%} as {%.by_groups: .name%}{%/each%}{%%}
    from (
        select
            g.model,
            g.part{%needs.absolute_error%},
            e.absolute_error - g.absolute_error as absolute_error{%needs.error_variance%},
            (e.error_variance * e.used - g.error_squares) / nullif(e.used - g.used, 0) - power(g.error_deviation / nullif(e.used - g.used, 0), 2) as error_variance{%needs.pairs%},
            e.used - g.used as pairs{%needs.rating_variance%},
            (e.rating_variance * e.used - g.rating_squares) / nullif(e.used - g.used, 0) - power(g.rating_deviation / nullif(e.used - g.used, 0), 2) as rating_variance{%needs.squared_error%},
            e.squared_error - g.squared_error as squared_error{%%}
        from group_errors as g
        inner join rating_errors as e on e.model is not distinct from g.model
    ) as s
)
== step.rating_summary ==
{%%}-- one row per model and metric
rating_summary as (
    select
        m.model,
        a.metric,
        case a.place
    {%each%}{%%}        when {%: .place%} then m.{%: .name%}
    {%/each%}{%%}    end as value,
        case a.place
    {%each%}{%%}        when {%: .place%} then m.{%: .name%}_users
    {%/each%}{%%}    end as users,
        a.place
    from rating_means as m
    cross join asked as a
)
== step.deviations ==
{%%}-- one row per model and mean of ratings: the squared deviations of the users from it, how many users, and the weight of all together
deviations as (
    select
        d.model, d.place,
        case when max(abs(d.deviation * d.deviation)) < 1e9 and avg(abs(d.deviation * d.deviation)) > 1e-6 then sum(try_cast(1e18 * (case when abs(d.deviation * d.deviation) < 1e9 then d.deviation * d.deviation end) as hugeint)) / 1e18 else fsum(d.deviation * d.deviation) end as squares,
        count(d.deviation) as raters,
        {%mean=users%}count(d.deviation){%!mean=users%}max(d.used){%%} as weight
    from (
        select
            s.model,
            a.place,
    {%!mean=users%}        e.used,
    {%%}        case a.place
    {%each%}{%.by_t%}            when {%.by_t: .place%} then s.{%.by_t: .name%} - m.{%.by_t: .name%}
    {%!.by_t & .by_clusters%}            when {%!.by_t & .by_clusters: .place%} then s.{%!.by_t & .by_clusters & .metric=mae%}absolute_error{%!.by_t & .by_clusters & .metric=mse/rmse%}squared_error{%!.by_t & .by_clusters%} - e.{%!.by_t & .by_clusters & .metric=mae%}absolute_error{%!.by_t & .by_clusters & .metric=mse/rmse%}squared_error{%!.by_t & .by_clusters%} / nullif(e.used, 0) * s.used
    {%/each%}{%%}        end as deviation
    {%mean=users%}    from rating_metrics as s
        inner join rating_means as m on m.model is not distinct from s.model{%!mean=users%}    from rater_errors as s
        inner join rating_errors as e on e.model is not distinct from s.model{%%}
        cross join asked as a
    ) as d
    group by d.model, d.place
)
== step.jackknives of rating_metrics ==
{%%}-- one row per model, metric and cut-off: the standard error from the values without each group of users, and the number of groups
jackknives as (
    select
        l.model, l.place{%!rating_groups%}, l.k{%%},
        len(l.entries) as groups,
        sqrt(
            list_sum(list_transform(l.entries, lambda e: (e - l.mean) * (e - l.mean)))
            * (len(l.entries) - 1e0) / len(l.entries)
        ) as std_error
    from (
        select l.model, l.place{%!rating_groups%}, l.k{%%}, l.entries, list_sum(l.entries) / len(l.entries) as mean
        from (
            select l.model, l.place{%!rating_groups%}, l.k{%%}, list(l.value order by l.part asc) as entries
            from (
    {%rating_groups%}            select
                    m.model,
                    a.place,
                    m.part,
                    case a.place
                {%each%}{%.by_groups & .shown & rating_groups%}        when {%.by_groups & .shown & rating_groups: .place%} then m.{%.by_groups & .shown & rating_groups: .name%}
                {%/each%}{%rating_groups%}    end as value
                from left_out_metrics as m
                cross join asked as a
                where m.part is not null
    {%%}        ) as l
            where l.value is not null
            group by l.model, l.place{%!rating_groups%}, l.k{%%}
        ) as l
    ) as l
)
== step.rating_spreads ==
{%%}-- one row per mean of ratings: its standard error, as the pairs of a user belong together, and the degrees of freedom
rating_spreads as (
    select
        s.model,
        s.place,
        s.value,
        d.raters - 1e0 as df,
        sqrt(d.squares * d.raters / nullif(d.raters - 1e0, 0e0)) / nullif(d.weight, 0){%each%}{%.by_clusters & .metric=rmse%}
        / case when s.place = {%.by_clusters & .metric=rmse: .place%} then nullif(2e0 * s.value, 0e0) else 1e0 end{%/each%}{%%} as std_error,
        d.raters < {%mean=users%}200{%!mean=users%}40{%%} as few
    from rating_summary as s
    inner join deviations as d on d.model is not distinct from s.model and d.place = s.place
    where d.raters > 0
)
== step.group_spreads of rating_metrics ==
{%%}-- one row per value that is no mean: its standard error by the jackknife, the degrees of freedom, and the bounds of the metric
group_spreads as (
    select
        s.model,
        s.place,
    {%!rating_groups%}    s.k,
    {%%}    s.value,
        j.groups - 1e0 as df,
        j.std_error,
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then {%.by_groups & .metric=explained_variance/r2 & .shown%}cast(null as double){%!.metric=explained_variance/r2 & .by_groups & .shown%}0e0{%.by_groups & .shown%}
    {%/each%}{%%}    end as least,
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then {%.by_groups & .shown & .within_bounds%}cast(null as double){%!.within_bounds & .by_groups & .shown%}cast(null as double){%.by_groups & .shown%}
    {%/each%}{%%}    end as most,
        s.users < {%rating_groups%}40{%!rating_groups%}200{%%} as few
    from {%rating_groups%}rating_summary{%!rating_groups%}summary{%%} as s
    left join jackknives as j on j.model is not distinct from s.model and j.place = s.place{%!rating_groups%} and j.k = s.k{%%}
    where
        case s.place
    {%each%}{%.by_groups & .shown%}        when {%.by_groups & .shown: .place%} then true
    {%/each%}{%%}    end
)
== step.spreads of rating_metrics ==
{%%}-- one row per model, metric and cut-off: the standard error, its degrees of freedom, and what the interval is made of
spreads as (
    {%!interval= & any(.by_clusters, .shown) | !interval= & any(.by_t, .shown)%}select
        s.model,
        s.place,
        s.value,
        false as is_scored,
        s.df,
        s.std_error,
        cast(null as double) as effective_users,
        cast(null as double) as least,
        cast(null as double) as most,
        s.few
    from rating_spreads as s{%!interval= & any(.by_clusters, .shown) & grouping | !interval= & any(.by_t, .shown) & grouping%}
    union all
    {%grouping%}select
        s.model,
        s.place,
        s.value,
        false as is_scored,
        s.df,
        s.std_error,
        cast(null as double) as effective_users,
        s.least,
        s.most,
        s.few
    from group_spreads as s{%%}
)
== step.intervals of rating_metrics ==
{%%}-- one row per model, metric and cut-off: the interval, and whether there are too few users to trust it
intervals as (
    select
        s.model,
        s.place,
        case
            when s.penalty > 0e0
                then greatest(
                    (s.value + s.penalty / 2e0 - sqrt(greatest(s.value * (1e0 - s.value), 0e0) * s.penalty + s.penalty * s.penalty / 4e0)) / (1e0 + s.penalty),
                    0e0
                )
            when s.margin is not null and not s.is_scored then greatest(s.value - s.margin, s.least)
        end as low,
        case
            when s.penalty > 0e0
                then least(
                    (s.value + s.penalty / 2e0 + sqrt(greatest(s.value * (1e0 - s.value), 0e0) * s.penalty + s.penalty * s.penalty / 4e0)) / (1e0 + s.penalty),
                    1e0
                )
            when s.margin is not null and not s.is_scored then least(s.value + s.margin, s.most)
        end as high,
        s.std_error,
        s.few
    from (
        select
            p.*,
            q.quantile * nullif(p.std_error, 0e0) as margin,
            case when p.is_scored then q.quantile * q.quantile / nullif(p.effective_users, 0e0) end as penalty
        from spreads as p
        left join quantiles as q on q.df is not distinct from p.df
    ) as s
)
== step.problems of rating_metrics ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%missing=error%}    union all
        select 5 as place, p.message
        from (
            {%missing=error: check.missing%}
        ) as p
    {%%}    union all
        select 6 as place, p.message
        from (
            {%: check.no_pairs%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.pair_ids%}
        ) as p
    {%!ratings=%}    union all
        select 5 as place, p.message
        from (
            {%!ratings=: check.pairs_twice%}
        ) as p
    {%%}    union all
        select 4 as place, p.message
        from (
            {%: check.predictions%}
        ) as p
    {%!ratings=%}    union all
        select 3 as place, p.message
        from (
            {%!ratings=: check.rating_ids%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%!ratings=: check.ratings%}
        ) as p
    {%ratings=%}    union all
        select 4 as place, p.message
        from (
            {%ratings=: check.ratings_beside%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.missing ==
{%%}select
                '{%: name.predictions%}: prediction is NULL for user '
                || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                || '; missing = ''error'' does not allow that' as message
            from given_predictions as p
            where p.prediction is null
            order by p.user_id asc, p.item_id asc
            limit 1
== check.no_pairs ==
{%%}select
                '{%: name.predictions%}: no rating has a prediction; check the ids, and that not every prediction is NULL' as message
            from (select sum(n.pairs) as pairs, count(*) as models from rating_counts as n) as n
            where coalesce(n.pairs, 0) = 0
== check.pair_ids ==
{%%}select
                '{%: name.predictions%}: '
                || coalesce(cast(case when p.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_predictions as p
            where p.user_id is null or p.item_id is null
            order by p.user_id asc, p.item_id asc
            limit 1
== check.pairs_twice ==
{%%}select
                coalesce(cast(t.name as varchar), 'NULL')
                || ': user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ' and item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appear together more than once'
                || coalesce(cast(coalesce(' for model ' || t.model, '') as varchar), 'NULL')
                || '; keep one row per pair to join ratings and predictions' as message
            from (
                select '{%: name.predictions%}' as name, p.model, p.user_id, p.item_id
                from given_predictions as p
                group by p.model, p.user_id, p.item_id
                having count(*) > 1
                union all
                select '{%: name.ratings%}' as name, null as model, t.user_id, t.item_id
                from given_ratings as t
                group by t.user_id, t.item_id
                having count(*) > 1
            ) as t
            order by t.name asc, t.user_id asc, t.item_id asc
            limit 1
== check.predictions ==
{%%}select
                '{%: name.predictions%}: prediction is '
                || coalesce(cast(p.prediction as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                || '; give a number below 1e150, or NULL for no prediction' as message
            from given_predictions as p
            where isnan(p.prediction + 0 * random()) or abs(p.prediction) >= 1e150
            order by p.user_id asc, p.item_id asc
            limit 1
== check.rating_ids ==
{%%}select
                '{%: name.ratings%}: '
                || coalesce(cast(case when t.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_ratings as t
            where t.user_id is null or t.item_id is null
            order by t.user_id asc, t.item_id asc
            limit 1
== check.ratings ==
{%%}select
                '{%: name.ratings%}: rating is '
                || coalesce(cast(t.rating as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; every rating must be a number below 1e150' as message
            from given_ratings as t
            where t.rating is null or isnan(t.rating + 0 * random()) or abs(t.rating) >= 1e150
            order by t.user_id asc, t.item_id asc
            limit 1
== check.ratings_beside ==
{%%}select
                '{%: name.predictions%}: rating is '
                || coalesce(cast(p.rating as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                || '; every rating must be a number below 1e150, here or in the table passed as ratings' as message
            from given_predictions as p
            where p.rating is null or isnan(p.rating + 0 * random()) or abs(p.rating) >= 1e150
            order by p.user_id asc, p.item_id asc
            limit 1
== metric.explained_variance ==
{%%}1 - s.error_variance / nullif(s.rating_variance, 0e0)
== metric.mae ==
{%%}s.absolute_error / nullif(s.pairs, 0)
== metric.mse ==
{%%}s.squared_error / nullif(s.pairs, 0)
== metric.r2 ==
{%%}1 - s.squared_error / nullif(s.pairs * s.rating_variance, 0e0)
== metric.rmse ==
{%%}sqrt(s.squared_error / nullif(s.pairs, 0))
== target.rating_metrics ==
{%%}select s.model, s.metric, s.value, n.pairs, s.users{%!interval=%}, i.low, i.high, i.std_error, i.few{%%}, n.missing, n.unmatched_predictions, n.unmatched_ratings
from rating_summary as s
inner join rating_counts as n on n.model is not distinct from s.model
{%!interval=%}left join intervals as i on i.model is not distinct from s.model and i.place = s.place
{%%}where (select count(error(p.message)) from problems as p) = 0
order by s.model asc nulls first, s.place asc
== step.fingerprints of hits ==
{%%}-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
fingerprints as (
    select
        t.user_id,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
        count(*) as stated
    from (
        select t.user_id, t.item_id
        from given_truth as t
        where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in {%: name.recs%} and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in {%: name.truth%}; cast one of them to the other''s type' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                    cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                ) as i
                where
                    regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
        union all
        select r.user_id, r.item_id
        from given_recs as r
        where false
    ) as t
    group by t.user_id
)
== step.scored of hits ==
{%%}-- one row per scored item, ranked by its score
scored as not materialized (
    {%!ties=best/expected/worst%}select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, {%ties=item_desc%}r.item_id desc{%ties=input%}r.rank asc, r.item_id asc{%!ties=best/expected/worst & !ties=input & !ties=item_desc%}r.item_id asc{%!ties=best/expected/worst%}
        ) as rank
    from {%!ties=best/expected/worst & judged_only=true%}judged_recs{%!candidates= & !judged_only=true & !ties=best/expected/worst%}candidate_recs{%!judged_only=true & !ties=best/expected/worst & !train= & candidates= & seen=drop%}unseen_recs{%!judged_only=true & !ties=best/expected/worst & candidates= & train= | !judged_only=true & !seen=drop & !ties=best/expected/worst & candidates=%}given_recs{%!ties=best/expected/worst%} as r{%!ties=best/expected/worst & any_order%}
    where r.rank_by = 'score'{%ties=best/expected/worst%}select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
        rank() over (partition by r.model, r.user_id order by r.score desc) as rank
    from (
    {%duplicates=first/last & ties=best/expected/worst%}    select r.model, r.user_id, r.item_id, {%duplicates=last & ties=best/expected/worst%}min{%duplicates=first & ties=best/expected/worst%}max{%duplicates=first/last & ties=best/expected/worst%}(r.score) as score
        from {%duplicates=first/last & judged_only=true & ties=best/expected/worst%}judged_recs{%!candidates= & !judged_only=true & duplicates=first/last & ties=best/expected/worst%}candidate_recs{%!judged_only=true & !train= & candidates= & duplicates=first/last & seen=drop & ties=best/expected/worst%}unseen_recs{%!judged_only=true & candidates= & duplicates=first/last & ties=best/expected/worst & train= | !judged_only=true & !seen=drop & candidates= & duplicates=first/last & ties=best/expected/worst%}given_recs{%duplicates=first/last & ties=best/expected/worst%} as r{%any_order & duplicates=first/last & ties=best/expected/worst%}
        where r.rank_by = 'score'{%duplicates=first/last & ties=best/expected/worst%}
        group by r.model, r.user_id, r.item_id{%!duplicates=first/last & ties=best/expected/worst%}    select r.model, r.user_id, r.item_id, r.score
        from {%!duplicates=first/last & judged_only=true & ties=best/expected/worst%}judged_recs{%!candidates= & !duplicates=first/last & !judged_only=true & ties=best/expected/worst%}candidate_recs{%!duplicates=first/last & !judged_only=true & !train= & candidates= & seen=drop & ties=best/expected/worst%}unseen_recs{%!duplicates=first/last & !judged_only=true & candidates= & ties=best/expected/worst & train= | !duplicates=first/last & !judged_only=true & !seen=drop & candidates= & ties=best/expected/worst%}given_recs{%!duplicates=first/last & ties=best/expected/worst%} as r{%!duplicates=first/last & any_order & ties=best/expected/worst%}
        where r.rank_by = 'score'{%ties=best/expected/worst%}
    ) as r{%%}
)
== step.ranked of hits ==
{%%}-- one row per row of recs, with its rank
ranked as not materialized (
    {%!duplicates=first/last & !rank_by=score%}select r.model, r.user_id, r.item_id, r.rank{%!duplicates=first/last & !rank_by=score & ties=best/expected/worst%}, r.rank as last{%!duplicates=first/last & !rank_by=score%}
    from {%!duplicates=first/last & !rank_by=score & judged_only=true%}judged_recs{%!candidates= & !duplicates=first/last & !judged_only=true & !rank_by=score%}candidate_recs{%!duplicates=first/last & !judged_only=true & !rank_by=score & !train= & candidates= & seen=drop%}unseen_recs{%!duplicates=first/last & !judged_only=true & !rank_by=score & candidates= & train= | !duplicates=first/last & !judged_only=true & !rank_by=score & !seen=drop & candidates=%}given_recs{%!duplicates=first/last & !rank_by=score%} as r{%!duplicates=first/last & !rank_by=score & any_order%}
    where r.rank_by = 'rank'{%!duplicates=first/last & !rank_by=rank & !rank_by=score%}
    union all
    {%!duplicates=first/last & !rank_by=rank%}select r.model, r.user_id, r.item_id, r.rank{%!duplicates=first/last & !rank_by=rank & ties=best/expected/worst%}, r.last{%!duplicates=first/last & !rank_by=rank%}
    from scored as r{%duplicates=first/last%}select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank{%duplicates=first/last & ties=best/expected/worst%}, o.last - o.dropped as last{%duplicates=first/last%}
    from (
        select
            c.model,
            c.user_id,
            c.item_id,
            c.rank,
    {%duplicates=first/last & ties=best/expected/worst%}        c.last,
    {%duplicates=first/last%}        c.copy,
            -- rows with the same rank do not come before this one
            count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
            - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
    {%duplicates=first/last & ties=best/expected/worst%}            r.last,
    {%duplicates=first/last%}            row_number() over (
                    partition by r.model, r.user_id, r.item_id
                    order by {%duplicates=last%}-try_cast(r.rank as bigint){%duplicates=first%}r.rank{%duplicates=first/last%} asc
                ) as copy
            from (
                {%!rank_by=score & duplicates=first/last%}select r.model, r.user_id, r.item_id, r.rank{%!rank_by=score & duplicates=first/last & ties=best/expected/worst%}, r.rank as last{%!rank_by=score & duplicates=first/last%}
                from {%!rank_by=score & duplicates=first/last & judged_only=true%}judged_recs{%!candidates= & !judged_only=true & !rank_by=score & duplicates=first/last%}candidate_recs{%!judged_only=true & !rank_by=score & !train= & candidates= & duplicates=first/last & seen=drop%}unseen_recs{%!judged_only=true & !rank_by=score & candidates= & duplicates=first/last & train= | !judged_only=true & !rank_by=score & !seen=drop & candidates= & duplicates=first/last%}given_recs{%!rank_by=score & duplicates=first/last%} as r{%!rank_by=score & any_order & duplicates=first/last%}
                where r.rank_by = 'rank'{%!rank_by=rank & !rank_by=score & duplicates=first/last%}
                union all
                {%!rank_by=rank & duplicates=first/last%}select r.model, r.user_id, r.item_id, r.rank{%!rank_by=rank & duplicates=first/last & ties=best/expected/worst%}, r.last{%!rank_by=rank & duplicates=first/last%}
                from scored as r{%duplicates=first/last%}
            ) as r
        ) as c
    ) as o
    where o.copy = 1{%%}
)
== step.recommended of hits ==
{%%}-- one row per recommended item, up to the largest cut-off
recommended as not materialized (
    select r.model, r.user_id, r.item_id, r.rank{%ties=best/expected/worst%}, r.last{%%}
    from ranked as r{%!duplicates=first/last%}
    where r.rank <= {%!duplicates=first/last: depth%}{%%}
)
== step.folded of hits ==
{%%}-- one row per repeater and relevant item, with its highest relevance
folded as (
    select
        t.user_id,
        t.item_id,
    {%truth_window=k/rank%}    min(t.rank) as rank,
    {%%}    max(t.relevance) as relevance
    from given_truth as t
    inner join repeaters as p on p.user_id = t.user_id
    where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
    group by t.user_id, t.item_id
)
== step.relevant of hits ==
{%%}-- one row per user and relevant item; repeated items count once, with their highest relevance
relevant as not materialized (
    select t.user_id, t.item_id{%truth_window=k/rank%}, t.rank as truth_rank{%%}, {%gain=binary%}1e0{%gain=exp2%}(power(2e0, t.relevance) - 1){%gain=exp2_shifted%}(power(2e0, t.relevance - coalesce({%gain=exp2_shifted & relevance_threshold=%}null{%!relevance_threshold= & gain=exp2_shifted: relevance_threshold%}{%gain=exp2_shifted%}, 0) + 1) - 1){%gain=map%}coalesce({%gain=map: gain of t.relevance%}, error(
            'gain_map: no gain for relevance '
            || coalesce(cast(t.relevance as varchar), 'NULL')
            || ' of user '
            || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
            || ', item '
            || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
            || '; add one'
        )){%!gain=binary & !gain=exp2 & !gain=exp2_shifted & !gain=map%}t.relevance{%%} as gain
    from (
        select t.user_id, t.item_id, t.relevance{%truth_window=k/rank%}, t.rank{%%}
        from given_truth as t
        left join repeaters as p on p.user_id = t.user_id
        where
            not coalesce(p.repeats, false)
            and {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
        union all
        select t.user_id, t.item_id, t.relevance{%truth_window=k/rank%}, t.rank{%%}
        from folded as t
    ) as t
)
== step.found of hits ==
{%%}-- one row per list and relevant item in the list, at its best rank
found as (
    select
        r.model,
        r.user_id,
        r.item_id,
        min(r.rank) as rank,
    {%ties=best/expected/worst%}    min(r.last) as last,
    {%%}    min_by(t.gain, r.rank) as gain,
    {%truth_window=k/rank%}    max(t.truth_rank) as truth_rank,
    {%%}    count(*) as copies
    from possible_hits as r
    inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id, r.item_id{%duplicates=count%}, r.rank{%%}
)
== step.placed of hits ==
{%%}-- one row per list and relevant item in the list; a tied item has its best or worst possible rank
placed as (
    select
        o.model,
        o.user_id,
        o.item_id,
        {%ties=worst%}o.last + 1 - o.place{%!ties=worst%}o.rank - 1 + o.place{%%} as rank,
        o.gain,
        o.copies{%truth_window=k/rank%}, o.truth_rank{%%}
    from (
        select
            f.model,
            f.user_id,
            f.item_id,
            f.rank,
            f.last,
            f.gain,
            f.copies,
    {%truth_window=k/rank%}        f.truth_rank,
    {%%}        row_number() over (partition by f.model, f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
        from found as f
    ) as o
)
== step.tied_hits of hits ==
{%%}-- one row per hit and rank that it has in some order of the tied items: the probability, and the expected values at that rank
tied_hits as (
    select
        o.model,
        o.user_id,
        o.item_id,
        o.gain,
        o.copies,
        o.place,
        o.first - 1 + o.place as rank,
        o.before + 1 + (o.place - 1) * (o.together - 1) / cast(greatest(o.items - 1, 1) as double) as nth,
        1e0 / o.items as probability,
        case
            when o.before = 0
                then
                    coalesce(
                        product((o.items - o.together - o.place + 1e0) / (o.items - o.place + 1)) over (
                            partition by o.model, o.user_id, o.item_id, o.first
                            order by o.place asc
                            rows between unbounded preceding and 1 preceding
                        ),
                        1e0
                    )
                    / (o.items - o.place + 1)
            else 0e0
        end as leads
    from (
        select
            b.model,
            b.user_id,
            b.item_id,
            b.gain,
            b.copies,
            b.rank as first,
            b.last - b.rank + 1 as items,
            b.before,
            b.together,
            i.i - b.rank + 1 as place
        from (
            select
                f.model,
                f.user_id,
                f.item_id,
                f.gain,
                f.copies,
                f.rank,
                f.last,
                rank() over (partition by f.model, f.user_id order by f.rank asc) - 1 as before,
                count(*) over (partition by f.model, f.user_id, f.rank) as together
            from found as f
        ) as b
        inner join (select unnest(range(1, {%duplicates=first/last | uncut%}(select cast(max(f.last) as bigint) from found as f){%!duplicates=first/last & !uncut: depth%}{%%} + 1)) as i) as i on i.i between b.rank and b.last
    ) as o
)
== step.hits of hits ==
{%%}-- one row per hit, numbered in list order
hits as (
    {%ties=expected%}select
        t.model,
        t.user_id,
        t.item_id,
        t.rank,
        t.gain,
        t.copies,
        t.place,
        t.probability,
        t.leads,
        t.nth
    from tied_hits as t{%!ties=expected%}select
        f.model,
        f.user_id,
        f.item_id,
        try_cast(f.rank as bigint) as rank,
    {%!ties=expected & truth_window=k/rank%}    f.truth_rank,
    {%!ties=expected%}    f.gain,
        f.copies,
        row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
    from {%ties=best/worst%}placed{%!ties=best/worst & !ties=expected%}found{%!ties=expected%} as f{%!ties=expected & truth_window=rank%}
    where f.truth_rank <= f.rank{%%}
)
== step.list_ranks of hits ==
{%%}-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
    {%!rank_by=score%}    bit_xor(hash(xor(hash(try_cast({%!rank_by=score & any_order%}case when r.rank_by = 'rank' then r.rank end{%!any_order & !rank_by=score%}r.rank{%!rank_by=score%} as bigint)), hash(now())))) as ranks,
    {%%}    count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
)
== step.problems of hits ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%!candidates=%}    union all
        select 3 as place, p.message
        from (
            {%!candidates=: check.candidate_ids%}
        ) as p
        union all
        select 5 as place, p.message
        from (
            {%!candidates=: check.candidate_truth%}
        ) as p
    {%duplicates=error%}    union all
        select 5 as place, p.message
        from (
            {%duplicates=error: check.duplicates%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.fold_column%}
        ) as p
    {%ties=best/worst%}    union all
        select 6 as place, p.message
        from (
            {%ties=best/worst: check.gains_below_zero%}
        ) as p
    {%!rank_by=rank & ties=input%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank & ties=input: check.input_order%}
        ) as p
    {%ties=best/expected/worst%}    union all
        select 1 as place, p.message
        from (
            {%ties=best/expected/worst: check.no_order%}
        ) as p
    {%!rank_by=score%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=score: check.ranks%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.recs_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.recs_ids%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%: check.relevance%}
        ) as p
    {%!rank_by=score%}    union all
        select 6 as place, p.message
        from (
            {%!rank_by=score: check.same_rank%}
        ) as p
    {%!rank_by=rank%}    union all
        select 4 as place, p.message
        from (
            {%!rank_by=rank: check.scores%}
        ) as p
    {%seen=error & seen_read%}    union all
        select 5 as place, p.message
        from (
            {%seen=error & seen_read: check.seen_items%}
        ) as p
    {%seen_read%}    union all
        select 2 as place, p.message
        from (
            {%seen_read: check.seen_users%}
        ) as p
    {%!rank_by=rank & duplicates=count/hole/set & ties=best/expected/worst%}    union all
        select 5 as place, p.message
        from (
            {%!rank_by=rank & duplicates=count/hole/set & ties=best/expected/worst: check.tied_copies%}
        ) as p
    {%!rank_by=rank & ties=error%}    union all
        select 5 as place, p.message
        from (
            {%!rank_by=rank & ties=error: check.ties%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.truth_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.truth_ids%}
        ) as p
    {%truth_window=k/rank%}    union all
        select 4 as place, p.message
        from (
            {%truth_window=k/rank: check.truth_rank%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.candidate_truth of hits ==
{%%}select
                '{%: name.candidates%}: the relevant item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' of user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ' is not among their candidates; add the truth, as recsql.candidates does' as message
            from given_truth as t
            left join given_candidates as c on c.user_id = t.user_id and c.item_id = t.item_id
            where c.item_id is null and {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
            order by t.user_id asc, t.item_id asc
            limit 1
== check.tied_copies of hits ==
{%%}select
                '{%: name.recs%}: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', which ties = ''{%: ties%}'' with duplicates = ''{%: duplicates%}'' does not support; list it once, or use duplicates = ''first''' as message
            from scored as r
            group by r.model, r.user_id, r.item_id
            having count(*) > {%duplicates=set%}1{%!duplicates=set%}count(distinct r.score){%%}
            order by r.user_id asc, r.item_id asc
            limit 1
== target.hits ==
{%%}select
    o.model,
    o.user_id,
    o.item_id,
    o.rank,
    o.relevance,
    o.gain,
    o.hit,
    o.hits,
    o.hits / cast(o.rank as double) as precision,
    o.discount,
    o.dcg
from (
    select
        r.model,
        r.user_id,
        r.item_id,
        try_cast(r.rank as bigint) as rank,
        j.relevance,
        coalesce(h.gain, 0e0) as gain,
        h.nth is not null as hit,
        count(h.nth) over (partition by r.model, r.user_id order by r.rank asc) as hits,
        {%discount=log2p1%}(1e0 / nullif(log2(r.rank + 1), 0)){%discount=jk2002%}(1e0 / greatest(1e0, log2(r.rank))){%discount=ln1p%}(1e0 / nullif(ln(r.rank + 1), 0)){%discount=geometric%}power(cast({%discount=geometric: discount_p%} as double), r.rank - 1){%!discount=geometric & !discount=jk2002 & !discount=ln1p & !discount=log2p1%}1e0{%%} as discount,
        sum(coalesce(h.gain, 0e0) * {%discount=log2p1%}(1e0 / nullif(log2(r.rank + 1), 0)){%discount=jk2002%}(1e0 / greatest(1e0, log2(r.rank))){%discount=ln1p%}(1e0 / nullif(ln(r.rank + 1), 0)){%discount=geometric%}power(cast({%discount=geometric: discount_p%} as double), r.rank - 1){%!discount=geometric & !discount=jk2002 & !discount=ln1p & !discount=log2p1%}1e0{%%}) over (partition by r.model, r.user_id order by r.rank asc) as dcg
    from recommended as r
    inner join cutoffs as c on c.k >= r.rank
    left join hits_in_force as h
        on h.model is not distinct from r.model and h.user_id = r.user_id and h.item_id = r.item_id and h.rank = r.rank
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
) as o
where (select count(error(p.message)) from problems as p) = 0
== step.judged of ideal ==
{%%}-- one row per user and item of the truth, with its highest relevance
judged as (
    select t.user_id, t.item_id, max(t.relevance) as relevance
    from given_truth as t
    where t.item_id is not null
    group by t.user_id, t.item_id
)
== step.fingerprints of ideal ==
{%%}-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
fingerprints as (
    select
        t.user_id,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
        count(*) as stated
    from (
        select t.user_id, t.item_id
        from given_truth as t
        where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
    ) as t
    group by t.user_id
)
== step.folded of ideal ==
{%%}-- one row per repeater and relevant item, with its highest relevance
folded as (
    select
        t.user_id,
        t.item_id,
    {%truth_window=k/rank%}    min(t.rank) as rank,
    {%%}    max(t.relevance) as relevance
    from given_truth as t
    inner join repeaters as p on p.user_id = t.user_id
    where {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
    group by t.user_id, t.item_id
)
== step.relevant of ideal ==
{%%}-- one row per user and relevant item; repeated items count once, with their highest relevance
relevant as not materialized (
    select t.user_id, t.item_id{%truth_window=k/rank%}, t.rank as truth_rank{%%}, {%gain=binary%}1e0{%gain=exp2%}(power(2e0, t.relevance) - 1){%gain=exp2_shifted%}(power(2e0, t.relevance - coalesce({%gain=exp2_shifted & relevance_threshold=%}null{%!relevance_threshold= & gain=exp2_shifted: relevance_threshold%}{%gain=exp2_shifted%}, 0) + 1) - 1){%gain=map%}coalesce({%gain=map: gain of t.relevance%}, error(
            'gain_map: no gain for relevance '
            || coalesce(cast(t.relevance as varchar), 'NULL')
            || ' of user '
            || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
            || ', item '
            || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
            || '; add one'
        )){%!gain=binary & !gain=exp2 & !gain=exp2_shifted & !gain=map%}t.relevance{%%} as gain
    from (
        select t.user_id, t.item_id, t.relevance{%truth_window=k/rank%}, t.rank{%%}
        from given_truth as t
        left join repeaters as p on p.user_id = t.user_id
        where
            not coalesce(p.repeats, false)
            and {%relevant=present%}true{%!relevant=present & relevance_threshold=%}t.relevance > 0{%!relevance_threshold= & !relevant=present%}t.relevance >= {%!relevance_threshold= & !relevant=present: relevance_threshold%}{%%}
        union all
        select t.user_id, t.item_id, t.relevance{%truth_window=k/rank%}, t.rank{%%}
        from folded as t
    ) as t
)
== step.problems of ideal ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%!ideal=truth | !truth_window=all%}    union all
        select 2 as place, p.message
        from (
            {%!ideal=truth | !truth_window=all: check.ideal%}
        ) as p
    {%%}    union all
        select 4 as place, p.message
        from (
            {%: check.relevance%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%: check.truth_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.truth_ids%}
        ) as p
    {%truth_window=k/rank | ideal=truth_as_given%}    union all
        select 4 as place, p.message
        from (
            {%truth_window=k/rank | ideal=truth_as_given: check.truth_rank%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.ideal ==
{%!ideal=truth%}select 'ideal: ideal supports only ideal = ''truth'', not ''{%!ideal=truth: ideal%}''' as message{%ideal=truth%}select 'truth_window: ideal supports only truth_window = ''all'', not ''{%ideal=truth: truth_window%}''' as message
== target.ideal ==
{%%}select
    o.user_id,
    o.item_id,
    o.rank,
    o.relevance,
    o.gain,
    {%discount=log2p1%}(1e0 / nullif(log2(o.rank + 1), 0)){%discount=jk2002%}(1e0 / greatest(1e0, log2(o.rank))){%discount=ln1p%}(1e0 / nullif(ln(o.rank + 1), 0)){%discount=geometric%}power(cast({%discount=geometric: discount_p%} as double), o.rank - 1){%!discount=geometric & !discount=jk2002 & !discount=ln1p & !discount=log2p1%}1e0{%%} as discount,
    sum(o.gain * {%discount=log2p1%}(1e0 / nullif(log2(o.rank + 1), 0)){%discount=jk2002%}(1e0 / greatest(1e0, log2(o.rank))){%discount=ln1p%}(1e0 / nullif(ln(o.rank + 1), 0)){%discount=geometric%}power(cast({%discount=geometric: discount_p%} as double), o.rank - 1){%!discount=geometric & !discount=jk2002 & !discount=ln1p & !discount=log2p1%}1e0{%%}) over (partition by o.user_id order by o.rank asc) as idcg
from (
    select
        t.user_id,
        t.item_id,
        j.relevance,
        t.gain,
        row_number() over (partition by t.user_id order by t.gain desc, t.item_id asc) as rank
    from relevant as t
    inner join judged as j on j.user_id = t.user_id and j.item_id = t.item_id
) as o
inner join cutoffs as c on c.k >= o.rank
where (select count(error(p.message)) from problems as p) = 0
== step.given_interactions ==
{%%}-- one row per interaction, with all columns
given_interactions as not materialized (
    {%by_row%}select
        t.*,
        row_number() over () as row_place
    from (
        from query_table('{%by_row: source.interactions%}')
    ) as t{%!by_row%}from query_table('{%!by_row: source.interactions%}'){%%}
)
== step.core_pairs ==
{%%}-- one row per user and item in the core, where each user has enough items and each item enough users
core_pairs as (
    with recursive rounds as (
        select
            1 as round,
            p.user_id,
            p.item_id,
            count(*) over (partition by p.user_id) as items,
            count(*) over (partition by p.item_id) as users
        from (
            select distinct t.user_id as user_id, t.item_id as item_id
            from given_interactions as t
        ) as p
        union all
        select
            r.round + 1 as round,
            r.user_id,
            r.item_id,
            count(*) over (partition by r.user_id) as items,
            count(*) over (partition by r.item_id) as users
        from (
            select a.*, min(least(a.items, a.users)) over () as fewest
            from rounds as a
        ) as r
        where r.fewest < {%: core%} and r.items >= {%: core%} and r.users >= {%: core%}
    )

    select l.user_id, l.item_id
    from rounds as l
    where
        l.round = (select max(m.round) from rounds as m)
        and l.items >= {%: core%}
        and l.users >= {%: core%}
)
== step.kept_interactions ==
{%%}-- one row per interaction of the users and items that have enough
kept_interactions as (
    select t.*
    from given_interactions as t{%!core=%}
    inner join core_pairs as p on p.user_id = t.user_id and p.item_id = t.item_id{%!user_min=%}
    inner join (
        select t.user_id as user_id
        from given_interactions as t
        group by t.user_id
        having count(distinct t.item_id) >= {%!user_min=: user_min%}
    ) as u on u.user_id = t.user_id{%!item_min=%}
    inner join (
        select t.item_id as item_id
        from given_interactions as t
        group by t.item_id
        having count(distinct t.user_id) >= {%!item_min=: item_min%}
    ) as i on i.item_id = t.item_id{%%}
)
== step.cuts ==
{%%}-- one row per fold, or one in all: the end of its train
cuts as (
    {%protocol=k_fold%}select n.i as fold
    from (select unnest(range(1, {%!folds= & protocol=k_fold: folds%}{%folds= & protocol=k_fold%}5{%protocol=k_fold%} + 1)) as i) as n{%protocol=backtest%}select
        c.fold,
        c.cut
    from (
        select
            n.i as fold,
            {%!cut= & protocol=backtest: cut%}{%cut= & protocol=backtest%}null{%protocol=backtest%} + (n.i - 1) * {%!step= & protocol=backtest: step%}{%!split__window= & protocol=backtest & step=: split__window%}{%protocol=backtest & split__window= & step=%}null{%protocol=backtest%} as cut
        from (select unnest(range(1, {%!folds= & protocol=backtest: folds%}{%folds= & protocol=backtest%}1000{%protocol=backtest%} + 1)) as i) as n
    ) as c{%folds= & protocol=backtest%}
    where {%!gap= & folds= & protocol=backtest%}c.cut + {%!gap= & folds= & protocol=backtest: gap%}{%folds= & gap= & protocol=backtest%}c.cut{%folds= & protocol=backtest%} + {%!split__window= & folds= & protocol=backtest: split__window%}{%folds= & protocol=backtest & split__window=%}null{%folds= & protocol=backtest%} <= (
        select max(t.{%folds= & protocol=backtest: order_by as name%})
        from {%folds= & limited & protocol=backtest%}kept_interactions{%!limited & folds= & protocol=backtest%}given_interactions{%folds= & protocol=backtest%} as t
    ){%!cut= & !protocol=backtest & !protocol=k_fold%}select {%!cut= & !protocol=backtest & !protocol=k_fold: cut%} as cut{%!protocol=backtest & !protocol=k_fold & cut=%}select (
        select min(d.place)
        from (
            select
                a.place,
                sum(count(*)) over (order by a.place desc) as later,
                sum(count(*)) over () as interactions
            from (
                select t.{%!protocol=backtest & !protocol=k_fold & cut=: order_by as name%} as place
                from {%!protocol=backtest & !protocol=k_fold & cut= & limited%}kept_interactions{%!limited & !protocol=backtest & !protocol=k_fold & cut=%}given_interactions{%!protocol=backtest & !protocol=k_fold & cut=%} as t
            ) as a
            group by a.place
        ) as d
        where d.later <= cast({%!fraction= & !protocol=backtest & !protocol=k_fold & cut=: fraction%}{%!protocol=backtest & !protocol=k_fold & cut= & fraction=%}null{%!protocol=backtest & !protocol=k_fold & cut=%} as decimal(10, 9)) * d.interactions
    ) as cut{%%}
)
== step.parted ==
{%%}-- one row per interaction, in each fold, with its part
parted as (
    select
        t.*,
    {%in_folds%}    c.fold,
    {%%}    {%timed%}case
        {%!train_window= & timed%}    when t.{%!train_window= & timed: order_by as name%} < c.cut and t.{%!train_window= & timed: order_by as name%} >= c.cut - {%!train_window= & timed: train_window%} then 'train'{%timed & train_window=%}    when t.{%timed & train_window=: order_by as name%} < c.cut then 'train'{%timed%}
        {%!split__window= & timed%}    when t.{%!split__window= & timed: order_by as name%} >= {%!gap= & !split__window= & timed%}c.cut + {%!gap= & !split__window= & timed: gap%}{%!split__window= & gap= & timed%}c.cut{%!split__window= & timed%} and t.{%!split__window= & timed: order_by as name%} < {%!gap= & !split__window= & timed%}c.cut + {%!gap= & !split__window= & timed: gap%}{%!split__window= & gap= & timed%}c.cut{%!split__window= & timed%} + {%!split__window= & timed: split__window%} then 'truth'{%split__window= & timed%}    when t.{%split__window= & timed: order_by as name%} >= {%!gap= & split__window= & timed%}c.cut + {%!gap= & split__window= & timed: gap%}{%gap= & split__window= & timed%}c.cut{%split__window= & timed%} then 'truth'{%timed%}
            else 'unused'
        end{%!timed & protocol=k_fold%}case
            when cast('0x' || substr(md5({%!timed & per=user & protocol=k_fold%}cast(t.user_id as varchar) || ':' || cast({%!timed & per=user & protocol=k_fold: seed%} as varchar){%!per=user & !timed & protocol=k_fold%}cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!per=user & !timed & protocol=k_fold: seed%} as varchar){%!timed & protocol=k_fold%}), 1, 8) as bigint) * {%!folds= & !timed & protocol=k_fold: folds%}{%!timed & folds= & protocol=k_fold%}5{%!timed & protocol=k_fold%} >> 32 = c.fold - 1 then 'truth'
            else 'train'
        end{%!timed & protocol=random & split__exact=false%}case
            when cast('0x' || substr(md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!timed & protocol=random & split__exact=false: seed%} as varchar)), 1, 8) as bigint) < {%!fraction= & !timed & protocol=random & split__exact=false: fraction%}{%!timed & fraction= & protocol=random & split__exact=false%}2e-1{%!timed & protocol=random & split__exact=false%} * 4294967296 then 'truth'
            else 'train'
        end{%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}case
        {%!timed & protocol=users%}    when cast('0x' || substr(md5(cast(t.user_id as varchar) || ':' || cast({%!timed & protocol=users: seed%} as varchar)), 1, 8) as bigint) >= {%!fraction= & !timed & protocol=users: fraction%}{%!timed & fraction= & protocol=users%}2e-1{%!timed & protocol=users%} * 4294967296 then 'train'
        {%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}    when
        {%!protocol=k_fold & !protocol=random & !timed & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & split__ties=together%}        count(*) over (partition by t.user_id order by {%!protocol=k_fold & !protocol=random & !timed & order_by=hash & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & order_by=hash & split__ties=together | !split__exact=false & !timed & protocol=random & split__ties=together%}md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!protocol=k_fold & !protocol=random & !timed & order_by=hash & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & order_by=hash & split__ties=together | !split__exact=false & !timed & protocol=random & split__ties=together: seed%} as varchar)){%!order_by=hash & !protocol=k_fold & !protocol=random & !timed & split__ties=together%}t.{%!order_by=hash & !protocol=k_fold & !protocol=random & !timed & split__ties=together: order_by as name%}{%!protocol=k_fold & !protocol=random & !timed & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & split__ties=together%} {%!split__exact=false & !timed & protocol=random & split__ties=together%}asc{%!protocol=k_fold & !protocol=random & !timed & split__ties=together%}desc{%!protocol=k_fold & !protocol=random & !timed & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & split__ties=together%}){%!protocol=k_fold & !protocol=random & !split__ties=together & !timed | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%}        row_number() over (
                    partition by t.user_id
        {%!protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & by_row%}            order by {%!protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row & order_by=hash | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & by_row & order_by=hash | !split__exact=false & !split__ties=together & !timed & by_row & protocol=random%}md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row & order_by=hash | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & by_row & order_by=hash | !split__exact=false & !split__ties=together & !timed & by_row & protocol=random: seed%} as varchar)){%!order_by=hash & !protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row%}t.{%!order_by=hash & !protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row: order_by as name%}{%!protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & by_row%} desc, t.row_place {%!protocol=k_fold & !protocol=random & !timed & by_row & split__ties=row_last | !protocol=k_fold & !split__exact=false & !timed & by_row & split__ties=row_last%}desc{%!protocol=k_fold & !protocol=random & !split__ties=row_last & !split__ties=together & !timed & by_row | !protocol=k_fold & !split__exact=false & !split__ties=row_last & !split__ties=together & !timed & by_row%}asc{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%}            order by {%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed & order_by=hash | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & order_by=hash | !by_row & !split__exact=false & !split__ties=together & !timed & protocol=random%}md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed & order_by=hash | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & order_by=hash | !by_row & !split__exact=false & !split__ties=together & !timed & protocol=random: seed%} as varchar)){%!by_row & !order_by=hash & !protocol=k_fold & !protocol=random & !split__ties=together & !timed%}t.{%!by_row & !order_by=hash & !protocol=k_fold & !protocol=random & !split__ties=together & !timed: order_by as name%}{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%} {%!by_row & !split__exact=false & !split__ties=together & !timed & protocol=random%}asc{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed%}desc{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%}, t.item_id {%!by_row & !split__exact=false & !split__ties=together & !timed & protocol=random%}asc{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed%}desc{%!protocol=k_fold & !protocol=random & !split__ties=together & !timed | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%}
                ){%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}
                <= {%!timed & protocol=leave_one_out & single=truth%}1{%!timed & protocol=last_n & single=truth: split__n%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}count(*) over (partition by t.user_id) - (floor(count(*) over (partition by t.user_id) * (1 - {%!timed & protocol=users & rounding=train_nearest_even & single=truth%}(1 - cast({%!timed & protocol=users & rounding=train_nearest_even & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=train_nearest_even & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}) + cast(5e-1 as decimal(2, 1))) - case when count(*) over (partition by t.user_id) * (1 - {%!timed & protocol=users & rounding=train_nearest_even & single=truth%}(1 - cast({%!timed & protocol=users & rounding=train_nearest_even & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=train_nearest_even & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}) % 2 = cast(5e-1 as decimal(2, 1)) then 1 else 0 end){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=ceil & single=truth%}ceil(count(*) over (partition by t.user_id) * {%!timed & protocol=users & rounding=ceil & single=truth%}(1 - cast({%!timed & protocol=users & rounding=ceil & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=ceil & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=ceil & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=ceil & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=ceil & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=ceil & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=ceil & single=truth%}){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=floor & single=truth%}floor(count(*) over (partition by t.user_id) * {%!timed & protocol=users & rounding=floor & single=truth%}(1 - cast({%!timed & protocol=users & rounding=floor & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=floor & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=floor & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=floor & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=floor & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=floor & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=floor & single=truth%}){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=nearest & single=truth%}floor(count(*) over (partition by t.user_id) * {%!timed & protocol=users & rounding=nearest & single=truth%}(1 - cast({%!timed & protocol=users & rounding=nearest & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=nearest & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=nearest & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=nearest & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=nearest & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=nearest & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=nearest & single=truth%} + cast(5e-1 as decimal(2, 1))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%}(floor(count(*) over (partition by t.user_id) * {%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & protocol=users & single=truth%}(1 - cast({%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & protocol=users & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & fraction= & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & fraction= & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%} + cast(5e-1 as decimal(2, 1))) - case when count(*) over (partition by t.user_id) * {%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & protocol=users & single=truth%}(1 - cast({%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & protocol=users & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & fraction= & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & fraction= & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%} % 2 = cast(5e-1 as decimal(2, 1)) then 1 else 0 end){%!protocol=k_fold & !protocol=random & !single=truth & !timed | !protocol=k_fold & !single=truth & !split__exact=false & !timed%}least({%!single=truth & !timed & protocol=leave_one_out%}1{%!single=truth & !timed & protocol=last_n: split__n%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}count(*) over (partition by t.user_id) - (floor(count(*) over (partition by t.user_id) * (1 - {%!single=truth & !timed & protocol=users & rounding=train_nearest_even%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=train_nearest_even: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=train_nearest_even%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}) + cast(5e-1 as decimal(2, 1))) - case when count(*) over (partition by t.user_id) * (1 - {%!single=truth & !timed & protocol=users & rounding=train_nearest_even%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=train_nearest_even: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=train_nearest_even%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}) % 2 = cast(5e-1 as decimal(2, 1)) then 1 else 0 end){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=ceil%}ceil(count(*) over (partition by t.user_id) * {%!single=truth & !timed & protocol=users & rounding=ceil%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=ceil: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=ceil%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=ceil | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=ceil: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=ceil%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=ceil%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=ceil%}){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=floor%}floor(count(*) over (partition by t.user_id) * {%!single=truth & !timed & protocol=users & rounding=floor%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=floor: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=floor%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=floor | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=floor: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=floor%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=floor%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=floor%}){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=nearest%}floor(count(*) over (partition by t.user_id) * {%!single=truth & !timed & protocol=users & rounding=nearest%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=nearest: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=nearest%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=nearest | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=nearest: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=nearest%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=nearest%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=nearest%} + cast(5e-1 as decimal(2, 1))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%}(floor(count(*) over (partition by t.user_id) * {%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & protocol=users%}(1 - cast({%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & protocol=users: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & fraction= | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed & fraction=%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%} + cast(5e-1 as decimal(2, 1))) - case when count(*) over (partition by t.user_id) * {%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & protocol=users%}(1 - cast({%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & protocol=users: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & fraction= | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed & fraction=%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%} % 2 = cast(5e-1 as decimal(2, 1)) then 1 else 0 end){%!protocol=k_fold & !protocol=random & !single=truth & !timed | !protocol=k_fold & !single=truth & !split__exact=false & !timed%}, count(*) over (partition by t.user_id) - 1){%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}
                then 'truth'
            else {%!timed & protocol=users%}'fold_in'{%!protocol=k_fold & !protocol=random & !protocol=users & !timed | !protocol=k_fold & !protocol=users & !split__exact=false & !timed%}'train'{%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}
        end{%%} as part
    from {%limited%}kept_interactions{%!limited%}given_interactions{%%} as t{%timed | in_folds%}
    cross join cuts as c{%%}
)
== step.validation_cuts ==
{%%}-- one row: the end of train where train is split once more
validation_cuts as (
    {%!cut=%}select c.cut{%!cut= & !gap=%} - {%!cut= & !gap=: gap%}{%!cut=%} - {%!cut= & !split__window=: split__window%}{%!cut= & split__window=%}null{%!cut=%} as cut
    from cuts as c{%cut=%}select (
        select min(d.place)
        from (
            select
                a.place,
                sum(count(*)) over (order by a.place desc) as later,
                sum(count(*)) over () as interactions
            from (
                select t.{%cut=: order_by as name%} as place
                from parted as t
                where t.part = 'train'
            ) as a
            group by a.place
        ) as d
        where d.later <= cast({%!fraction= & cut=: fraction%}{%cut= & fraction=%}null{%cut=%} as decimal(10, 9)) * d.interactions
    ) as cut{%%}
)
== step.validated ==
{%%}-- one row per interaction; train is split once more, into train and validation
validated as (
    select
        t.* exclude (part),
        case
            when t.part = 'train' then {%timed%}case
            {%!train_window= & timed%}    when t.{%!train_window= & timed: order_by as name%} < c.cut and t.{%!train_window= & timed: order_by as name%} >= c.cut - {%!train_window= & timed: train_window%} then 'train'{%timed & train_window=%}    when t.{%timed & train_window=: order_by as name%} < c.cut then 'train'{%timed%}
            {%!split__window= & timed%}    when t.{%!split__window= & timed: order_by as name%} >= {%!gap= & !split__window= & timed%}c.cut + {%!gap= & !split__window= & timed: gap%}{%!split__window= & gap= & timed%}c.cut{%!split__window= & timed%} and t.{%!split__window= & timed: order_by as name%} < {%!gap= & !split__window= & timed%}c.cut + {%!gap= & !split__window= & timed: gap%}{%!split__window= & gap= & timed%}c.cut{%!split__window= & timed%} + {%!split__window= & timed: split__window%} then 'validation'{%split__window= & timed%}    when t.{%split__window= & timed: order_by as name%} >= {%!gap= & split__window= & timed%}c.cut + {%!gap= & split__window= & timed: gap%}{%gap= & split__window= & timed%}c.cut{%split__window= & timed%} then 'validation'{%timed%}
                else 'unused'
            end{%!timed & protocol=k_fold%}case
                when cast('0x' || substr(md5({%!timed & per=user & protocol=k_fold%}cast(t.user_id as varchar) || ':' || cast({%!timed & per=user & protocol=k_fold: seed%} as varchar){%!per=user & !timed & protocol=k_fold%}cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!per=user & !timed & protocol=k_fold: seed%} as varchar){%!timed & protocol=k_fold%}), 1, 8) as bigint) * {%!folds= & !timed & protocol=k_fold: folds%}{%!timed & folds= & protocol=k_fold%}5{%!timed & protocol=k_fold%} >> 32 = c.fold - 1 then 'validation'
                else 'train'
            end{%!timed & protocol=random & split__exact=false%}case
                when cast('0x' || substr(md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!timed & protocol=random & split__exact=false: seed%} as varchar) || ':again'), 1, 8) as bigint) < {%!fraction= & !timed & protocol=random & split__exact=false: fraction%}{%!timed & fraction= & protocol=random & split__exact=false%}2e-1{%!timed & protocol=random & split__exact=false%} * 4294967296 then 'validation'
                else 'train'
            end{%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}case
            {%!timed & protocol=users%}    when cast('0x' || substr(md5(cast(t.user_id as varchar) || ':' || cast({%!timed & protocol=users: seed%} as varchar)), 1, 8) as bigint) >= {%!fraction= & !timed & protocol=users: fraction%}{%!timed & fraction= & protocol=users%}2e-1{%!timed & protocol=users%} * 4294967296 then 'train'
            {%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}    when
            {%!protocol=k_fold & !protocol=random & !timed & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & split__ties=together%}        count(*) over (partition by t.user_id, t.part order by {%!protocol=k_fold & !protocol=random & !timed & order_by=hash & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & order_by=hash & split__ties=together | !split__exact=false & !timed & protocol=random & split__ties=together%}md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!protocol=k_fold & !protocol=random & !timed & order_by=hash & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & order_by=hash & split__ties=together | !split__exact=false & !timed & protocol=random & split__ties=together: seed%} as varchar)){%!order_by=hash & !protocol=k_fold & !protocol=random & !timed & split__ties=together%}t.{%!order_by=hash & !protocol=k_fold & !protocol=random & !timed & split__ties=together: order_by as name%}{%!protocol=k_fold & !protocol=random & !timed & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & split__ties=together%} {%!split__exact=false & !timed & protocol=random & split__ties=together%}asc{%!protocol=k_fold & !protocol=random & !timed & split__ties=together%}desc{%!protocol=k_fold & !protocol=random & !timed & split__ties=together | !protocol=k_fold & !split__exact=false & !timed & split__ties=together%}){%!protocol=k_fold & !protocol=random & !split__ties=together & !timed | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%}        row_number() over (
                        partition by t.user_id, t.part
            {%!protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & by_row%}            order by {%!protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row & order_by=hash | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & by_row & order_by=hash | !split__exact=false & !split__ties=together & !timed & by_row & protocol=random%}md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row & order_by=hash | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & by_row & order_by=hash | !split__exact=false & !split__ties=together & !timed & by_row & protocol=random: seed%} as varchar)){%!order_by=hash & !protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row%}t.{%!order_by=hash & !protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row: order_by as name%}{%!protocol=k_fold & !protocol=random & !split__ties=together & !timed & by_row | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & by_row%} desc, t.row_place {%!protocol=k_fold & !protocol=random & !timed & by_row & split__ties=row_last | !protocol=k_fold & !split__exact=false & !timed & by_row & split__ties=row_last%}desc{%!protocol=k_fold & !protocol=random & !split__ties=row_last & !split__ties=together & !timed & by_row | !protocol=k_fold & !split__exact=false & !split__ties=row_last & !split__ties=together & !timed & by_row%}asc{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%}            order by {%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed & order_by=hash | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & order_by=hash | !by_row & !split__exact=false & !split__ties=together & !timed & protocol=random%}md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed & order_by=hash | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed & order_by=hash | !by_row & !split__exact=false & !split__ties=together & !timed & protocol=random: seed%} as varchar)){%!by_row & !order_by=hash & !protocol=k_fold & !protocol=random & !split__ties=together & !timed%}t.{%!by_row & !order_by=hash & !protocol=k_fold & !protocol=random & !split__ties=together & !timed: order_by as name%}{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%} {%!by_row & !split__exact=false & !split__ties=together & !timed & protocol=random%}asc{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed%}desc{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed | !by_row & !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%}, t.item_id {%!by_row & !split__exact=false & !split__ties=together & !timed & protocol=random%}asc{%!by_row & !protocol=k_fold & !protocol=random & !split__ties=together & !timed%}desc{%!protocol=k_fold & !protocol=random & !split__ties=together & !timed | !protocol=k_fold & !split__exact=false & !split__ties=together & !timed%}
                    ){%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}
                    <= {%!timed & protocol=leave_one_out & single=truth%}1{%!timed & protocol=last_n & single=truth: split__n%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}count(*) over (partition by t.user_id, t.part) - (floor(count(*) over (partition by t.user_id, t.part) * (1 - {%!timed & protocol=users & rounding=train_nearest_even & single=truth%}(1 - cast({%!timed & protocol=users & rounding=train_nearest_even & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=train_nearest_even & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}) + cast(5e-1 as decimal(2, 1))) - case when count(*) over (partition by t.user_id, t.part) * (1 - {%!timed & protocol=users & rounding=train_nearest_even & single=truth%}(1 - cast({%!timed & protocol=users & rounding=train_nearest_even & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=train_nearest_even & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=train_nearest_even & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=train_nearest_even & single=truth%}) % 2 = cast(5e-1 as decimal(2, 1)) then 1 else 0 end){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=ceil & single=truth%}ceil(count(*) over (partition by t.user_id, t.part) * {%!timed & protocol=users & rounding=ceil & single=truth%}(1 - cast({%!timed & protocol=users & rounding=ceil & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=ceil & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=ceil & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=ceil & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=ceil & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=ceil & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=ceil & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=ceil & single=truth%}){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=floor & single=truth%}floor(count(*) over (partition by t.user_id, t.part) * {%!timed & protocol=users & rounding=floor & single=truth%}(1 - cast({%!timed & protocol=users & rounding=floor & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=floor & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=floor & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=floor & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=floor & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=floor & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=floor & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=floor & single=truth%}){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=nearest & single=truth%}floor(count(*) over (partition by t.user_id, t.part) * {%!timed & protocol=users & rounding=nearest & single=truth%}(1 - cast({%!timed & protocol=users & rounding=nearest & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=nearest & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=nearest & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=nearest & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & fraction= & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & fraction= & rounding=nearest & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !timed & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !split__exact=false & !timed & rounding=nearest & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !timed & rounding=nearest & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !split__exact=false & !timed & rounding=nearest & single=truth%} + cast(5e-1 as decimal(2, 1))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%}(floor(count(*) over (partition by t.user_id, t.part) * {%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & protocol=users & single=truth%}(1 - cast({%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & protocol=users & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & fraction= & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & fraction= & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%} + cast(5e-1 as decimal(2, 1))) - case when count(*) over (partition by t.user_id, t.part) * {%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & protocol=users & single=truth%}(1 - cast({%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & protocol=users & single=truth: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & fraction= & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & fraction= & single=truth%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !timed & single=truth | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !split__exact=false & !timed & single=truth%} % 2 = cast(5e-1 as decimal(2, 1)) then 1 else 0 end){%!protocol=k_fold & !protocol=random & !single=truth & !timed | !protocol=k_fold & !single=truth & !split__exact=false & !timed%}least({%!single=truth & !timed & protocol=leave_one_out%}1{%!single=truth & !timed & protocol=last_n: split__n%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}count(*) over (partition by t.user_id, t.part) - (floor(count(*) over (partition by t.user_id, t.part) * (1 - {%!single=truth & !timed & protocol=users & rounding=train_nearest_even%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=train_nearest_even: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=train_nearest_even%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}) + cast(5e-1 as decimal(2, 1))) - case when count(*) over (partition by t.user_id, t.part) * (1 - {%!single=truth & !timed & protocol=users & rounding=train_nearest_even%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=train_nearest_even: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=train_nearest_even%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=train_nearest_even | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=train_nearest_even%}) % 2 = cast(5e-1 as decimal(2, 1)) then 1 else 0 end){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=ceil%}ceil(count(*) over (partition by t.user_id, t.part) * {%!single=truth & !timed & protocol=users & rounding=ceil%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=ceil: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=ceil%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=ceil | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=ceil: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=ceil%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=ceil%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=ceil | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=ceil%}){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=floor%}floor(count(*) over (partition by t.user_id, t.part) * {%!single=truth & !timed & protocol=users & rounding=floor%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=floor: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=floor%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=floor | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=floor: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=floor%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=floor%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=floor | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=floor%}){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=nearest%}floor(count(*) over (partition by t.user_id, t.part) * {%!single=truth & !timed & protocol=users & rounding=nearest%}(1 - cast({%!single=truth & !timed & protocol=users & rounding=nearest: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=nearest%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=nearest | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=nearest: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & fraction= & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & fraction= & rounding=nearest%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !single=truth & !timed & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !single=truth & !split__exact=false & !timed & rounding=nearest%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !single=truth & !timed & rounding=nearest | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !single=truth & !split__exact=false & !timed & rounding=nearest%} + cast(5e-1 as decimal(2, 1))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%}(floor(count(*) over (partition by t.user_id, t.part) * {%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & protocol=users%}(1 - cast({%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & protocol=users: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & fraction= | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed & fraction=%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%} + cast(5e-1 as decimal(2, 1))) - case when count(*) over (partition by t.user_id, t.part) * {%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & protocol=users%}(1 - cast({%!rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & protocol=users: fold_in%} as decimal(10, 9))){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%}cast({%!fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !fraction= & !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed: fraction%}{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed & fraction= | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed & fraction=%}2e-1{%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=users & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%} as decimal(10, 9)){%!protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !protocol=random & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !timed | !protocol=k_fold & !protocol=last_n & !protocol=leave_one_out & !rounding=ceil & !rounding=floor & !rounding=nearest & !rounding=train_nearest_even & !single=truth & !split__exact=false & !timed%} % 2 = cast(5e-1 as decimal(2, 1)) then 1 else 0 end){%!protocol=k_fold & !protocol=random & !single=truth & !timed | !protocol=k_fold & !single=truth & !split__exact=false & !timed%}, count(*) over (partition by t.user_id, t.part) - 1){%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}
                    then 'validation'
                else {%!timed & protocol=users%}'fold_in'{%!protocol=k_fold & !protocol=random & !protocol=users & !timed | !protocol=k_fold & !protocol=users & !split__exact=false & !timed%}'train'{%!protocol=k_fold & !protocol=random & !timed | !protocol=k_fold & !split__exact=false & !timed%}
            end{%%}
            else t.part
        end as part
    from parted as t{%timed%}
    cross join validation_cuts as c{%%}
)
== step.known ==
{%%}-- one row per interaction; truth that no model can know of, or knows already, is a part of its own
known as (
    select
        t.* exclude (part),
        case
    {%cold_users=drop%}        when t.part in ('truth', 'validation') and u.user_id is null then 'cold_user'
    {%cold_items=drop%}        when t.part in ('truth', 'validation') and i.item_id is null then 'cold_item'
    {%repeats=drop%}        when t.part in ('truth', 'validation') and p.item_id is not null then 'repeat'
    {%%}        else t.part
        end as part
    from {%validation=true%}validated{%!validation=true%}parted{%%} as t{%cold_users=drop%}
    left join (
        select distinct {%cold_users=drop & in_folds%}t.fold, {%cold_users=drop%}t.user_id as user_id
        from {%cold_users=drop & validation=true%}validated{%!validation=true & cold_users=drop%}parted{%cold_users=drop%} as t where t.part in ('train', 'fold_in')
    ) as u on {%cold_users=drop & in_folds%}u.fold = t.fold and {%cold_users=drop%}u.user_id = t.user_id{%cold_items=drop%}
    left join (
        select distinct {%cold_items=drop & in_folds%}t.fold, {%cold_items=drop%}t.item_id as item_id
        from {%cold_items=drop & validation=true%}validated{%!validation=true & cold_items=drop%}parted{%cold_items=drop%} as t where t.part in ('train', 'fold_in')
    ) as i on {%cold_items=drop & in_folds%}i.fold = t.fold and {%cold_items=drop%}i.item_id = t.item_id{%repeats=drop%}
    left join (
        select distinct {%in_folds & repeats=drop%}t.fold, {%repeats=drop%}t.user_id as user_id, t.item_id as item_id
        from {%repeats=drop & validation=true%}validated{%!validation=true & repeats=drop%}parted{%repeats=drop%} as t where t.part in ('train', 'fold_in')
    ) as p on {%in_folds & repeats=drop%}p.fold = t.fold and {%repeats=drop%}p.user_id = t.user_id and p.item_id = t.item_id{%%}
)
== step.targeted ==
{%%}-- one row per interaction; of the truth of each user, one interaction counts
targeted as (
    select
        t.* exclude (part),
        case
            when
                t.part in ('truth', 'validation')
                and row_number() over (
                    partition by {%in_folds%}t.fold, {%%}t.part, t.user_id
                    order by t.{%: order_by as name%} {%split__target=first%}asc{%!split__target=first%}desc{%%}, t.item_id {%split__target=first%}asc{%!split__target=first%}desc{%%}
                ) > 1
                then 'not_target'
            else t.part
        end as part
    from {%dropped%}known{%!dropped & validation=true%}validated{%!dropped & !validation=true%}parted{%%} as t
)
== step.problems of split ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%step.cuts & timed%}    union all
        select 4 as place, p.message
        from (
            {%step.cuts & timed: check.cut_outside%}
        ) as p
    {%drawn%}    union all
        select 2 as place, p.message
        from (
            {%drawn: check.drawn_interactions%}
        ) as p
    {%!protocol=leave_one_out%}    union all
        select 6 as place, p.message
        from (
            {%!protocol=leave_one_out: check.empty_part%}
        ) as p
    {%%}    union all
        select 3 as place, p.message
        from (
            {%: check.interactions%}
        ) as p
    {%cut= & fraction= & timed | cut= & protocol=backtest & timed | !cut= & !fraction= & timed | !fraction= & protocol=backtest & timed%}    union all
        select 1 as place, p.message
        from (
            {%cut= & fraction= & timed | cut= & protocol=backtest & timed | !cut= & !fraction= & timed | !fraction= & protocol=backtest & timed: check.no_cut%}
        ) as p
    {%protocol=backtest & step.cuts%}    union all
        select 4 as place, p.message
        from (
            {%protocol=backtest & step.cuts: check.no_folds%}
        ) as p
    {%!protocol=leave_one_out%}    union all
        select 3 as place, p.message
        from (
            {%!protocol=leave_one_out: check.no_interactions%}
        ) as p
    {%protocol=%}    union all
        select 1 as place, p.message
        from (
            {%protocol=: check.no_protocol%}
        ) as p
    {%protocol=backtest & split__window= | !cut= & split__window= & timed & validation=true%}    union all
        select 1 as place, p.message
        from (
            {%protocol=backtest & split__window= | !cut= & split__window= & timed & validation=true: check.no_window%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.part_column%}
        ) as p
    {%by_row%}    union all
        select 2 as place, p.message
        from (
            {%by_row: check.row_order%}
        ) as p
    {%!order_by=hash & protocol=last_fraction/last_n/leave_one_out/users & split__ties=error%}    union all
        select 5 as place, p.message
        from (
            {%!order_by=hash & protocol=last_fraction/last_n/leave_one_out/users & split__ties=error: check.tied_parts%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.cut_outside ==
{%%}select
                '{%: name.interactions%}: there is no interaction '
                || coalesce(cast(case when a.last < {%!gap=%}c.cut + {%!gap=: gap%}{%gap=%}c.cut{%%} then 'on or after' else 'before' end as varchar), 'NULL')
                || ' '
                || coalesce(cast(case when a.last < {%!gap=%}c.cut + {%!gap=: gap%}{%gap=%}c.cut{%%} then cast({%!gap=%}c.cut + {%!gap=: gap%}{%gap=%}c.cut{%%} as varchar) else cast(c.cut as varchar) end as varchar), 'NULL')
                || '; the '
                || coalesce(cast(case when a.last < {%!gap=%}c.cut + {%!gap=: gap%}{%gap=%}c.cut{%%} then 'last' else 'first' end as varchar), 'NULL')
                || ' is of '
                || coalesce(cast(case when a.last < {%!gap=%}c.cut + {%!gap=: gap%}{%gap=%}c.cut{%%} then cast(a.last as varchar) else cast(a.first as varchar) end as varchar), 'NULL') as message
            from cuts as c
            cross join (
                select min(t.{%: order_by as name%}) as first, max(t.{%: order_by as name%}) as last
                from {%limited%}kept_interactions{%!limited%}given_interactions{%%} as t
            ) as a
            where a.last < {%!gap=%}c.cut + {%!gap=: gap%}{%gap=%}c.cut{%%} or a.first >= c.cut
            order by c.cut asc
            limit 1
== check.drawn_interactions ==
{%%}select
                '{%: name.interactions%}: '
                || coalesce(cast(case when regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is '
                || coalesce(cast(case when regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') then typeof(t.user_id) else typeof(t.item_id) end as varchar), 'NULL')
                || ', which engines convert to text differently; cast it to a whole number or to text, so that every engine draws the same rows' as message
            from given_interactions as t
            where regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') or regexp_matches(typeof(t.item_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$')
            order by t.user_id asc, t.item_id asc
            limit 1
== check.empty_part ==
{%%}select
                '{%: name.interactions%}: protocol = {%: protocol%} leaves no interaction in '
                || coalesce(cast(case when a.train = 0 then 'train' when a.truth = 0 then 'truth' else 'validation' end as varchar), 'NULL')
                || coalesce(cast({%in_folds%}' of fold ' || cast(a.fold as varchar){%!in_folds%}''{%%} as varchar), 'NULL') as message
            from (
                select
            {%in_folds%}        t.fold,
            {%%}        count(case when t.part = 'train' then 1 end) as train,
                    count(case when t.part = 'truth' then 1 end) as truth,
                    count(case when t.part = 'validation' then 1 end) as validation
                from {%!split__target=all%}targeted{%dropped & split__target=all%}known{%!dropped & split__target=all & validation=true%}validated{%!dropped & !validation=true & split__target=all%}parted{%%} as t
            {%in_folds%}    group by t.fold
            {%%}) as a
            where a.train = 0 or a.truth = 0{%validation=true%} or a.validation = 0{%%}
            order by {%in_folds%}a.fold{%!in_folds%}a.train{%%} asc
            limit 1
== check.interactions ==
{%%}select
                '{%: name.interactions%}: '
                || coalesce(cast(case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id' else '{%: order_by as text%}' end as varchar), 'NULL')
                || ' is '
                || coalesce(cast({%!placed%}null{%placed%}case when i.user_id is not null and i.item_id is not null then cast(i.place as varchar) end{%%} as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(i.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(i.item_id as varchar), '^$', ''''''), 'NULL')
                || '; leave such rows out or fill in a value' as message
            from (
                select
                    t.user_id as user_id,
                    t.item_id as item_id{%placed%},
                    t.{%placed: order_by as name%} as place{%%}
                from given_interactions as t
            ) as i
            where
                i.user_id is null
            {%placed%}    or i.place is null
                or (typeof(i.place) in ('DOUBLE', 'FLOAT') and lower(cast(i.place as varchar)) = 'nan')
            {%%}    or i.item_id is null
            order by i.user_id asc, i.item_id asc
            limit 1
== check.no_cut ==
{%%}select
                {%protocol=backtest%}'protocol = backtest needs a cut; fraction is not for it'{%!protocol=backtest%}'protocol = temporal needs either a cut or a fraction'{%%} as message
== check.no_folds ==
{%%}select
                '{%: name.interactions%}: no truth of this cut and window ends by the last interaction, which is of '
                || coalesce(cast(cast(a.last as varchar) as varchar), 'NULL')
                || '; give an earlier cut or a shorter window' as message
            from (
                select max(t.{%: order_by as name%}) as last
                from {%limited%}kept_interactions{%!limited%}given_interactions{%%} as t
            ) as a
            where not exists (select 1 from cuts as c)
== check.no_interactions ==
{%%}select
                '{%: name.interactions%}: '
                || coalesce(cast({%limited%}case when n.given = 0 then 'it has no rows, so there is nothing to split' else 'core, user_min or item_min leaves no interaction; lower it' end{%!limited%}'it has no rows, so there is nothing to split'{%%} as varchar), 'NULL') as message
            from (
                select
            {%limited%}        (select count(*) from kept_interactions as k) as kept,
            {%%}        count(*) as given
                from given_interactions as t
            ) as n
            where n.{%limited%}kept{%!limited%}given{%%} = 0
== check.no_protocol ==
{%%}select
                'protocol: choose one of temporal, backtest, last_n, last_fraction, leave_one_out, random, users, k_fold; temporal is recommended, because no model sees the future' as message
== check.no_window ==
{%%}select
                'window: give the length of '
                || {%protocol=backtest%}'the truth of each fold'{%!protocol=backtest%}'the validation before the cut'{%%}
                || ', such as 7 days' as message
== check.part_column ==
{%%}select
                '{%: name.interactions%}: the column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || ' already exists; rename it, or leave it out' as message
            from (
                select unnest(json_keys(to_json(g))) as name
                from (
                    from query_table('{%: source.interactions%}')
                    limit 1
                ) as g
            ) as c
            where lower(c.name) in ('part'{%in_folds%}, 'fold'{%by_row%}, 'row_place'{%%})
            limit 1
== check.row_order ==
{%%}select
                'ties = ''{%: split__ties%}'' needs the order of the rows, which preserve_insertion_order = false gives up; set it to true, or use ties = ''item''' as message
            where not current_setting('preserve_insertion_order')
== check.tied_parts ==
{%%}select
                '{%: name.interactions%}: user '
                || coalesce(regexp_replace(cast(a.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has interactions of '
                || coalesce(cast(cast(a.place as varchar) as varchar), 'NULL')
                || ' in '
                || coalesce(cast(a.last as varchar), 'NULL')
                || ' and in '
                || coalesce(cast(a.first as varchar), 'NULL')
                || '; ties = ''item'' or ties = ''together'' decides' as message
            from (
                select
                    t.user_id as user_id,
                    t.{%: order_by as name%} as place,
                    min(t.part) as first,
                    max(t.part) as last
                from {%validation=true%}validated{%!validation=true%}parted{%%} as t
                group by t.user_id, t.{%: order_by as name%}
            ) as a
            where a.first <> a.last
            order by a.user_id asc, a.place asc
            limit 1
== target.split ==
{%dropped | !split__target=all%}select
    t.* exclude (part{%by_row & dropped | !split__target=all & by_row%}, row_place{%dropped | !split__target=all%}),
    case when t.part in ('cold_user', 'cold_item', 'repeat', 'not_target') then 'unused' else t.part end as part{%!dropped & split__target=all%}select {%!dropped & by_row & split__target=all%}t.* exclude (row_place){%!by_row & !dropped & split__target=all%}t.*{%%}
from {%!split__target=all%}targeted{%dropped & split__target=all%}known{%!dropped & split__target=all & validation=true%}validated{%!dropped & !validation=true & split__target=all%}parted{%%} as t
where (select count(error(p.message)) from problems as p) = 0
== step.given_interactions of leave_one_out ==
{%%}-- one row per interaction, with all columns
given_interactions as not materialized (
    from query_table('{%: source.interactions%}')
)
== step.parted of leave_one_out ==
{%%}-- one row per interaction, in each fold, with its part
parted as (
    select
        t.*,
        case
            when
                row_number() over (
                    partition by t.user_id
                    order by {%order_by=hash%}md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast({%order_by=hash: seed%} as varchar)){%!order_by=hash%}t.{%!order_by=hash: order_by as name%}{%%} desc, t.item_id desc
                )
                <= {%single=truth%}1{%!single=truth%}least(1, count(*) over (partition by t.user_id) - 1){%%}
                then 'truth'
            else 'train'
        end as part
    from given_interactions as t
)
== step.problems of leave_one_out ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%order_by=hash%}    union all
        select 2 as place, p.message
        from (
            {%order_by=hash: check.drawn_interactions%}
        ) as p
    {%%}    union all
        select 3 as place, p.message
        from (
            {%: check.interactions%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%: check.part_column%}
        ) as p
    ) as p
    having count(*) > 0
)
== check.interactions of leave_one_out ==
{%%}select
                '{%: name.interactions%}: '
                || coalesce(cast(case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id' else '{%: order_by as text%}' end as varchar), 'NULL')
                || ' is '
                || coalesce(cast({%order_by=hash%}null{%!order_by=hash%}case when i.user_id is not null and i.item_id is not null then cast(i.place as varchar) end{%%} as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(i.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(i.item_id as varchar), '^$', ''''''), 'NULL')
                || '; leave such rows out or fill in a value' as message
            from (
                select
                    t.user_id as user_id,
                    t.item_id as item_id{%!order_by=hash%},
                    t.{%!order_by=hash: order_by as name%} as place{%%}
                from given_interactions as t
            ) as i
            where
                i.user_id is null
            {%!order_by=hash%}    or i.place is null
                or (typeof(i.place) in ('DOUBLE', 'FLOAT') and lower(cast(i.place as varchar)) = 'nan')
            {%%}    or i.item_id is null
            order by i.user_id asc, i.item_id asc
            limit 1
== check.part_column of leave_one_out ==
{%%}select
                '{%: name.interactions%}: the column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || ' already exists; rename it, or leave it out' as message
            from (
                select unnest(json_keys(to_json(g))) as name
                from (
                    from query_table('{%: source.interactions%}')
                    limit 1
                ) as g
            ) as c
            where lower(c.name) in ('part')
            limit 1
== target.split of leave_one_out ==
{%%}select t.*
from parted as t
where (select count(error(p.message)) from problems as p) = 0
== step.given_events ==
{%%}-- one row per event
given_events as not materialized (
    select
        e.user_id,
        e.item_id,
        make_timestamp(epoch_us(e.ts)) as ts,
        cast(e.type as varchar) as type,
        typeof(e.type) <> '"NULL"' as is_typed
    from (
        from query_table('{%: source.events%}')
        union all by name
        select null as type where false
    ) as e
)
== step.given_impressions ==
{%%}-- one row per shown item
given_impressions as not materialized (
    select
        i.model,
        i.user_id,
        i.request_id,
        typeof(i.request_id) <> '"NULL"' as has_request,
        i.item_id,
        make_timestamp(epoch_us(i.ts)) as ts,
        i.rank,
        cast(i.surface as varchar) as surface
    from (
        from query_table('{%: source.impressions%}')
        union all by name
        select null::varchar as model, null as request_id, null as surface
        where false
    ) as i
)
== step.requests ==
{%%}-- one row per request: what a user was shown at one time, by one model and on one surface; numbered
requests as (
    select
        r.model,
        r.user_id,
        r.ts,
        r.surface,
        row_number() over (order by r.user_id asc, r.ts asc, r.model asc nulls first, r.surface asc nulls first) as request_id
    from (
        select distinct i.model, i.user_id, i.ts, i.surface
        from given_impressions as i
    ) as r
)
== step.shown ==
{%%}-- one row per shown item: its request, and whether this is left out because its window is still open
shown as (
    select
        i.model,
        i.user_id,
        coalesce(i.request_id, r.request_id) as request_id,
        i.item_id,
        i.ts,
        cast(i.rank as bigint) as rank,
        i.surface,
        max(i.ts) over (partition by coalesce(i.request_id, r.request_id)) > {%until=%}(select max(e.ts) - interval '{%until=: window as text%}' from given_events as e){%!until=%}cast('{%!until=: until as text%}' as timestamp) - interval '{%!until=: window as text%}'{%%} as is_open
    from given_impressions as i
    inner join requests as r on r.model is not distinct from i.model and r.user_id = i.user_id and r.ts = i.ts and r.surface is not distinct from i.surface
)
== step.touched ==
{%%}-- one row per shown item that its user has an event with, at any time
touched as (
    select s.*
    from shown as s
    where
        exists (
            select 1
            from given_events as e
            where e.user_id = s.user_id and e.item_id = s.item_id
        )
)
== step.attributed ==
{%%}-- one row per event, with the shown item that it goes to; with attribution = all, one for each of these
attributed as (
    select
        e.user_id,
        e.item_id,
        e.ts,
        e.type,
        e.is_typed{%attribution=all%},
        e.event_id{%%},
        s.request_id,
        s.rank,
        s.surface,
        s.is_open,
        coalesce({%attribution=first%}s.ts <= {%attribution=first & tolerance=0 seconds%}e.ts{%!tolerance=0 seconds & attribution=first%}e.ts + interval '{%!tolerance=0 seconds & attribution=first: tolerance as text%}'{%!attribution=first%}s.ts > e.ts - interval '{%!attribution=first: window as text%}'{%%}, false) as is_credited
    from {%attribution=last%}given_events as e
    asof left join touched as s
        on s.user_id = e.user_id and s.item_id = e.item_id and s.ts <= {%attribution=last & tolerance=0 seconds%}e.ts{%!tolerance=0 seconds & attribution=last%}e.ts + interval '{%!tolerance=0 seconds & attribution=last: tolerance as text%}'{%attribution=first%}given_events as e
    asof left join touched as s
        on s.user_id = e.user_id and s.item_id = e.item_id and s.ts > e.ts - interval '{%attribution=first: window as text%}'{%!attribution=first & !attribution=last%}(
        select n.*, row_number() over (order by n.user_id asc, n.item_id asc, n.ts asc, n.type asc) as event_id
        from given_events as n
    ) as e
    left join touched as s on s.user_id = e.user_id and s.item_id = e.item_id and s.ts <= {%!attribution=first & !attribution=last & tolerance=0 seconds%}e.ts{%!attribution=first & !attribution=last & !tolerance=0 seconds%}e.ts + interval '{%!attribution=first & !attribution=last & !tolerance=0 seconds: tolerance as text%}'{%!attribution=first & !attribution=last%} and s.ts > e.ts - interval '{%!attribution=first & !attribution=last: window as text%}'{%%}
)
== step.first_shown ==
{%%}-- one row per user and item with an event: when the item was first shown to the user
first_shown as (
    select s.user_id, s.item_id, min(s.ts) as ts
    from touched as s
    group by s.user_id, s.item_id
)
== step.outcomes ==
{%%}-- one row per event and what becomes of it; with attribution = all, one for each shown item that it goes to
outcomes as (
    {%!impressions=%}select
        a.user_id,
        a.item_id,
        a.ts,
    {%!impressions= & attribution=all%}    a.event_id,
    {%!impressions=%}    a.request_id,
        a.rank,
        case when a.is_typed then coalesce({%!impressions=: gains of a.type and a.surface%}, {%!impressions= & other=%}0e0{%!impressions= & !other=%}cast({%!impressions= & !other=: other%} as double){%!impressions=%}) else 1e0 end as gain,
        case
            when a.is_credited and {%!impressions= & complete=drop%}not a.is_open{%!complete=drop & !impressions=%}true{%!impressions=%} then 'credited'
            when a.is_credited then 'open'
            when f.ts <= {%!impressions= & tolerance=0 seconds%}a.ts{%!impressions= & !tolerance=0 seconds%}a.ts + interval '{%!impressions= & !tolerance=0 seconds: tolerance as text%}'{%!impressions=%} then 'late'
            when f.ts is not null then 'early'
            else 'organic'
        end as outcome
    from attributed as a
    left join first_shown as f on f.user_id = a.user_id and f.item_id = a.item_id and not a.is_credited{%impressions=%}select
        e.user_id,
        e.item_id,
        e.ts,
        case when e.is_typed then coalesce({%impressions=: gains of e.type and e.surface%}, {%impressions= & other=%}0e0{%!other= & impressions=%}cast({%!other= & impressions=: other%} as double){%impressions=%}) else 1e0 end as gain,
        case
            when e.ts < cast('{%impressions=: start as text%}' as timestamp) then 'early'
            when e.ts < cast('{%impressions=: start as text%}' as timestamp) + interval '{%impressions=: window as text%}' then 'credited'
            else 'late'
        end as outcome
    from given_events as e{%%}
)
== step.credited ==
{%%}-- one row per labelled item with an event: its relevance
credited as (
    select
        o.{%by_request%}request_id{%!by_request%}user_id{%%}, o.item_id,
        {%aggregate=max & cap=%}max(o.gain){%aggregate=sum & cap=%}sum(try_cast(1e18 * o.gain as hugeint)) / 1e18{%aggregate=count & cap=%}cast(count(case when o.gain > 0 then 1 end) as double){%!aggregate=count & !aggregate=max & !aggregate=sum & cap=%}max(case when o.ts = o.last_ts then o.gain end){%!cap=%}least({%!cap= & aggregate=max%}max(o.gain){%!cap= & aggregate=sum%}sum(try_cast(1e18 * o.gain as hugeint)) / 1e18{%!cap= & aggregate=count%}cast(count(case when o.gain > 0 then 1 end) as double){%!aggregate=count & !aggregate=max & !aggregate=sum & !cap=%}max(case when o.ts = o.last_ts then o.gain end){%!cap=%}, cast({%!cap=: cap%} as double)){%%} as relevance,
        count(*) as events,
        min(o.ts) as first_ts
    {%aggregate=last%}from (
        select n.*, max(n.ts) over (partition by n.{%aggregate=last & by_request%}request_id{%!by_request & aggregate=last%}user_id{%aggregate=last%}, n.item_id) as last_ts
        from outcomes as n
        where {%aggregate=last & organic=keep%}n.outcome in ('credited', 'early', 'organic'){%!organic=keep & aggregate=last%}n.outcome = 'credited'{%aggregate=last%}
    ) as o{%!aggregate=last%}from outcomes as o
    where {%!aggregate=last & organic=keep%}o.outcome in ('credited', 'early', 'organic'){%!aggregate=last & !organic=keep%}o.outcome = 'credited'{%%}
    group by o.{%by_request%}request_id{%!by_request%}user_id{%%}, o.item_id
)
== step.examined_to ==
{%%}-- one row per request with an event: the lowest rank that has one
examined_to as (
    select o.request_id, max(o.rank) as rank
    from outcomes as o
    where o.outcome = 'credited'
    group by o.request_id
)
== step.labelled ==
{%%}-- one row per labelled item: its relevance, 0 without an event
labelled as (
    {%impressions=%}select
        c.user_id,
        c.item_id,
        row_number() over (partition by c.user_id order by c.first_ts asc, c.item_id asc) as rank,
        c.relevance,
        c.events
    from credited as c
    {%!impressions= & by_request%}select
        s.model,
        s.user_id,
        s.request_id,
        s.item_id,
        s.rank,
        coalesce(c.relevance, 0e0) as relevance,
        coalesce(c.events, 0) as events,
        s.surface
    from shown as s
    {%!impressions= & by_request & examined=to_last_event%}inner join examined_to as x on x.request_id = s.request_id and s.rank <= x.rank
    {%!impressions= & by_request%}left join credited as c on c.request_id = s.request_id and c.item_id = s.item_id
    {%!impressions= & by_request & complete=drop%}where not s.is_open
    {%!by_request & !impressions=%}select
        coalesce(s.user_id, c.user_id) as user_id,
        coalesce(s.item_id, c.item_id) as item_id,
        s.rank,
        coalesce(c.relevance, 0e0) as relevance,
        coalesce(c.events, 0) as events
    from (
        select s.user_id, s.item_id, min(s.rank) as rank
        from shown as s
    {%!by_request & !impressions= & examined=to_last_event%}    inner join examined_to as x on x.request_id = s.request_id and s.rank <= x.rank
    {%!by_request & !impressions= & complete=drop%}    where not s.is_open
    {%!by_request & !impressions=%}    group by s.user_id, s.item_id
    ) as s
    full join credited as c on c.user_id = s.user_id and c.item_id = s.item_id
    {%%}
)
== step.problems of labels ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%!impressions= & complete=drop%}    union all
        select 6 as place, p.message
        from (
            {%!impressions= & complete=drop: check.all_open%}
        ) as p
    {%other=%}    union all
        select 4 as place, p.message
        from (
            {%other=: check.event_types%}
        ) as p
    {%%}    union all
        select 3 as place, p.message
        from (
            {%: check.events%}
        ) as p
    {%!impressions=%}    union all
        select 3 as place, p.message
        from (
            {%!impressions=: check.impressions%}
        ) as p
    {%impressions=%}    union all
        select 6 as place, p.message
        from (
            {%impressions=: check.no_events%}
        ) as p
    {%!impressions=%}    union all
        select 1 as place, p.message
        from (
            {%!impressions=: check.no_impressions%}
        ) as p
    {%%}    union all
        select 1 as place, p.message
        from (
            {%: check.no_log_rows%}
        ) as p
    {%!impressions= & organic=keep%}    union all
        select 3 as place, p.message
        from (
            {%!impressions= & organic=keep: check.organic_surfaces%}
        ) as p
    {%!impressions=%}    union all
        select 5 as place, p.message
        from (
            {%!impressions=: check.request_items%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%!impressions=: check.request_owners%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%!impressions=: check.shown_ranks%}
        ) as p
    {%!attribution=all & !impressions=%}    union all
        select 5 as place, p.message
        from (
            {%!attribution=all & !impressions=: check.shown_twice%}
        ) as p
    {%!impressions=%}    union all
        select 4 as place, p.message
        from (
            {%!impressions=: check.surfaces%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.all_open ==
{%%}select
                '{%: name.impressions%}: the window of each request is still open at '
                || coalesce(cast({%until=%}(select max(e.ts) from given_events as e){%!until=%}cast('{%!until=: until as text%}' as timestamp){%%} as varchar), 'NULL')
                || '; give a shorter window, events up to a later time, or complete = keep' as message
            from (
                select count(case when not s.is_open then 1 end) as closed
                from shown as s
            ) as n
            where n.closed = 0
== check.event_types ==
{%%}select
                '{%: name.events%}: type is '
                || coalesce(cast(e.type as varchar), 'NULL')
                || ' for '
                || coalesce(cast(count(*) as varchar), 'NULL')
                || ' events, and gains does not name it; give it a gain there, or one for all other types with the option other' as message
            from given_events as e
            where e.type not in ({%: types in gains%})
            group by e.type
            order by count(*) desc, e.type asc
            limit 1
== check.events ==
{%%}select
                '{%: name.events%}: '
                || coalesce(cast(case when e.user_id is null then 'user_id' when e.item_id is null then 'item_id' when e.type is null then 'type' else 'ts' end as varchar), 'NULL')
                || ' is NULL for user '
                || coalesce(regexp_replace(cast(e.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(e.item_id as varchar), '^$', ''''''), 'NULL')
                || '; leave such rows out or fill in a value' as message
            from given_events as e
            where e.user_id is null or e.item_id is null or e.ts is null or e.type is null and e.is_typed
            order by e.user_id asc, e.item_id asc
            limit 1
== check.impressions ==
{%%}select
                '{%: name.impressions%}: '
                || coalesce(cast(case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id' when i.request_id is null and i.has_request then 'request_id' when i.ts is null then 'ts' else 'rank' end as varchar), 'NULL')
                || ' is NULL for user '
                || coalesce(regexp_replace(cast(i.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(i.item_id as varchar), '^$', ''''''), 'NULL')
                || '; leave such rows out or fill in a value' as message
            from given_impressions as i
            where i.user_id is null or i.item_id is null or i.ts is null or i.rank is null or i.request_id is null and i.has_request
            order by i.user_id asc, i.item_id asc
            limit 1
== check.no_events ==
{%%}select
                '{%: name.events%}: no event is in the window from '
                || coalesce(cast(cast('{%: start as text%}' as timestamp) as varchar), 'NULL')
                || '; the first is of '
                || coalesce(cast(n.first as varchar), 'NULL')
                || ', and the last of '
                || coalesce(cast(n.last as varchar), 'NULL') as message
            from (
                select
                    min(e.ts) as first,
                    max(e.ts) as last,
                    count(case when e.ts >= cast('{%: start as text%}' as timestamp) and e.ts < cast('{%: start as text%}' as timestamp) + interval '{%: window as text%}' then 1 end) as events
                from given_events as e
            ) as n
            where n.events = 0
== check.no_impressions ==
{%%}select
                '{%: name.impressions%}: it has no rows, so nothing can be labelled; leave it out to label events alone' as message
            from (select count(*) as impressions from given_impressions as i) as n
            where n.impressions = 0
== check.no_log_rows ==
{%%}select
                '{%: name.events%}: it has no rows, so nothing can be labelled; give the events of the window' as message
            from (select count(*) as events from given_events as e) as n
            where n.events = 0
== check.organic_surfaces ==
{%%}select
                'gains: they differ by surface, and with organic = keep there are events of no surface; give one gain per type' as message
            from (select count(*) as impressions from given_impressions as i) as n
            where n.impressions > 0 and {%: gains differ%}
== check.request_items ==
{%%}select
                '{%: name.impressions%}: item '
                || coalesce(regexp_replace(cast(s.item_id as varchar), '^$', ''''''), 'NULL')
                || ' is more than once in request '
                || coalesce(cast(s.request_id as varchar), 'NULL')
                || '; keep one of these rows' as message
            from shown as s
            group by s.request_id, s.item_id
            having count(*) > 1
            order by s.request_id asc, s.item_id asc
            limit 1
== check.request_owners ==
{%%}select
                '{%: name.impressions%}: request '
                || coalesce(cast(r.request_id as varchar), 'NULL')
                || ' has '
                || coalesce(cast(r.several as varchar), 'NULL')
                || '; a request belongs to one user, one model and one surface' as message
            from (
                select i.request_id, case when count(distinct i.user_id) > 1 then cast(count(distinct i.user_id) as varchar) || ' users' when count(distinct i.model) > 1 then cast(count(distinct i.model) as varchar) || ' models' when count(distinct i.surface) > 1 then cast(count(distinct i.surface) as varchar) || ' surfaces' end as several
                from given_impressions as i
                group by i.request_id
            ) as r
            where r.request_id is not null and r.several is not null
            order by r.request_id asc
            limit 1
== check.shown_ranks ==
{%%}select
                '{%: name.impressions%}: rank is '
                || coalesce(cast(i.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(i.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(i.item_id as varchar), '^$', ''''''), 'NULL')
                || '; ranks are whole numbers that start at 1' as message
            from given_impressions as i
            where
                i.rank < 1
                or i.rank >= 1000000000000000000
                or (
                    typeof(i.rank) not like '%INT%'
                    and (cast(i.rank as double) % 1 <> 0 or isnan(cast(i.rank as double) + 0 * random()))
                )
            order by i.user_id asc, i.item_id asc
            limit 1
== check.shown_twice ==
{%%}select
                '{%: name.impressions%}: item '
                || coalesce(regexp_replace(cast(i.item_id as varchar), '^$', ''''''), 'NULL')
                || ' was shown to user '
                || coalesce(regexp_replace(cast(i.user_id as varchar), '^$', ''''''), 'NULL')
                || ' more than once at '
                || coalesce(cast(i.ts as varchar), 'NULL')
                || ', so no single impression comes last before an event; keep one of these rows' as message
            from given_impressions as i
            where
                hash(i.user_id, i.item_id, i.ts) in (
                    select hash(i.user_id, i.item_id, i.ts) as h
                    from given_impressions as i
                    group by hash(i.user_id, i.item_id, i.ts)
                    having count(*) > 1
                )
            group by i.user_id, i.item_id, i.ts
            having count(*) > 1
            order by i.user_id asc, i.item_id asc, i.ts asc
            limit 1
== check.surfaces ==
{%%}select
                '{%: name.impressions%}: surface is '
                || coalesce(cast(i.surface as varchar), 'NULL')
                || ' for '
                || coalesce(cast(count(*) as varchar), 'NULL')
                || ' impressions, and gains does not name it; give its types a gain there' as message
            from given_impressions as i
            where {%: gains lack i.surface%}
            group by i.surface
            order by count(*) desc, i.surface asc
            limit 1
== target.labels ==
{%by_request%}select
    'recs' as part,
    s.model,
    s.user_id,
    s.request_id,
    s.item_id,
    s.rank,
    cast(null as double) as relevance,
    cast(null as bigint) as events,
    s.surface
from shown as s
{%by_request & complete=drop%}where not s.is_open
{%by_request%}union all
{%%}select
    'truth' as part,
    {%by_request%}l.model{%!by_request%}cast(null as varchar) as model{%%},
    l.user_id,
    {%by_request%}l.request_id{%!by_request%}cast(null as bigint) as request_id{%%},
    l.item_id,
    l.rank,
    l.relevance,
    l.events{%by_request%},
    l.surface{%%}
from labelled as l
where (select count(error(p.message)) from problems as p) = 0
== step.given_past ==
{%%}-- one row per row of train
given_past as not materialized (
    select t.user_id, t.item_id
    from query_table('{%: source.past%}') as t
)
== step.popular ==
{%%}-- one row per item of train: its rows, and its place by their number; ties by item id
popular as (
    select t.item_id, count(*) as events, row_number() over (order by count(*) desc, t.item_id asc) as place
    from given_past as t
    group by t.item_id
)
== step.owned ==
{%%}-- one row per user and item of train
owned as (
    select distinct t.user_id, t.item_id
    from given_past as t
)
== step.audience ==
{%%}-- one row per user who gets a list: the number of their items in train
audience as (
    {%users=table%}select a.user_id, count(a.item_id) as items
    from (
        select o.user_id, o.item_id
        from owned as o
        union all
        select g.user_id, null as item_id
        from given_users as g
        where coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%users=table: name.past%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%users=table: name.users%}; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id)] as types from given_past as l limit 1) as l
                cross join (select [typeof(r.user_id)] as types from given_users as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true)
    ) as a
    group by a.user_id{%!users=table%}select o.user_id, count(*) as items
    from owned as o
    group by o.user_id{%%}
)
== step.unowned ==
{%%}-- one row per user and popular item that they lack, ranked by its place
unowned as (
    select
        n.user_id,
        n.item_id,
        row_number() over (partition by n.user_id order by n.place asc) as rank
    from (
        select a.user_id, p.item_id, p.place
        from audience as a
        cross join cutoffs as c
        inner join popular as p on p.place <= c.k + a.items
    ) as n
    left join owned as o on o.user_id = n.user_id and o.item_id = n.item_id
    where o.item_id is null
)
== step.problems of popularity ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%users=table%}    union all
        select 3 as place, p.message
        from (
            {%users=table: check.audience_ids%}
        ) as p
    {%%}    union all
        select 3 as place, p.message
        from (
            {%: check.past_ids%}
        ) as p
    ) as p
    having count(*) > 0
)
== check.audience_ids ==
{%%}select
                '{%: name.users%}: user_id is NULL in a row; leave such rows out or give them an id' as message
            from given_users as g
            where g.user_id is null
            limit 1
== check.past_ids ==
{%%}select
                '{%: name.past%}: '
                || coalesce(cast(case when t.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_past as t
            where t.user_id is null or t.item_id is null
            order by t.user_id asc, t.item_id asc
            limit 1
== target.popularity ==
{%%}select 'popularity' as model, n.user_id, n.item_id, n.rank
from unowned as n
inner join cutoffs as c on c.k >= n.rank
where (select count(error(p.message)) from problems as p) = 0
== step.user_events ==
{%%}-- one row per user in train: the number of their rows
user_events as (
    select t.user_id, count(*) as events
    from given_past as t
    group by t.user_id
)
== step.tastes ==
{%%}-- one row per user with relevant items: their number, how many of them are in train, and the mean number of rows there
tastes as (
    select
        l.user_id,
        count(*) as items,
        count(p.item_id) as known,
        cast(coalesce(sum(p.events), 0) as double) / count(*) as popularity
    from (
        select distinct t.user_id, t.item_id
        from given_truth as t
        where t.relevance > 0
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in {%: name.past%} and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in {%: name.truth%}; cast one of them to the other''s type' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_past as l limit 1) as l
                    cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                ) as i
                where
                    regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
    ) as l
    left join popular as p on p.item_id = l.item_id
    group by l.user_id
)
== step.problems of segments ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
        union all
        select 3 as place, p.message
        from (
            {%: check.past_ids%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%: check.relevance%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%: check.truth_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.truth_ids%}
        ) as p
    ) as p
    having count(*) > 0
)
== target.segments ==
{%%}select
    s.user_id,
    case
        when coalesce(a.events, 0) < 1.0e0 then '0'
        when coalesce(a.events, 0) < 3.0e0 then '1-2'
        when coalesce(a.events, 0) < 21.0e0 then '3-20'
        when coalesce(a.events, 0) < 101.0e0 then '21-100'
        else '101+'
    end as activity,
    case when s.known = s.items then 'all' when s.known > 0 then 'some' else 'none' end as warm,
    'q' || cast(cast(floor(3e0 * s.below / s.users) as bigint) + 1 as varchar) as mainstream
from (
    select
        m.user_id,
        m.items,
        m.known,
        rank() over (order by m.popularity asc) - 1 as below,
        count(*) over () as users
    from tastes as m
) as s
left join user_events as a on a.user_id = s.user_id
where (select count(error(p.message)) from problems as p) = 0
== step.pool ==
{%%}-- one row per item that can be drawn: how likely it is beside the others
pool as (
    select i.item_id, {%draw=popularity%}p.events{%!draw=popularity%}1{%%} as weight
    from (
        select distinct i.item_id
        from given_items as i
        where i.item_id is not null
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in {%: name.truth%} and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in {%: name.items%}; cast one of them to the other''s type' as message
                from (
                    select unnest(['item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.item_id)] as types from given_truth as l limit 1) as l
                    cross join (select [typeof(r.item_id)] as types from given_items as r limit 1) as r
                ) as i
                where
                    regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
    ) as i{%draw=popularity%}
    inner join popular as p on p.item_id = i.item_id{%%}
)
== step.slots ==
{%%}-- one row per position that a draw can give, with its item
slots as (
    select p.item_id, row_number() over (order by p.item_id asc) - 1 as position
    from pool as p{%draw=popularity%}
    inner join given_past as t on t.item_id = p.item_id{%%}
)
== step.known_items ==
{%%}-- one row per user of the truth and item that is theirs already: in the truth, or in train
known_items as (
    select k.user_id, k.item_id, max(k.judged) as judged
    from (
        select t.user_id, t.item_id, 1 as judged
        from given_truth as t
        where coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in {%: name.truth%} and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in {%: name.past%}; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_truth as l limit 1) as l
                cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_past as r limit 1) as r
            ) as i
            where
                regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true)
        union all
        select p.user_id, p.item_id, 0 as judged
        from given_past as p
        where p.user_id in (select t.user_id from given_truth as t)
    ) as k
    group by k.user_id, k.item_id
)
== step.draws ==
{%%}-- one row per user of the truth: the number of draws that gives n new items, almost certainly; NULL if the pool is no larger
draws as (
    select w.user_id, w.total, case when w.draws < w.items then cast(floor(w.draws) as bigint) end as draws
    from (
        select
            u.user_id,
            s.items,
            s.total,
            2e0 * ({%: n%} + 20) * s.total / nullif(greatest(s.total - s.likeliest - coalesce(k.weight, 0), 0), 0) as draws
        from (select distinct t.user_id from given_truth as t) as u
        cross join (
            select
                count(*) as items,
                cast(sum(p.weight) as bigint) as total,
                cast(sum(case when p.place <= {%: n%} then p.weight end) as bigint) as likeliest
            from (select p.weight, row_number() over (order by p.weight desc) as place from pool as p) as p
        ) as s
        left join (
            select k.user_id, cast(sum(p.weight) as bigint) as weight
            from known_items as k
            inner join pool as p on p.item_id = k.item_id
            group by k.user_id
        ) as k on k.user_id = u.user_id
    ) as w
)
== step.drawn ==
{%%}-- one row per user and item drawn for them, with its place: by the first draw that gave it, or by a hash of each item
drawn as (
    select
        o.user_id,
        o.item_id,
        row_number() over (partition by o.user_id order by o.place asc, o.item_id asc) as place
    from (
        select f.user_id, s.item_id, cast(min(f.i) as double) as place
        from (
            select d.user_id, i.i, cast('0x' || substr(md5(cast(d.user_id as varchar) || ':' || cast(i.i as varchar) || ':' || cast({%: seed%} as varchar)), 1, 8) as bigint) * d.total >> 32 as position
            from draws as d
            inner join (select unnest(range(1, (select coalesce(max(d.draws), 1) from draws as d) + 1)) as i) as i on i.i <= d.draws
        ) as f
        inner join slots as s on s.position = f.position
        group by f.user_id, s.item_id
        union all
        select d.user_id, p.item_id, -ln((cast(cast('0x' || substr(md5(cast(d.user_id as varchar) || ':' || cast(p.item_id as varchar) || ':' || cast({%: seed%} as varchar)), 1, 8) as bigint) * 2147483648 >> 32 as double) + 5e-1) / 2147483648e0) / p.weight as place
        from draws as d
        cross join pool as p
        where d.draws is null
    ) as o
    left join known_items as k on k.user_id = o.user_id and k.item_id = o.item_id
    where k.item_id is null
)
== step.problems of candidates ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
        union all
        select 2 as place, p.message
        from (
            {%: check.drawn_ids%}
        ) as p
        union all
        select 5 as place, p.message
        from (
            {%: check.few_items%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.past_ids%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%: check.relevance%}
        ) as p
        union all
        select 2 as place, p.message
        from (
            {%: check.truth_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.truth_ids%}
        ) as p
    ) as p
    having count(*) > 0
)
== check.drawn_ids ==
{%%}select
                '{%: name.truth%}: '
                || coalesce(cast(case when regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is '
                || coalesce(cast(case when regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') then typeof(t.user_id) else typeof(t.item_id) end as varchar), 'NULL')
                || ', which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same items' as message
            from given_truth as t
            where regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') or regexp_matches(typeof(t.item_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$')
            limit 1
== check.few_items ==
{%%}select
                '{%: name.items%}: user '
                || coalesce(regexp_replace(cast(d.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has '
                || coalesce(cast(count(o.item_id) as varchar), 'NULL')
                || ' items to draw from that are in neither truth nor train, and n is '
                || coalesce(cast({%: n%} as varchar), 'NULL')
                || '; lower n, or give more items' as message
            from draws as d
            left join drawn as o on o.user_id = d.user_id
            group by d.user_id
            having count(o.item_id) < {%: n%}
            order by d.user_id asc
            limit 1
== target.candidates ==
{%%}select c.user_id, c.item_id
from (
    select k.user_id, k.item_id
    from known_items as k
    where k.judged = 1
    union all
    select d.user_id, d.item_id
    from drawn as d
    where d.place <= {%: n%}
) as c
where (select count(error(p.message)) from problems as p) = 0
== step.given_recs of rank_by_score ==
{%%}-- one row per row of recs, with recsql's column names
given_recs as not materialized (
    select
        r.model,
        r.user_id,
        r.item_id,
        r.rank,
        r.score{%: .columns.1%}
    from (
        from query_table('{%: source.recs%}')
        union all by name
        select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
        where false{%by_column%}
        union all by name
        select {%by_column: .columns.2%}
        where false{%%}
    ) as r
)
== step.unseen_recs of rank_by_score ==
{%%}-- one row per row of recs whose item the user does not have in train, with its rank among these
unseen_recs as not materialized (
    select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.score
    from (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
            s.item_id is null as is_unseen,
            -- rows with the same rank do not come before this one
            count(case when s.item_id is not null then 1 end) over (partition by r.model, r.user_id order by r.rank asc)
            - count(case when s.item_id is not null then 1 end) over (partition by r.model, r.user_id, r.rank) as dropped
        from given_recs as r
        left join seen_items as s on s.user_id = r.user_id and s.item_id = r.item_id
    ) as o
    where o.is_unseen
)
== step.candidate_recs of rank_by_score ==
{%%}-- one row per row of recs whose item is a candidate of the user, with its rank among these
candidate_recs as not materialized (
    select
        r.model,
        r.user_id,
        r.item_id,
        rank() over (partition by r.model, r.user_id order by r.rank asc) as rank,
        r.score
    from {%unseen_alone%}unseen_recs{%!unseen_alone%}given_recs{%%} as r
    inner join candidate_items as c on c.user_id = r.user_id and c.item_id = r.item_id
)
== step.scored of rank_by_score ==
{%%}-- one row per scored item, ranked by its score
scored as not materialized (
    {%!ties=best/expected/worst%}select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, {%ties=item_desc%}r.item_id desc{%ties=input%}r.rank asc, r.item_id asc{%!ties=best/expected/worst & !ties=input & !ties=item_desc%}r.item_id asc{%!ties=best/expected/worst%}
        ) as rank
    from {%!candidates= & !ties=best/expected/worst%}candidate_recs{%!ties=best/expected/worst & !train= & candidates= & seen=drop%}unseen_recs{%!ties=best/expected/worst & candidates= & train= | !seen=drop & !ties=best/expected/worst & candidates=%}given_recs{%!ties=best/expected/worst%} as r{%ties=best/expected/worst%}select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
        rank() over (partition by r.model, r.user_id order by r.score desc) as rank
    from (
    {%duplicates=first/last & ties=best/expected/worst%}    select r.model, r.user_id, r.item_id, {%duplicates=last & ties=best/expected/worst%}min{%duplicates=first & ties=best/expected/worst%}max{%duplicates=first/last & ties=best/expected/worst%}(r.score) as score
        from {%!candidates= & duplicates=first/last & ties=best/expected/worst%}candidate_recs{%!train= & candidates= & duplicates=first/last & seen=drop & ties=best/expected/worst%}unseen_recs{%candidates= & duplicates=first/last & ties=best/expected/worst & train= | !seen=drop & candidates= & duplicates=first/last & ties=best/expected/worst%}given_recs{%duplicates=first/last & ties=best/expected/worst%} as r
        group by r.model, r.user_id, r.item_id{%!duplicates=first/last & ties=best/expected/worst%}    select r.model, r.user_id, r.item_id, r.score
        from {%!candidates= & !duplicates=first/last & ties=best/expected/worst%}candidate_recs{%!duplicates=first/last & !train= & candidates= & seen=drop & ties=best/expected/worst%}unseen_recs{%!duplicates=first/last & candidates= & ties=best/expected/worst & train= | !duplicates=first/last & !seen=drop & candidates= & ties=best/expected/worst%}given_recs{%!duplicates=first/last & ties=best/expected/worst%} as r{%ties=best/expected/worst%}
    ) as r{%%}
)
== step.problems of rank_by_score ==
{%%}-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    {%!candidates=%}    union all
        select 3 as place, p.message
        from (
            {%!candidates=: check.candidate_ids%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.fold_column%}
        ) as p
    {%ties=input%}    union all
        select 4 as place, p.message
        from (
            {%ties=input: check.input_order%}
        ) as p
    {%ties=best/expected/worst%}    union all
        select 1 as place, p.message
        from (
            {%ties=best/expected/worst: check.no_order%}
        ) as p
    {%%}    union all
        select 2 as place, p.message
        from (
            {%: check.recs_columns%}
        ) as p
        union all
        select 3 as place, p.message
        from (
            {%: check.recs_ids%}
        ) as p
        union all
        select 4 as place, p.message
        from (
            {%: check.scores%}
        ) as p
    {%seen=error & seen_read%}    union all
        select 5 as place, p.message
        from (
            {%seen=error & seen_read: check.seen_items%}
        ) as p
    {%seen_read%}    union all
        select 2 as place, p.message
        from (
            {%seen_read: check.seen_users%}
        ) as p
    {%duplicates=count/hole/set & ties=best/expected/worst%}    union all
        select 5 as place, p.message
        from (
            {%duplicates=count/hole/set & ties=best/expected/worst: check.tied_copies%}
        ) as p
    {%ties=error%}    union all
        select 5 as place, p.message
        from (
            {%ties=error: check.ties%}
        ) as p
    {%%}) as p
    having count(*) > 0
)
== check.input_order of rank_by_score ==
{%%}select
                '{%: name.recs%}: rank is '
                || coalesce(cast(r.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; ties = ''input'' needs the input order in the column rank' as message
            from given_recs as r
            where r.rank is null
            order by r.user_id asc, r.item_id asc
            limit 1
== check.scores of rank_by_score ==
{%%}select
                '{%: name.recs%}: score is '
                || coalesce(cast(r.score as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; every score must be a finite number, not NULL or text' as message
            from given_recs as r
            where
                (r.score is null or isnan(cast(r.score as double) + 0 * random()) or isinf(cast(r.score as double)) or typeof(r.score) in ('VARCHAR', 'BOOLEAN'))
            order by r.user_id asc, r.item_id asc
            limit 1
== check.tied_copies of rank_by_score ==
{%%}select
                '{%: name.recs%}: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', which ties = ''{%: ties%}'' with duplicates = ''{%: duplicates%}'' does not support; list it once, or use duplicates = ''first''' as message
            from scored as r
            group by r.model, r.user_id, r.item_id
            having count(*) > {%duplicates=set%}1{%!duplicates=set%}count(distinct r.score){%%}
            order by r.user_id asc, r.item_id asc
            limit 1
== target.rank_by_score ==
{%%}select s.model, s.user_id, s.item_id, s.rank, s.score
from scored as s
inner join cutoffs as c on c.k >= s.rank
where (select count(error(p.message)) from problems as p) = 0$$;

-- the program of evaluate
create or replace macro recsql.evaluate_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
truth_check|choice|any|any leave_one_out
discount|choice|log2p1|log2p1 jk2002 ln1p geometric none
discount_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
gain|choice|linear|linear binary exp2 exp2_shifted map
gain_map|text||
zero_ideal|choice|null|null skip zero one
relevant|choice|positive|positive present
relevance_threshold|number||any -inf -inf inf inf
interval|number||any 0.5e0 -inf inf 1.0e0 above 0.5 and below 1
interval_method|choice|auto|auto wilson t groups
groups|number|64|whole -inf 8.0e0 1024.0e0 inf at least 8 and at most 1024
by|text||
segments|table||
multiple|choice|each|each error
min_users|number|1|whole -inf 1.0e0 inf inf at least 1
no_truth|choice|skip|skip zero zero_below_threshold one one_if_both_empty error
.ap_denominator|choice|achievable|achievable relevant achievable_returned hits k
.bpref_empty|choice|one|one null
.err_normalize|choice|none|none ideal
err_max_grade|number|4|whole -inf 1.0e0 100.0e0 inf at least 1 and at most 100
.beta|number|1|any 0.0e0 -inf 1000000.0e0 inf above 0 and at most 1000000
.f1_average|choice|per_user|per_user of_means
.precision_denominator|choice|k|k returned achievable
.r_precision_cut|choice|list|list k
rbp_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
.rbp_normalize|choice|none|none achievable
.recall_denominator|choice|relevant|relevant achievable
.rr_cutoff|choice|k|k none
catalog_size|number||whole 0.0e0 -inf 1000000000000.0e0 inf above 0 and at most 1000000000000
ideal|choice|truth|truth constant truth_uncut truth_returned candidates truth_as_given
candidates|given||
users|table|truth|truth intersection union
truth_window|choice|all|all k rank
judged_only|choice|false|false true
no_recs|choice|zero|zero skip
rank_by|choice||rank score position
duplicates|choice|error|error first hole count set last
ties|choice|item_asc|item_asc item_desc input expected best worst error
train|table||
seen|choice|keep|keep drop error
== metrics ==
ndcg
recall
precision
ap
hit
rr
bpref
cg
dcg
err
f1
fn
fp
hits
idcg
mean_precision
r_precision
rbp
tn
tp
== usual_metrics ==
ndcg
recall
precision
ap
hit
rr
== available ==
 => ndcg
 => recall
 => precision
 => ap
 => hit
 => rr
 => cg
 => dcg
 => f1
 => fn
 => fp
 => hits
 => idcg
 => mean_precision
 => rbp
!catalog_size= => tn
 => tp
== apart ==
!given no_recs & like=jurity => ap
!given no_recs & like=jurity => precision
!given truth_window & like=pyspark_udf => ap
!given no_recs & like=recommenders => ndcg
!given duplicates & like=replay => ap
!given duplicates & like=replay => ndcg
!given ties & like=torchmetrics => ndcg
== idle ==
!discount=geometric & unusual discount_p => discount_p: it applies only if discount = 'geometric'; set that as well, or leave discount_p out
!gain=map & unusual gain_map => gain_map: it applies only if gain = 'map'; set that as well, or leave gain_map out
interval= & unusual interval_method => interval_method: it applies only with interval; give that as well, or leave interval_method out
interval= & unusual groups => groups: it applies only with interval; give that as well, or leave groups out
by= & unusual segments => segments: it applies only with by; give that as well, or leave segments out
by= & unusual multiple => multiple: it applies only with by; give that as well, or leave multiple out
by= & unusual min_users => min_users: it applies only with by; give that as well, or leave min_users out
seen=drop & train= => seen = 'drop': it removes or refuses what users have in train; give the table train as well
seen=error & train= => seen = 'error': it removes or refuses what users have in train; give the table train as well
!with_activity & given train & seen=keep => train: it is read only for by = 'train.activity' and for seen here; give one of these, or leave train out
== refused ==
.metric=bpref & ties=expected => bpref can't be computed with ties = 'expected'; choose another value, or leave bpref out
.metric=bpref & truth_window=k => bpref can't be computed with truth_window = 'k'; choose another value, or leave bpref out
.metric=bpref & truth_window=rank => bpref can't be computed with truth_window = 'rank'; choose another value, or leave bpref out
.metric=err & ties=expected => err can't be computed with ties = 'expected'; choose another value, or leave err out
.err_normalize=ideal & .metric=err & truth_window=k => err can't be computed with err_normalize = 'ideal' and truth_window = 'k'; choose another value, or leave err out
.metric=tn & catalog_size= => tn needs the option catalog_size
!interval= & .metric=ndcg & duplicates=count & interval_method=wilson | !interval= & .metric=ndcg & gain=map & interval_method=wilson | !interval= & .metric=ndcg & ideal=constant/truth_as_given & interval_method=wilson | !interval= & .metric=ndcg & interval_method=wilson & relevant=present | !interval= & !relevance_threshold= & !relevance_threshold>0 & .metric=ndcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which ndcg need not be; use interval_method = auto
!interval= & .metric=recall & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which recall need not be; use interval_method = auto
!interval= & .metric=precision & .precision_denominator=achievable & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which precision need not be; use interval_method = auto
!interval= & .metric=ap & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which ap need not be; use interval_method = auto
!interval= & .metric=bpref & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which bpref need not be; use interval_method = auto
!interval= & .metric=cg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which cg need not be; use interval_method = auto
!interval= & .metric=dcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which dcg need not be; use interval_method = auto
!interval= & .err_normalize=ideal & .metric=err & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which err need not be; use interval_method = auto
!interval= & .f1_average=of_means & .metric=f1 & interval_method=wilson | !interval= & .metric=f1 & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which f1 need not be; use interval_method = auto
!interval= & .metric=fn & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which fn need not be; use interval_method = auto
!interval= & .metric=fp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which fp need not be; use interval_method = auto
!interval= & .metric=hits & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which hits need not be; use interval_method = auto
!interval= & .metric=idcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which idcg need not be; use interval_method = auto
!interval= & .metric=rbp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which rbp need not be; use interval_method = auto
!interval= & .metric=tn & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which tn need not be; use interval_method = auto
!interval= & .metric=tp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which tp need not be; use interval_method = auto
== labels ==
3|discount||ndcg dcg idcg
3|discount|zero_ideal=skip|recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp
4|discount_p||ndcg dcg idcg
4|discount_p|zero_ideal=skip|recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp
5|gain||ndcg cg dcg err idcg rbp
5|gain|zero_ideal=skip|recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp
6|gain_map||ndcg cg dcg err idcg rbp
6|gain_map|zero_ideal=skip|recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp
7|zero_ideal||
8|relevant||
9|relevance_threshold||
17|no_truth||
18|denominator||ap
19|empty||bpref
20|normalize||err
21|max_grade||err
22|beta||f1
23|average||f1
24|denominator||precision
24|precision_denominator||f1
25|cut||r_precision
26|p||rbp
27|normalize||rbp
28|denominator||recall
28|recall_denominator||f1
29|cutoff||rr
31|ideal||ndcg idcg
31|ideal|zero_ideal=skip|recall precision ap hit rr bpref cg dcg err f1 fn fp hits mean_precision r_precision rbp tn tp
32|candidates||
33|users||
34|truth_window||
35|judged_only||
36|no_recs||
37|rank_by||
38|duplicates||
39|ties||
41|seen||
== cut ==
.metric=mean_precision | .ap_denominator=k & .metric=ap | .metric=f1 & .precision_denominator=k | .metric=precision & .precision_denominator=k | .metric=idcg/ndcg & ideal=constant => cut
== roles ==
recs
truth
users
segments
train
candidates
== of_users ==

== required ==
recs
truth
== above ==
min_users>1
relevance_threshold>0
== of_any ==
any(!.f1_average=per_user, .metric=f1)
any(!.r_precision_cut=k, .metric=r_precision)
any(!.rr_cutoff=k, .metric=rr)
any(.ap_denominator=achievable/achievable_returned/relevant, .metric=ap)
any(.ap_denominator=achievable_returned, .metric=ap)
any(.ap_denominator=hits, .metric=ap)
any(.by_groups, .shown)
any(.by_t, .shown)
any(.by_wilson, .shown)
any(.err_normalize=ideal, .metric=err)
any(.metric=ap)
any(.metric=bpref)
any(.metric=bpref/f1/fn/r_precision/recall/tn)
any(.metric=cg)
any(.metric=dcg/ndcg)
any(.metric=err)
any(.metric=f1, .precision_denominator=returned)
any(.metric=f1/fp/hits/precision/recall/tp)
any(.metric=fn)
any(.metric=fn/tn)
any(.metric=fp)
any(.metric=fp/tn)
any(.metric=hit)
any(.metric=idcg)
any(.metric=idcg/ndcg)
any(.metric=mean_precision)
any(.metric=ndcg)
any(.metric=precision, .precision_denominator=achievable)
any(.metric=precision, .precision_denominator=returned)
any(.metric=r_precision, .r_precision_cut=k)
any(.metric=r_precision, .r_precision_cut=list)
any(.metric=rbp)
any(.metric=rbp, .rbp_normalize=achievable)
any(.metric=rr, .rr_cutoff=k)
any(.metric=rr, .rr_cutoff=none)
any(.metric=tn)
== sets ==
.ap_denominator=achievable | .ap_denominator=achievable_returned | .ap_denominator=relevant => .ap_denominator=achievable/achievable_returned/relevant
.metric=ap | .metric=bpref | .metric=err | .metric=f1 | .metric=hit | .metric=mean_precision | .metric=ndcg | .metric=precision | .metric=r_precision | .metric=recall | .metric=rr => .metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr
.metric=bpref | .metric=f1 | .metric=fn | .metric=r_precision | .metric=recall | .metric=tn => .metric=bpref/f1/fn/r_precision/recall/tn
.metric=cg | .metric=dcg | .metric=fn | .metric=fp | .metric=hits | .metric=idcg | .metric=rbp | .metric=tn | .metric=tp => .metric=cg/dcg/fn/fp/hits/idcg/rbp/tn/tp
.metric=dcg | .metric=ndcg => .metric=dcg/ndcg
.metric=f1 | .metric=fp | .metric=hits | .metric=precision | .metric=recall | .metric=tp => .metric=f1/fp/hits/precision/recall/tp
.metric=fn | .metric=tn => .metric=fn/tn
.metric=fp | .metric=tn => .metric=fp/tn
.metric=idcg | .metric=ndcg => .metric=idcg/ndcg
duplicates=count | duplicates=error | duplicates=hole | duplicates=set => duplicates=count/error/hole/set
duplicates=count | duplicates=hole | duplicates=set => duplicates=count/hole/set
duplicates=first | duplicates=last => duplicates=first/last
duplicates=first | duplicates=last | duplicates=set => duplicates=first/last/set
gain=binary | gain=exp2 | gain=linear => gain=binary/exp2/linear
gain=exp2 | gain=exp2_shifted => gain=exp2/exp2_shifted
ideal=constant | ideal=truth | ideal=truth_uncut => ideal=constant/truth/truth_uncut
ideal=constant | ideal=truth_as_given => ideal=constant/truth_as_given
ideal=truth | ideal=truth_returned | ideal=truth_uncut => ideal=truth/truth_returned/truth_uncut
no_truth=error | no_truth=skip => no_truth=error/skip
no_truth=error | no_truth=skip | no_truth=zero | no_truth=zero_below_threshold => no_truth=error/skip/zero/zero_below_threshold
no_truth=one | no_truth=one_if_both_empty | no_truth=zero => no_truth=one/one_if_both_empty/zero
no_truth=one | no_truth=one_if_both_empty | no_truth=zero | no_truth=zero_below_threshold => no_truth=one/one_if_both_empty/zero/zero_below_threshold
ties=best | ties=expected | ties=worst => ties=best/expected/worst
ties=best | ties=worst => ties=best/worst
ties=item_asc | ties=item_desc => ties=item_asc/item_desc
truth_window=all | truth_window=rank => truth_window=all/rank
truth_window=k | truth_window=rank => truth_window=k/rank
zero_ideal=null | zero_ideal=one | zero_ideal=zero => zero_ideal=null/one/zero
== of_metrics ==
.metric=ndcg & interval_method=groups | .metric=recall & interval_method=groups | .metric=precision & interval_method=groups | .metric=ap & interval_method=groups | .metric=hit & interval_method=groups | .metric=rr & interval_method=groups | .metric=bpref & interval_method=groups | .metric=cg & interval_method=groups | .metric=dcg & interval_method=groups | .metric=err & interval_method=groups | .metric=f1 & interval_method=groups | .f1_average=of_means & .metric=f1 | .metric=fn & interval_method=groups | .metric=fp & interval_method=groups | .metric=hits & interval_method=groups | .metric=idcg & interval_method=groups | .metric=mean_precision & interval_method=groups | .metric=r_precision & interval_method=groups | .metric=rbp & interval_method=groups | .metric=tn & interval_method=groups | .metric=tp & interval_method=groups => .by_groups
!duplicates=count & !gain=map & !ideal=constant/truth_as_given & !interval_method=groups & !interval_method=t & !relevant=present & .metric=ndcg & relevance_threshold= | !duplicates=count & !gain=map & !ideal=constant/truth_as_given & !interval_method=groups & !interval_method=t & !relevant=present & .metric=ndcg & relevance_threshold>0 | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=recall | !.precision_denominator=achievable & !interval_method=groups & !interval_method=t & .metric=precision | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=precision | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=ap | !interval_method=groups & !interval_method=t & .metric=hit | !interval_method=groups & !interval_method=t & .metric=rr | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=bpref | !.err_normalize=ideal & !interval_method=groups & !interval_method=t & .metric=err | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=err | !.f1_average=of_means & !duplicates=count & !interval_method=groups & !interval_method=t & .metric=f1 | !interval_method=groups & !interval_method=t & .metric=mean_precision | !interval_method=groups & !interval_method=t & .metric=r_precision => .by_wilson
!interval_method=groups & .metric=ndcg & duplicates=count | !interval_method=groups & .metric=ndcg & gain=map | !interval_method=groups & .metric=ndcg & ideal=constant/truth_as_given | .metric=ndcg & interval_method=t | !interval_method=groups & .metric=ndcg & relevant=present | !interval_method=groups & !relevance_threshold= & !relevance_threshold>0 & .metric=ndcg | !interval_method=groups & .metric=recall & duplicates=count | .metric=recall & interval_method=t | !interval_method=groups & .metric=precision & .precision_denominator=achievable & duplicates=count | .metric=precision & interval_method=t | !interval_method=groups & .metric=ap & duplicates=count | .metric=ap & interval_method=t | .metric=hit & interval_method=t | .metric=rr & interval_method=t | !interval_method=groups & .metric=bpref & duplicates=count | .metric=bpref & interval_method=t | !interval_method=groups & .metric=cg | !interval_method=groups & .metric=dcg | !interval_method=groups & .err_normalize=ideal & .metric=err & duplicates=count | .metric=err & interval_method=t | !.f1_average=of_means & !interval_method=groups & .metric=f1 & duplicates=count | !.f1_average=of_means & .metric=f1 & interval_method=t | !interval_method=groups & .metric=fn | !interval_method=groups & .metric=fp | !interval_method=groups & .metric=hits | !interval_method=groups & .metric=idcg | .metric=mean_precision & interval_method=t | .metric=r_precision & interval_method=t | !interval_method=groups & .metric=rbp | !interval_method=groups & .metric=tn | !interval_method=groups & .metric=tp => .by_t
!duplicates=count & !gain=map & !ideal=constant/truth_as_given & !relevant=present & .metric=ndcg & relevance_threshold= | !duplicates=count & !gain=map & !ideal=constant/truth_as_given & !relevant=present & .metric=ndcg & relevance_threshold>0 | !duplicates=count & .metric=recall | !.precision_denominator=achievable & .metric=precision | !duplicates=count & .metric=precision | !duplicates=count & .metric=ap | .metric=hit | .metric=rr | !duplicates=count & .metric=bpref | .metric=cg | .metric=dcg | !.err_normalize=ideal & .metric=err | !duplicates=count & .metric=err | !duplicates=count & .metric=f1 | .metric=fn | .metric=fp | .metric=hits | .metric=idcg | .metric=mean_precision | .metric=r_precision | .metric=rbp | .metric=tn | .metric=tp => .within_bounds
== rules.1 ==
 => averaged
== rules.2 ==
!any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & gain=binary/exp2/linear & ideal=constant/truth/truth_uncut & relevance_threshold= & relevant=positive & truth_window=all/rank | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & gain=binary/exp2/linear & ideal=constant/truth/truth_uncut & relevance_threshold>0 & relevant=positive & truth_window=all/rank | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & zero_ideal=zero | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=ndcg) & !any(.metric=tn) => zero_without_hits
no_truth=one_if_both_empty | any(.metric=fp/tn) | any(.ap_denominator=achievable_returned, .metric=ap) | any(.metric=f1, .precision_denominator=returned) | any(.metric=precision, .precision_denominator=returned) | any(.metric=rbp, .rbp_normalize=achievable) | any(.metric=idcg/ndcg) & ideal=truth_returned | ideal=truth_returned & zero_ideal=skip => needs.lengths
any(.metric=fp/tn) | any(.ap_denominator=achievable_returned, .metric=ap) | any(.metric=f1, .precision_denominator=returned) | any(.metric=precision, .precision_denominator=returned) | any(.metric=rbp, .rbp_normalize=achievable) | any(.metric=idcg/ndcg) & ideal=truth_returned | ideal=truth_returned & zero_ideal=skip => needs.returned
any(.err_normalize=ideal, .metric=err) => needs.ideal_stop
!truth_window=k & any(.metric=idcg/ndcg) & ideal=truth/truth_returned/truth_uncut | !truth_window=k & ideal=truth/truth_returned/truth_uncut & zero_ideal=skip | any(.err_normalize=ideal, .metric=err) => needs.ideals
any(.metric=hit) | any(.metric=cg) | any(.metric=dcg/ndcg) | any(.metric=fn/tn) | any(.metric=err) | any(.metric=f1/fp/hits/precision/recall/tp) | any(.ap_denominator=hits, .metric=ap) | any(.metric=r_precision, .r_precision_cut=k) | any(.metric=rbp) | any(.metric=ap) | any(.metric=mean_precision) | any(.metric=rr, .rr_cutoff=k) => needs.hits_at_k
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip | any(.metric=bpref) | any(.metric=r_precision, .r_precision_cut=list) | any(.metric=rr, .rr_cutoff=none) => needs.hits_of_list
any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.splits_at_k
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip | any(.metric=bpref) | any(.metric=r_precision, .r_precision_cut=list) | any(.metric=rr, .rr_cutoff=none) | duplicates=first/last => needs.whole_list
any(.metric=fp/tn) | any(.ap_denominator=achievable_returned, .metric=ap) | any(.metric=f1, .precision_denominator=returned) | any(.metric=precision, .precision_denominator=returned) | any(.metric=rbp, .rbp_normalize=achievable) | any(.metric=idcg/ndcg) & ideal=truth_returned | ideal=truth_returned & zero_ideal=skip => needs.ranks
any(.metric=bpref) => needs.preferences
!rank_by=rank & !rank_by=score => any_order
!by= & with_activity => by_activity
!by= & with_columns => by_column
!by= & with_quantiles => by_quantile
!by= & !segments= => by_table
judged_only=true | !train= & seen=drop | !candidates= => closed_up
!interval= & any(.by_groups, .shown) => grouping
no_truth=one/one_if_both_empty/zero | users=union => owners_count
no_recs=zero & no_truth=error/skip & users=truth => plain_population
no_recs=skip | users=intersection => served_alone
!by= => sliced
!by= & min_users>1 => small
no_truth=one/one_if_both_empty/zero/zero_below_threshold | users=union => truthless
!train= & seen=drop => unseen_alone
!interval= & any(.by_groups, .shown) => user_groups
any(.metric=idcg/ndcg) & ideal=truth_as_given | any(.metric=idcg/ndcg) & ideal=truth/truth_returned/truth_uncut & truth_window=k | ideal=truth_as_given & zero_ideal=skip | ideal=truth/truth_returned/truth_uncut & truth_window=k & zero_ideal=skip => needs.entries
any(.metric=err) => needs.readings
any(.metric=mean_precision) | any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.harmonics
!ideal=truth_as_given & any(.metric=idcg/ndcg) | !ideal=truth_as_given & zero_ideal=skip => needs.discounts
!interval= & any(.by_wilson, .shown) | !interval= & any(.by_t, .shown) => step.mean_spreads
any(.metric=idcg/ndcg) & ideal=truth_as_given | ideal=truth_as_given & zero_ideal=skip | truth_window=k/rank => needs.truth_rank
any(.metric=hit) => needs.any_hit
any(.metric=cg) => needs.cg
any(.metric=dcg/ndcg) => needs.dcg
any(.metric=fn/tn) => needs.distinct_hits
any(.metric=err) => needs.expected_stop
any(.metric=f1/fp/hits/precision/recall/tp) | any(.ap_denominator=hits, .metric=ap) => needs.hits
any(.metric=r_precision, .r_precision_cut=k) => needs.hits_to_r
any(.metric=rbp) => needs.persistent_gain
any(.metric=ap) => needs.precision_sum
any(.metric=mean_precision) => needs.precision_total
any(.metric=rr, .rr_cutoff=k) => needs.reciprocal_rank
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip => needs.candidate_gains
any(.metric=bpref) => needs.hits_anywhere
any(.metric=r_precision, .r_precision_cut=list) => needs.hits_to_r_anywhere
any(.metric=bpref) => needs.preceded
any(.metric=rr, .rr_cutoff=none) => needs.reciprocal_rank_anywhere
any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.split_precision
any(.metric=idcg/ndcg) | zero_ideal=skip => needs.idcg
any(.metric=bpref) => needs.not_relevant
any(.metric=bpref/f1/fn/r_precision/recall/tn) | any(.ap_denominator=achievable/achievable_returned/relevant, .metric=ap) | any(.metric=precision, .precision_denominator=achievable) | any(.metric=rbp, .rbp_normalize=achievable) | zero_ideal=skip | !no_truth=error/skip | users=union => needs.relevant
any(.metric=cg) | any(.metric=dcg/ndcg) | any(.metric=err) | any(.metric=idcg/ndcg) | zero_ideal=skip | any(.err_normalize=ideal, .metric=err) | any(.metric=rbp) => needs.gains
== rules.3 ==
!candidates= & needs.hits_at_k | !candidates= & needs.hits_of_list | !candidates= & needs.splits_at_k | !candidates= & needs.ranks | !candidates= & needs.lengths | !candidates= & no_recs=skip | !candidates= & users=intersection | !candidates= & no_truth=one/one_if_both_empty/zero | !candidates= & users=union => candidates_read
needs.whole_list | ties=best/expected/worst => each_apart
!needs.ideal_stop & !truth_window=k & gain=binary => gains_of_one
!no_truth=error/skip/zero/zero_below_threshold & averaged & by= & interval= | !any(.by_groups, .shown) & !no_truth=error/skip/zero/zero_below_threshold & averaged & by= | !users=truth & averaged & by= & interval= | !any(.by_groups, .shown) & !users=truth & averaged & by= | !zero_ideal=null/one/zero & averaged & by= & interval= | !any(.by_groups, .shown) & !zero_ideal=null/one/zero & averaged & by= | !zero_without_hits & averaged & by= & interval= | !any(.by_groups, .shown) & !zero_without_hits & averaged & by= => grouped
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k => hits_read
needs.ideal_stop & needs.ideals | needs.ideals & truth_window=k | !gain=binary & needs.ideals => ideals
needs.returned | no_truth=one_if_both_empty => lengths_count
needs.lengths | no_recs=skip | users=intersection | no_truth=one/one_if_both_empty/zero | users=union => lists_read
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k | needs.ranks => ranked_read
!judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.hits_at_k & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.hits_at_k & rank_by=score & ties=item_asc/item_desc | !judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.hits_of_list & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.hits_of_list & rank_by=score & ties=item_asc/item_desc | !judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.splits_at_k & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.splits_at_k & rank_by=score & ties=item_asc/item_desc => ranks_counted
!duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.hits_at_k & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_at_k & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.hits_at_k & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_at_k & rank_by=score | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.hits_of_list & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_of_list & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.hits_of_list & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_of_list & rank_by=score | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.splits_at_k & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.splits_at_k & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.splits_at_k & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.splits_at_k & rank_by=score => ranks_of_hits
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k => recommended_read
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k | needs.ranks | needs.lengths | no_recs=skip | users=intersection | no_truth=one/one_if_both_empty/zero | users=union => rows_read
!train= & needs.hits_at_k & seen=drop | !train= & needs.hits_of_list & seen=drop | !train= & needs.splits_at_k & seen=drop | !train= & needs.ranks & seen=drop | !train= & needs.lengths & seen=drop | !train= & no_recs=skip & seen=drop | !train= & seen=drop & users=intersection | !train= & no_truth=one/one_if_both_empty/zero & seen=drop | !train= & seen=drop & users=union | !train= & seen=error => seen_read
averaged & interval= & no_truth=error/skip/zero/zero_below_threshold & users=truth & zero_ideal=null/one/zero & zero_without_hits | !any(.by_groups, .shown) & averaged & no_truth=error/skip/zero/zero_below_threshold & users=truth & zero_ideal=null/one/zero & zero_without_hits => sparse
needs.hits_at_k | needs.splits_at_k => step.hits_in_force
!interval= & user_groups => step.left_out_means
!interval= & grouping => step.jackknives
!interval= & grouping => step.group_spreads
!closed_up & !duplicates=first/last/set => fast.lists
== rules.4 ==
!train= & by_activity | !train= & seen_read => step.given_train
rows_read & unseen_alone => step.unseen_recs
!candidates= & rows_read => step.candidate_recs
needs.preferences | judged_only=true & rows_read => step.judged
judged_only=true & ranked_read | judged_only=true & lists_read => step.judged_recs
!rank_by=rank & ranked_read => step.scored
hits_read | ideals | needs.entries => step.relevant
hits_read & ties=best/worst => step.placed
hits_read & ties=expected => step.tied_hits
!rank_by=score | !closed_up & !duplicates=first/last/set & lists_read => step.list_ranks
grouped | needs.hits_at_k & sparse => fast.users_at_k
== steps ==
 => step.given_recs
 => step.given_truth
users=table => step.given_users
by_table => step.given_segments
step.given_train => step.given_train
candidates_read => step.given_candidates
 => step.cutoffs
seen_read => step.seen_items
step.unseen_recs => step.unseen_recs
candidates_read => step.candidate_items
step.candidate_recs => step.candidate_recs
step.judged => step.judged
step.judged_recs => step.judged_recs
 => step.fingerprints
ranks_of_hits => step.likely_hits
ranks_of_hits => step.floors
ranks_counted => step.counted
ranks_of_hits => step.contenders
step.scored => step.scored
ranked_read => step.ranked
recommended_read => step.recommended
 => step.suspects
 => step.repeaters
 => step.folded
step.relevant => step.relevant
 => step.users
needs.entries => step.entries
ideals => step.examples
ideals => step.ideals
hits_read => step.possible_hits
hits_read => step.found
step.placed => step.placed
step.tied_hits => step.tied_hits
hits_read => step.hits
step.hits_in_force => step.hits_in_force
needs.readings => step.readings
needs.harmonics => step.harmonics
needs.hits_at_k => step.hits_at_k
needs.preferences => step.rejected
needs.preferences => step.rejections
needs.preferences => step.preferences
needs.hits_of_list => step.hits_of_list
needs.splits_at_k => step.splits
needs.splits_at_k => step.splits_at_k
step.list_ranks => step.list_ranks
lists_read => step.lists
needs.ranks => step.gaps
 => step.models
!plain_population => step.candidates
!plain_population => step.members
 => step.population
grouped => step.first_hits
grouped => step.alike
 => step.users_at_k
needs.discounts => step.discounts
 => step.at_k
 => step.per_user
by_activity => step.activities
!by= => step.segment_tables
!by= => step.segment_values
by_quantile => step.segment_quantiles
!by= => step.user_segments
!by= => step.slices
sliced => step.per_segment
grouping => step.grouped_users
grouping => step.user_groups
 => step.totals
 => step.headcount
sliced => step.segments_in_mean
 => step.census
 => step.means
user_groups => step.group_totals
step.left_out_means => step.left_out_means
 => step.asked
 => step.summary
step.jackknives => step.jackknives
step.mean_spreads => step.mean_spreads
step.group_spreads => step.group_spreads
!interval= => step.spreads
!interval= => step.degrees
!interval= => step.quantiles
!interval= => step.intervals
!rank_by=score => step.unbroken
!rank_by=score => step.unproven
!rank_by=score => step.rank_bands
!rank_by=score => step.doubtful_recs
!rank_by=score => step.repeated_ranks
 => step.problems
== checks ==
!by= & by_activity => check.activity_users: check.activity_users
candidates_read => check.candidate_ids: check.candidate_ids
candidates_read => check.candidate_truth: check.candidate_truth
lengths_count & lists_read => check.crowded: check.crowded
duplicates=error & hits_read => check.duplicates: check.duplicates
 => check.fold_column: check.fold_column
hits_read & step.relevant & ties=best/worst => check.gains_below_zero: check.gains_below_zero
needs.gains => check.gains_out_of_range: check.gains_out_of_range
needs.readings => check.grades: check.grades
!rank_by=rank & ties=input => check.input_order: check.input_order
truth_check=leave_one_out => check.leave_one_out: check.leave_one_out
!by= & by_table & multiple=error => check.multiple: check.multiple
ranked_read & ties=best/expected/worst & truth_window=k/rank => check.no_order: check.no_order
no_truth=error => check.no_truth: check.no_truth
 => check.nobody: check.nobody
!rank_by=score => check.ranks: check.ranks
 => check.recs_columns: check.recs_columns
 => check.recs_ids: check.recs_ids
 => check.relevance: check.relevance
!rank_by=score => check.same_rank: check.same_rank
!rank_by=rank => check.scores: check.scores
seen=error & seen_read => check.seen_items: check.seen_items
seen_read => check.seen_users: check.seen_users
!by= => check.segment_columns: check.segment_columns
!by= => check.segment_lists: check.segment_lists
!by= & with_cuts => check.segment_numbers: check.segment_numbers
!by= & with_crossed => check.segment_texts: check.segment_texts
!by= => check.segment_values: check.segment_values
!by= => check.segments: check.segments
duplicates=count/hole/set & step.scored & ties=best/expected/worst => check.tied_copies: check.tied_copies
step.scored & ties=error => check.ties: check.ties
 => check.truth_columns: check.truth_columns
 => check.truth_ids: check.truth_ids
truth_window=k/rank | ideal=truth_as_given => check.truth_rank: check.truth_rank
== last ==
target.evaluate
== looked_up ==
t.relevance$$;

-- the program of per_user
create or replace macro recsql.per_user_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
truth_check|choice|any|any leave_one_out
discount|choice|log2p1|log2p1 jk2002 ln1p geometric none
discount_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
gain|choice|linear|linear binary exp2 exp2_shifted map
gain_map|text||
zero_ideal|choice|null|null skip zero one
relevant|choice|positive|positive present
relevance_threshold|number||any -inf -inf inf inf
by|text||
segments|table||
multiple|choice|each|each error
min_users|number|1|whole -inf 1.0e0 inf inf at least 1
no_truth|choice|skip|skip zero zero_below_threshold one one_if_both_empty error
.ap_denominator|choice|achievable|achievable relevant achievable_returned hits k
.bpref_empty|choice|one|one null
.err_normalize|choice|none|none ideal
err_max_grade|number|4|whole -inf 1.0e0 100.0e0 inf at least 1 and at most 100
.beta|number|1|any 0.0e0 -inf 1000000.0e0 inf above 0 and at most 1000000
.precision_denominator|choice|k|k returned achievable
.r_precision_cut|choice|list|list k
rbp_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
.rbp_normalize|choice|none|none achievable
.recall_denominator|choice|relevant|relevant achievable
.rr_cutoff|choice|k|k none
catalog_size|number||whole 0.0e0 -inf 1000000000000.0e0 inf above 0 and at most 1000000000000
ideal|choice|truth|truth constant truth_uncut truth_returned candidates truth_as_given
candidates|given||
users|table|truth|truth intersection union
truth_window|choice|all|all k rank
judged_only|choice|false|false true
no_recs|choice|zero|zero skip
rank_by|choice||rank score position
duplicates|choice|error|error first hole count set last
ties|choice|item_asc|item_asc item_desc input expected best worst error
train|table||
seen|choice|keep|keep drop error
interval|number||any 0.5e0 -inf inf 1.0e0 above 0.5 and below 1
interval_method|choice|auto|auto wilson t groups
groups|number|64|whole -inf 8.0e0 1024.0e0 inf at least 8 and at most 1024
.f1_average|choice|per_user|per_user of_means
== metrics ==
ndcg
recall
precision
ap
hit
rr
bpref
cg
dcg
err
f1
fn
fp
hits
idcg
mean_precision
r_precision
rbp
tn
tp
== usual_metrics ==
ndcg
recall
precision
ap
hit
rr
== available ==
 => ndcg
 => recall
 => precision
 => ap
 => hit
 => rr
 => cg
 => dcg
 => f1
 => fn
 => fp
 => hits
 => idcg
 => mean_precision
 => rbp
!catalog_size= => tn
 => tp
== apart ==
!given no_recs & like=jurity => ap
!given no_recs & like=jurity => precision
!given truth_window & like=pyspark_udf => ap
!given no_recs & like=recommenders => ndcg
!given duplicates & like=replay => ap
!given duplicates & like=replay => ndcg
!given ties & like=torchmetrics => ndcg
== idle ==
!discount=geometric & unusual discount_p => discount_p: it applies only if discount = 'geometric'; set that as well, or leave discount_p out
!gain=map & unusual gain_map => gain_map: it applies only if gain = 'map'; set that as well, or leave gain_map out
interval= & unusual interval_method => interval_method: it applies only with interval; give that as well, or leave interval_method out
interval= & unusual groups => groups: it applies only with interval; give that as well, or leave groups out
by= & unusual segments => segments: it applies only with by; give that as well, or leave segments out
by= & unusual multiple => multiple: it applies only with by; give that as well, or leave multiple out
by= & unusual min_users => min_users: it applies only with by; give that as well, or leave min_users out
seen=drop & train= => seen = 'drop': it removes or refuses what users have in train; give the table train as well
seen=error & train= => seen = 'error': it removes or refuses what users have in train; give the table train as well
!with_activity & given train & seen=keep => train: it is read only for by = 'train.activity' and for seen here; give one of these, or leave train out
== refused ==
.metric=bpref & ties=expected => bpref can't be computed with ties = 'expected'; choose another value, or leave bpref out
.metric=bpref & truth_window=k => bpref can't be computed with truth_window = 'k'; choose another value, or leave bpref out
.metric=bpref & truth_window=rank => bpref can't be computed with truth_window = 'rank'; choose another value, or leave bpref out
.metric=err & ties=expected => err can't be computed with ties = 'expected'; choose another value, or leave err out
.err_normalize=ideal & .metric=err & truth_window=k => err can't be computed with err_normalize = 'ideal' and truth_window = 'k'; choose another value, or leave err out
.metric=tn & catalog_size= => tn needs the option catalog_size
!interval= & .metric=ndcg & duplicates=count & interval_method=wilson | !interval= & .metric=ndcg & gain=map & interval_method=wilson | !interval= & .metric=ndcg & ideal=constant/truth_as_given & interval_method=wilson | !interval= & .metric=ndcg & interval_method=wilson & relevant=present | !interval= & !relevance_threshold= & !relevance_threshold>0 & .metric=ndcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which ndcg need not be; use interval_method = auto
!interval= & .metric=recall & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which recall need not be; use interval_method = auto
!interval= & .metric=precision & .precision_denominator=achievable & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which precision need not be; use interval_method = auto
!interval= & .metric=ap & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which ap need not be; use interval_method = auto
!interval= & .metric=bpref & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which bpref need not be; use interval_method = auto
!interval= & .metric=cg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which cg need not be; use interval_method = auto
!interval= & .metric=dcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which dcg need not be; use interval_method = auto
!interval= & .err_normalize=ideal & .metric=err & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which err need not be; use interval_method = auto
!interval= & .f1_average=of_means & .metric=f1 & interval_method=wilson | !interval= & .metric=f1 & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which f1 need not be; use interval_method = auto
!interval= & .metric=fn & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which fn need not be; use interval_method = auto
!interval= & .metric=fp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which fp need not be; use interval_method = auto
!interval= & .metric=hits & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which hits need not be; use interval_method = auto
!interval= & .metric=idcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which idcg need not be; use interval_method = auto
!interval= & .metric=rbp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which rbp need not be; use interval_method = auto
!interval= & .metric=tn & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which tn need not be; use interval_method = auto
!interval= & .metric=tp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which tp need not be; use interval_method = auto
== labels ==
3|discount||ndcg dcg idcg
3|discount|zero_ideal=skip|recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp
4|discount_p||ndcg dcg idcg
4|discount_p|zero_ideal=skip|recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp
5|gain||ndcg cg dcg err idcg rbp
5|gain|zero_ideal=skip|recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp
6|gain_map||ndcg cg dcg err idcg rbp
6|gain_map|zero_ideal=skip|recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp
7|zero_ideal||
8|relevant||
9|relevance_threshold||
14|no_truth||
15|denominator||ap
16|empty||bpref
17|normalize||err
18|max_grade||err
19|beta||f1
20|denominator||precision
20|precision_denominator||f1
21|cut||r_precision
22|p||rbp
23|normalize||rbp
24|denominator||recall
24|recall_denominator||f1
25|cutoff||rr
27|ideal||ndcg idcg
27|ideal|zero_ideal=skip|recall precision ap hit rr bpref cg dcg err f1 fn fp hits mean_precision r_precision rbp tn tp
28|candidates||
29|users||
30|truth_window||
31|judged_only||
32|no_recs||
33|rank_by||
34|duplicates||
35|ties||
37|seen||
41|average||f1
== cut ==
.metric=mean_precision | .ap_denominator=k & .metric=ap | .metric=f1 & .precision_denominator=k | .metric=precision & .precision_denominator=k | .metric=idcg/ndcg & ideal=constant => cut
== roles ==
recs
truth
users
segments
train
candidates
== of_users ==
model
user_id
k
list_length
relevant
== required ==
recs
truth
== above ==
relevance_threshold>0
== of_any ==
any(!.f1_average=per_user, .metric=f1)
any(!.r_precision_cut=k, .metric=r_precision)
any(!.rr_cutoff=k, .metric=rr)
any(.ap_denominator=achievable_returned, .metric=ap)
any(.ap_denominator=hits, .metric=ap)
any(.err_normalize=ideal, .metric=err)
any(.metric=ap)
any(.metric=bpref)
any(.metric=cg)
any(.metric=dcg/ndcg)
any(.metric=err)
any(.metric=f1, .precision_denominator=returned)
any(.metric=f1/fp/hits/precision/recall/tp)
any(.metric=fn)
any(.metric=fn/tn)
any(.metric=fp)
any(.metric=fp/tn)
any(.metric=hit)
any(.metric=idcg)
any(.metric=idcg/ndcg)
any(.metric=mean_precision)
any(.metric=ndcg)
any(.metric=precision, .precision_denominator=returned)
any(.metric=r_precision, .r_precision_cut=k)
any(.metric=r_precision, .r_precision_cut=list)
any(.metric=rbp)
any(.metric=rbp, .rbp_normalize=achievable)
any(.metric=rr, .rr_cutoff=k)
any(.metric=rr, .rr_cutoff=none)
any(.metric=tn)
== sets ==
.metric=ap | .metric=bpref | .metric=err | .metric=f1 | .metric=hit | .metric=mean_precision | .metric=ndcg | .metric=precision | .metric=r_precision | .metric=recall | .metric=rr => .metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr
.metric=dcg | .metric=ndcg => .metric=dcg/ndcg
.metric=f1 | .metric=fp | .metric=hits | .metric=precision | .metric=recall | .metric=tp => .metric=f1/fp/hits/precision/recall/tp
.metric=fn | .metric=tn => .metric=fn/tn
.metric=fp | .metric=tn => .metric=fp/tn
.metric=idcg | .metric=ndcg => .metric=idcg/ndcg
duplicates=count | duplicates=error | duplicates=hole | duplicates=set => duplicates=count/error/hole/set
duplicates=count | duplicates=hole | duplicates=set => duplicates=count/hole/set
duplicates=first | duplicates=last => duplicates=first/last
duplicates=first | duplicates=last | duplicates=set => duplicates=first/last/set
gain=binary | gain=exp2 | gain=linear => gain=binary/exp2/linear
gain=exp2 | gain=exp2_shifted => gain=exp2/exp2_shifted
ideal=constant | ideal=truth | ideal=truth_uncut => ideal=constant/truth/truth_uncut
ideal=constant | ideal=truth_as_given => ideal=constant/truth_as_given
ideal=truth | ideal=truth_returned | ideal=truth_uncut => ideal=truth/truth_returned/truth_uncut
no_truth=error | no_truth=skip => no_truth=error/skip
no_truth=error | no_truth=skip | no_truth=zero | no_truth=zero_below_threshold => no_truth=error/skip/zero/zero_below_threshold
no_truth=one | no_truth=one_if_both_empty | no_truth=zero => no_truth=one/one_if_both_empty/zero
no_truth=one | no_truth=one_if_both_empty | no_truth=zero | no_truth=zero_below_threshold => no_truth=one/one_if_both_empty/zero/zero_below_threshold
ties=best | ties=expected | ties=worst => ties=best/expected/worst
ties=best | ties=worst => ties=best/worst
ties=item_asc | ties=item_desc => ties=item_asc/item_desc
truth_window=all | truth_window=rank => truth_window=all/rank
truth_window=k | truth_window=rank => truth_window=k/rank
zero_ideal=null | zero_ideal=one | zero_ideal=zero => zero_ideal=null/one/zero
== of_metrics ==

== rules.1 ==

== rules.2 ==
!any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & gain=binary/exp2/linear & ideal=constant/truth/truth_uncut & relevance_threshold= & relevant=positive & truth_window=all/rank | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & gain=binary/exp2/linear & ideal=constant/truth/truth_uncut & relevance_threshold>0 & relevant=positive & truth_window=all/rank | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & zero_ideal=zero | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=ndcg) & !any(.metric=tn) => zero_without_hits
 => needs.lengths
any(.metric=fp/tn) | any(.ap_denominator=achievable_returned, .metric=ap) | any(.metric=f1, .precision_denominator=returned) | any(.metric=precision, .precision_denominator=returned) | any(.metric=rbp, .rbp_normalize=achievable) | any(.metric=idcg/ndcg) & ideal=truth_returned | ideal=truth_returned & zero_ideal=skip => needs.returned
any(.err_normalize=ideal, .metric=err) => needs.ideal_stop
!truth_window=k & any(.metric=idcg/ndcg) & ideal=truth/truth_returned/truth_uncut | !truth_window=k & ideal=truth/truth_returned/truth_uncut & zero_ideal=skip | any(.err_normalize=ideal, .metric=err) => needs.ideals
any(.metric=hit) | any(.metric=cg) | any(.metric=dcg/ndcg) | any(.metric=fn/tn) | any(.metric=err) | any(.metric=f1/fp/hits/precision/recall/tp) | any(.ap_denominator=hits, .metric=ap) | any(.metric=r_precision, .r_precision_cut=k) | any(.metric=rbp) | any(.metric=ap) | any(.metric=mean_precision) | any(.metric=rr, .rr_cutoff=k) => needs.hits_at_k
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip | any(.metric=bpref) | any(.metric=r_precision, .r_precision_cut=list) | any(.metric=rr, .rr_cutoff=none) => needs.hits_of_list
any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.splits_at_k
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip | any(.metric=bpref) | any(.metric=r_precision, .r_precision_cut=list) | any(.metric=rr, .rr_cutoff=none) | duplicates=first/last => needs.whole_list
any(.metric=fp/tn) | any(.ap_denominator=achievable_returned, .metric=ap) | any(.metric=f1, .precision_denominator=returned) | any(.metric=precision, .precision_denominator=returned) | any(.metric=rbp, .rbp_normalize=achievable) | any(.metric=idcg/ndcg) & ideal=truth_returned | ideal=truth_returned & zero_ideal=skip => needs.ranks
any(.metric=bpref) => needs.preferences
!rank_by=rank & !rank_by=score => any_order
!by= & with_activity => by_activity
!by= & with_columns => by_column
!by= & with_quantiles => by_quantile
!by= & !segments= => by_table
judged_only=true | !train= & seen=drop | !candidates= => closed_up
no_truth=one/one_if_both_empty/zero | users=union => owners_count
no_recs=zero & no_truth=error/skip & users=truth => plain_population
no_recs=skip | users=intersection => served_alone
no_truth=one/one_if_both_empty/zero/zero_below_threshold | users=union => truthless
!train= & seen=drop => unseen_alone
any(.metric=idcg/ndcg) & ideal=truth_as_given | any(.metric=idcg/ndcg) & ideal=truth/truth_returned/truth_uncut & truth_window=k | ideal=truth_as_given & zero_ideal=skip | ideal=truth/truth_returned/truth_uncut & truth_window=k & zero_ideal=skip => needs.entries
any(.metric=err) => needs.readings
any(.metric=mean_precision) | any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.harmonics
!ideal=truth_as_given & any(.metric=idcg/ndcg) | !ideal=truth_as_given & zero_ideal=skip => needs.discounts
any(.metric=idcg/ndcg) & ideal=truth_as_given | ideal=truth_as_given & zero_ideal=skip | truth_window=k/rank => needs.truth_rank
any(.metric=hit) => needs.any_hit
any(.metric=cg) => needs.cg
any(.metric=dcg/ndcg) => needs.dcg
any(.metric=fn/tn) => needs.distinct_hits
any(.metric=err) => needs.expected_stop
any(.metric=f1/fp/hits/precision/recall/tp) | any(.ap_denominator=hits, .metric=ap) => needs.hits
any(.metric=r_precision, .r_precision_cut=k) => needs.hits_to_r
any(.metric=rbp) => needs.persistent_gain
any(.metric=ap) => needs.precision_sum
any(.metric=mean_precision) => needs.precision_total
any(.metric=rr, .rr_cutoff=k) => needs.reciprocal_rank
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip => needs.candidate_gains
any(.metric=bpref) => needs.hits_anywhere
any(.metric=r_precision, .r_precision_cut=list) => needs.hits_to_r_anywhere
any(.metric=bpref) => needs.preceded
any(.metric=rr, .rr_cutoff=none) => needs.reciprocal_rank_anywhere
any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.split_precision
any(.metric=idcg/ndcg) | zero_ideal=skip => needs.idcg
 => needs.list_length
any(.metric=bpref) => needs.not_relevant
 => needs.relevant
any(.metric=cg) | any(.metric=dcg/ndcg) | any(.metric=err) | any(.metric=idcg/ndcg) | zero_ideal=skip | any(.err_normalize=ideal, .metric=err) | any(.metric=rbp) => needs.gains
== rules.3 ==
!candidates= & needs.hits_at_k | !candidates= & needs.hits_of_list | !candidates= & needs.splits_at_k | !candidates= & needs.ranks | !candidates= & needs.lengths | !candidates= & no_recs=skip | !candidates= & users=intersection | !candidates= & no_truth=one/one_if_both_empty/zero | !candidates= & users=union => candidates_read
needs.whole_list | ties=best/expected/worst => each_apart
!needs.ideal_stop & !truth_window=k & gain=binary => gains_of_one
!no_truth=error/skip/zero/zero_below_threshold & averaged | !users=truth & averaged | !zero_ideal=null/one/zero & averaged | !zero_without_hits & averaged => grouped
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k => hits_read
needs.ideal_stop & needs.ideals | needs.ideals & truth_window=k | !gain=binary & needs.ideals => ideals
needs.returned | no_truth=one_if_both_empty => lengths_count
needs.lengths | no_recs=skip | users=intersection | no_truth=one/one_if_both_empty/zero | users=union => lists_read
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k | needs.ranks => ranked_read
!judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.hits_at_k & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.hits_at_k & rank_by=score & ties=item_asc/item_desc | !judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.hits_of_list & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.hits_of_list & rank_by=score & ties=item_asc/item_desc | !judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.splits_at_k & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.splits_at_k & rank_by=score & ties=item_asc/item_desc => ranks_counted
!duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.hits_at_k & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_at_k & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.hits_at_k & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_at_k & rank_by=score | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.hits_of_list & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_of_list & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.hits_of_list & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_of_list & rank_by=score | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.splits_at_k & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.splits_at_k & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.splits_at_k & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.splits_at_k & rank_by=score => ranks_of_hits
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k => recommended_read
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k | needs.ranks | needs.lengths | no_recs=skip | users=intersection | no_truth=one/one_if_both_empty/zero | users=union => rows_read
!train= & needs.hits_at_k & seen=drop | !train= & needs.hits_of_list & seen=drop | !train= & needs.splits_at_k & seen=drop | !train= & needs.ranks & seen=drop | !train= & needs.lengths & seen=drop | !train= & no_recs=skip & seen=drop | !train= & seen=drop & users=intersection | !train= & no_truth=one/one_if_both_empty/zero & seen=drop | !train= & seen=drop & users=union | !train= & seen=error => seen_read
averaged & no_truth=error/skip/zero/zero_below_threshold & users=truth & zero_ideal=null/one/zero & zero_without_hits => sparse
needs.hits_at_k | needs.splits_at_k => step.hits_in_force
!closed_up & !duplicates=first/last/set => fast.lists
== rules.4 ==
!train= & by_activity | !train= & seen_read => step.given_train
rows_read & unseen_alone => step.unseen_recs
!candidates= & rows_read => step.candidate_recs
needs.preferences | judged_only=true & rows_read => step.judged
judged_only=true & ranked_read | judged_only=true & lists_read => step.judged_recs
!rank_by=rank & ranked_read => step.scored
hits_read | ideals | needs.entries => step.relevant
hits_read & ties=best/worst => step.placed
hits_read & ties=expected => step.tied_hits
!rank_by=score | !closed_up & !duplicates=first/last/set & lists_read => step.list_ranks
grouped | needs.hits_at_k & sparse => fast.users_at_k
== steps ==
 => step.given_recs
 => step.given_truth
users=table => step.given_users
by_table => step.given_segments
step.given_train => step.given_train
candidates_read => step.given_candidates
 => step.cutoffs
seen_read => step.seen_items
step.unseen_recs => step.unseen_recs
candidates_read => step.candidate_items
step.candidate_recs => step.candidate_recs
step.judged => step.judged
step.judged_recs => step.judged_recs
 => step.fingerprints
ranks_of_hits => step.likely_hits
ranks_of_hits => step.floors
ranks_counted => step.counted
ranks_of_hits => step.contenders
step.scored => step.scored
ranked_read => step.ranked
recommended_read => step.recommended
 => step.suspects
 => step.repeaters
 => step.folded
step.relevant => step.relevant
 => step.users
needs.entries => step.entries
ideals => step.examples
ideals => step.ideals
hits_read => step.possible_hits
hits_read => step.found
step.placed => step.placed
step.tied_hits => step.tied_hits
hits_read => step.hits
step.hits_in_force => step.hits_in_force
needs.readings => step.readings
needs.harmonics => step.harmonics
needs.hits_at_k => step.hits_at_k
needs.preferences => step.rejected
needs.preferences => step.rejections
needs.preferences => step.preferences
needs.hits_of_list => step.hits_of_list
needs.splits_at_k => step.splits
needs.splits_at_k => step.splits_at_k
step.list_ranks => step.list_ranks
lists_read => step.lists
needs.ranks => step.gaps
 => step.models
!plain_population => step.candidates
!plain_population => step.members
 => step.population
grouped => step.first_hits
grouped => step.alike
 => step.users_at_k
needs.discounts => step.discounts
 => step.at_k
 => step.per_user of per_user
by_activity => step.activities
!by= => step.segment_tables
!by= => step.segment_values
by_quantile => step.segment_quantiles
!by= => step.user_segments
!by= => step.segment_lists
!rank_by=score => step.unbroken
!rank_by=score => step.unproven
!rank_by=score => step.rank_bands
!rank_by=score => step.doubtful_recs
!rank_by=score => step.repeated_ranks
 => step.problems of per_user
== checks ==
!by= & by_activity => check.activity_users: check.activity_users
candidates_read => check.candidate_ids: check.candidate_ids
candidates_read => check.candidate_truth: check.candidate_truth
lengths_count & lists_read => check.crowded: check.crowded
duplicates=error & hits_read => check.duplicates: check.duplicates
 => check.fold_column: check.fold_column
hits_read & step.relevant & ties=best/worst => check.gains_below_zero: check.gains_below_zero
needs.gains => check.gains_out_of_range: check.gains_out_of_range
needs.readings => check.grades: check.grades
!rank_by=rank & ties=input => check.input_order: check.input_order
truth_check=leave_one_out => check.leave_one_out: check.leave_one_out
!by= & by_table & multiple=error => check.multiple: check.multiple
ranked_read & ties=best/expected/worst & truth_window=k/rank => check.no_order: check.no_order
no_truth=error => check.no_truth: check.no_truth
 => check.nobody: check.nobody
!rank_by=score => check.ranks: check.ranks
 => check.recs_columns: check.recs_columns
 => check.recs_ids: check.recs_ids
 => check.relevance: check.relevance
!rank_by=score => check.same_rank: check.same_rank
!rank_by=rank => check.scores: check.scores
seen=error & seen_read => check.seen_items: check.seen_items
seen_read => check.seen_users: check.seen_users
!by= => check.segment_columns: check.segment_columns
!by= => check.segment_lists: check.segment_lists
!by= & with_cuts => check.segment_numbers: check.segment_numbers
!by= & with_crossed => check.segment_texts: check.segment_texts
!by= => check.segment_values: check.segment_values
duplicates=count/hole/set & step.scored & ties=best/expected/worst => check.tied_copies: check.tied_copies
step.scored & ties=error => check.ties: check.ties
 => check.truth_columns: check.truth_columns
 => check.truth_ids: check.truth_ids
truth_window=k/rank | ideal=truth_as_given => check.truth_rank: check.truth_rank
== last ==
target.per_user
== looked_up ==
t.relevance$$;

-- the program of compare
create or replace macro recsql.compare_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
truth_check|choice|any|any leave_one_out
discount|choice|log2p1|log2p1 jk2002 ln1p geometric none
discount_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
gain|choice|linear|linear binary exp2 exp2_shifted map
gain_map|text||
zero_ideal|choice|null|null skip zero one
relevant|choice|positive|positive present
relevance_threshold|number||any -inf -inf inf inf
interval|number|0.95e0|any 0.5e0 -inf inf 1.0e0 above 0.5 and below 1
by|text||
segments|table||
multiple|choice|each|each error
min_users|number|1|whole -inf 1.0e0 inf inf at least 1
no_truth|choice|skip|skip zero zero_below_threshold one one_if_both_empty error
.ap_denominator|choice|achievable|achievable relevant achievable_returned hits k
.bpref_empty|choice|one|one null
.err_normalize|choice|none|none ideal
err_max_grade|number|4|whole -inf 1.0e0 100.0e0 inf at least 1 and at most 100
.beta|number|1|any 0.0e0 -inf 1000000.0e0 inf above 0 and at most 1000000
.precision_denominator|choice|k|k returned achievable
.r_precision_cut|choice|list|list k
rbp_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
.rbp_normalize|choice|none|none achievable
.recall_denominator|choice|relevant|relevant achievable
.rr_cutoff|choice|k|k none
catalog_size|number||whole 0.0e0 -inf 1000000000000.0e0 inf above 0 and at most 1000000000000
ideal|choice|truth|truth constant truth_uncut truth_returned candidates truth_as_given
candidates|given||
margin|number|0|any -inf -inf inf inf
contributions|choice|false|false true
correction|choice|holm|holm bonferroni bh none
family|choice|all|all metric
users|table|truth|truth intersection union
truth_window|choice|all|all k rank
judged_only|choice|false|false true
baseline|text||
effect|choice|cohen|cohen hedges
power|number|0.8e0|any 0.5e0 -inf inf 1.0e0 above 0.5 and below 1
no_recs|choice|zero|zero skip
rank_by|choice||rank score position
duplicates|choice|error|error first hole count set last
ties|choice|item_asc|item_asc item_desc input expected best worst error
test|choice|t|t randomisation wilcoxon sign
alternative|choice|two_sided|two_sided greater less
train|table||
seen|choice|keep|keep drop error
interval_method|choice|auto|auto wilson t groups
groups|number|64|whole -inf 8.0e0 1024.0e0 inf at least 8 and at most 1024
.f1_average|choice|per_user|per_user of_means
== metrics ==
ndcg
recall
precision
ap
hit
rr
bpref
cg
dcg
err
f1
fn
fp
hits
idcg
mean_precision
r_precision
rbp
tn
tp
== usual_metrics ==
ndcg
recall
precision
ap
hit
rr
== available ==
 => ndcg
 => recall
 => precision
 => ap
 => hit
 => rr
 => cg
 => dcg
 => f1
 => fn
 => fp
 => hits
 => idcg
 => mean_precision
 => rbp
!catalog_size= => tn
 => tp
== apart ==
!given no_recs & like=jurity => ap
!given no_recs & like=jurity => precision
!given truth_window & like=pyspark_udf => ap
!given no_recs & like=recommenders => ndcg
!given duplicates & like=replay => ap
!given duplicates & like=replay => ndcg
!given ties & like=torchmetrics => ndcg
== idle ==
!discount=geometric & unusual discount_p => discount_p: it applies only if discount = 'geometric'; set that as well, or leave discount_p out
!gain=map & unusual gain_map => gain_map: it applies only if gain = 'map'; set that as well, or leave gain_map out
!alternative=greater/less & unusual margin => margin: it applies only if alternative = 'greater' or 'less'; set that as well, or leave margin out
!test=t & unusual margin => margin: it applies only if test = 't'; set that as well, or leave margin out
interval= & unusual interval_method => interval_method: it applies only with interval; give that as well, or leave interval_method out
interval= & unusual groups => groups: it applies only with interval; give that as well, or leave groups out
by= & unusual segments => segments: it applies only with by; give that as well, or leave segments out
by= & unusual multiple => multiple: it applies only with by; give that as well, or leave multiple out
by= & unusual min_users => min_users: it applies only with by; give that as well, or leave min_users out
by= & unusual contributions => contributions: it applies only with by; give that as well, or leave contributions out
seen=drop & train= => seen = 'drop': it removes or refuses what users have in train; give the table train as well
seen=error & train= => seen = 'error': it removes or refuses what users have in train; give the table train as well
!with_activity & given train & seen=keep => train: it is read only for by = 'train.activity' and for seen here; give one of these, or leave train out
== refused ==
.metric=bpref & ties=expected => bpref can't be computed with ties = 'expected'; choose another value, or leave bpref out
.metric=bpref & truth_window=k => bpref can't be computed with truth_window = 'k'; choose another value, or leave bpref out
.metric=bpref & truth_window=rank => bpref can't be computed with truth_window = 'rank'; choose another value, or leave bpref out
.metric=err & ties=expected => err can't be computed with ties = 'expected'; choose another value, or leave err out
.err_normalize=ideal & .metric=err & truth_window=k => err can't be computed with err_normalize = 'ideal' and truth_window = 'k'; choose another value, or leave err out
.metric=tn & catalog_size= => tn needs the option catalog_size
!interval= & .metric=ndcg & duplicates=count & interval_method=wilson | !interval= & .metric=ndcg & gain=map & interval_method=wilson | !interval= & .metric=ndcg & ideal=constant/truth_as_given & interval_method=wilson | !interval= & .metric=ndcg & interval_method=wilson & relevant=present | !interval= & !relevance_threshold= & !relevance_threshold>0 & .metric=ndcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which ndcg need not be; use interval_method = auto
!interval= & .metric=recall & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which recall need not be; use interval_method = auto
!interval= & .metric=precision & .precision_denominator=achievable & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which precision need not be; use interval_method = auto
!interval= & .metric=ap & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which ap need not be; use interval_method = auto
!interval= & .metric=bpref & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which bpref need not be; use interval_method = auto
!interval= & .metric=cg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which cg need not be; use interval_method = auto
!interval= & .metric=dcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which dcg need not be; use interval_method = auto
!interval= & .err_normalize=ideal & .metric=err & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which err need not be; use interval_method = auto
!interval= & .f1_average=of_means & .metric=f1 & interval_method=wilson | !interval= & .metric=f1 & duplicates=count & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which f1 need not be; use interval_method = auto
!interval= & .metric=fn & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which fn need not be; use interval_method = auto
!interval= & .metric=fp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which fp need not be; use interval_method = auto
!interval= & .metric=hits & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which hits need not be; use interval_method = auto
!interval= & .metric=idcg & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which idcg need not be; use interval_method = auto
!interval= & .metric=rbp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which rbp need not be; use interval_method = auto
!interval= & .metric=tn & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which tn need not be; use interval_method = auto
!interval= & .metric=tp & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which tp need not be; use interval_method = auto
== labels ==
3|discount||ndcg dcg idcg
3|discount|zero_ideal=skip|recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp
4|discount_p||ndcg dcg idcg
4|discount_p|zero_ideal=skip|recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp
5|gain||ndcg cg dcg err idcg rbp
5|gain|zero_ideal=skip|recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp
6|gain_map||ndcg cg dcg err idcg rbp
6|gain_map|zero_ideal=skip|recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp
7|zero_ideal||
8|relevant||
9|relevance_threshold||
15|no_truth||
16|denominator||ap
17|empty||bpref
18|normalize||err
19|max_grade||err
20|beta||f1
21|denominator||precision
21|precision_denominator||f1
22|cut||r_precision
23|p||rbp
24|normalize||rbp
25|denominator||recall
25|recall_denominator||f1
26|cutoff||rr
28|ideal||ndcg idcg
28|ideal|zero_ideal=skip|recall precision ap hit rr bpref cg dcg err f1 fn fp hits mean_precision r_precision rbp tn tp
29|candidates||
34|users||
35|truth_window||
36|judged_only||
40|no_recs||
41|rank_by||
42|duplicates||
43|ties||
47|seen||
50|average||f1
== cut ==
.metric=mean_precision | .ap_denominator=k & .metric=ap | .metric=f1 & .precision_denominator=k | .metric=precision & .precision_denominator=k | .metric=idcg/ndcg & ideal=constant => cut
== roles ==
recs
truth
users
segments
train
candidates
== of_users ==

== required ==
recs
truth
== above ==
relevance_threshold>0
== of_any ==
any(!.by_wilson)
any(!.f1_average=per_user, .metric=f1)
any(!.r_precision_cut=k, .metric=r_precision)
any(!.rr_cutoff=k, .metric=rr)
any(.ap_denominator=achievable/achievable_returned/relevant, .metric=ap)
any(.ap_denominator=achievable_returned, .metric=ap)
any(.ap_denominator=hits, .metric=ap)
any(.err_normalize=ideal, .metric=err)
any(.metric=ap)
any(.metric=bpref)
any(.metric=bpref/f1/fn/r_precision/recall/tn)
any(.metric=cg)
any(.metric=dcg/ndcg)
any(.metric=err)
any(.metric=f1, .precision_denominator=returned)
any(.metric=f1/fp/hits/precision/recall/tp)
any(.metric=fn)
any(.metric=fn/tn)
any(.metric=fp)
any(.metric=fp/tn)
any(.metric=hit)
any(.metric=idcg)
any(.metric=idcg/ndcg)
any(.metric=mean_precision)
any(.metric=ndcg)
any(.metric=precision, .precision_denominator=achievable)
any(.metric=precision, .precision_denominator=returned)
any(.metric=r_precision, .r_precision_cut=k)
any(.metric=r_precision, .r_precision_cut=list)
any(.metric=rbp)
any(.metric=rbp, .rbp_normalize=achievable)
any(.metric=rr, .rr_cutoff=k)
any(.metric=rr, .rr_cutoff=none)
any(.metric=tn)
== sets ==
.ap_denominator=achievable | .ap_denominator=achievable_returned | .ap_denominator=relevant => .ap_denominator=achievable/achievable_returned/relevant
.metric=ap | .metric=bpref | .metric=err | .metric=f1 | .metric=hit | .metric=mean_precision | .metric=ndcg | .metric=precision | .metric=r_precision | .metric=recall | .metric=rr => .metric=ap/bpref/err/f1/hit/mean_precision/ndcg/precision/r_precision/recall/rr
.metric=bpref | .metric=f1 | .metric=fn | .metric=r_precision | .metric=recall | .metric=tn => .metric=bpref/f1/fn/r_precision/recall/tn
.metric=dcg | .metric=ndcg => .metric=dcg/ndcg
.metric=f1 | .metric=fp | .metric=hits | .metric=precision | .metric=recall | .metric=tp => .metric=f1/fp/hits/precision/recall/tp
.metric=fn | .metric=tn => .metric=fn/tn
.metric=fp | .metric=tn => .metric=fp/tn
.metric=idcg | .metric=ndcg => .metric=idcg/ndcg
alternative=greater | alternative=less => alternative=greater/less
duplicates=count | duplicates=error | duplicates=hole | duplicates=set => duplicates=count/error/hole/set
duplicates=count | duplicates=hole | duplicates=set => duplicates=count/hole/set
duplicates=first | duplicates=last => duplicates=first/last
duplicates=first | duplicates=last | duplicates=set => duplicates=first/last/set
gain=binary | gain=exp2 | gain=linear => gain=binary/exp2/linear
gain=exp2 | gain=exp2_shifted => gain=exp2/exp2_shifted
ideal=constant | ideal=truth | ideal=truth_uncut => ideal=constant/truth/truth_uncut
ideal=constant | ideal=truth_as_given => ideal=constant/truth_as_given
ideal=truth | ideal=truth_returned | ideal=truth_uncut => ideal=truth/truth_returned/truth_uncut
no_truth=error | no_truth=skip => no_truth=error/skip
no_truth=one | no_truth=one_if_both_empty | no_truth=zero => no_truth=one/one_if_both_empty/zero
no_truth=one | no_truth=one_if_both_empty | no_truth=zero | no_truth=zero_below_threshold => no_truth=one/one_if_both_empty/zero/zero_below_threshold
ties=best | ties=expected | ties=worst => ties=best/expected/worst
ties=best | ties=worst => ties=best/worst
ties=item_asc | ties=item_desc => ties=item_asc/item_desc
truth_window=all | truth_window=rank => truth_window=all/rank
truth_window=k | truth_window=rank => truth_window=k/rank
zero_ideal=null | zero_ideal=one | zero_ideal=zero => zero_ideal=null/one/zero
== of_metrics ==
!duplicates=count & !gain=map & !ideal=constant/truth_as_given & !interval_method=groups & !interval_method=t & !relevant=present & .metric=ndcg & relevance_threshold= | !duplicates=count & !gain=map & !ideal=constant/truth_as_given & !interval_method=groups & !interval_method=t & !relevant=present & .metric=ndcg & relevance_threshold>0 | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=recall | !.precision_denominator=achievable & !interval_method=groups & !interval_method=t & .metric=precision | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=precision | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=ap | !interval_method=groups & !interval_method=t & .metric=hit | !interval_method=groups & !interval_method=t & .metric=rr | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=bpref | !.err_normalize=ideal & !interval_method=groups & !interval_method=t & .metric=err | !duplicates=count & !interval_method=groups & !interval_method=t & .metric=err | !.f1_average=of_means & !duplicates=count & !interval_method=groups & !interval_method=t & .metric=f1 | !interval_method=groups & !interval_method=t & .metric=mean_precision | !interval_method=groups & !interval_method=t & .metric=r_precision => .by_wilson
.metric=ndcg & interval_method=groups | .metric=recall & interval_method=groups | .metric=precision & interval_method=groups | .metric=ap & interval_method=groups | .metric=hit & interval_method=groups | .metric=rr & interval_method=groups | .metric=bpref & interval_method=groups | .metric=cg & interval_method=groups | .metric=dcg & interval_method=groups | .metric=err & interval_method=groups | .metric=f1 & interval_method=groups | .f1_average=of_means & .metric=f1 | .metric=fn & interval_method=groups | .metric=fp & interval_method=groups | .metric=hits & interval_method=groups | .metric=idcg & interval_method=groups | .metric=mean_precision & interval_method=groups | .metric=r_precision & interval_method=groups | .metric=rbp & interval_method=groups | .metric=tn & interval_method=groups | .metric=tp & interval_method=groups => .by_groups
== rules.1 ==
 => averaged
== rules.2 ==
!any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & gain=binary/exp2/linear & ideal=constant/truth/truth_uncut & relevance_threshold= & relevant=positive & truth_window=all/rank | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & gain=binary/exp2/linear & ideal=constant/truth/truth_uncut & relevance_threshold>0 & relevant=positive & truth_window=all/rank | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=tn) & zero_ideal=zero | !any(!.f1_average=per_user, .metric=f1) & !any(!.r_precision_cut=k, .metric=r_precision) & !any(!.rr_cutoff=k, .metric=rr) & !any(.metric=bpref) & !any(.metric=fn) & !any(.metric=fp) & !any(.metric=idcg) & !any(.metric=ndcg) & !any(.metric=tn) => zero_without_hits
no_truth=one_if_both_empty | any(.metric=fp/tn) | any(.ap_denominator=achievable_returned, .metric=ap) | any(.metric=f1, .precision_denominator=returned) | any(.metric=precision, .precision_denominator=returned) | any(.metric=rbp, .rbp_normalize=achievable) | any(.metric=idcg/ndcg) & ideal=truth_returned | ideal=truth_returned & zero_ideal=skip => needs.lengths
any(.metric=fp/tn) | any(.ap_denominator=achievable_returned, .metric=ap) | any(.metric=f1, .precision_denominator=returned) | any(.metric=precision, .precision_denominator=returned) | any(.metric=rbp, .rbp_normalize=achievable) | any(.metric=idcg/ndcg) & ideal=truth_returned | ideal=truth_returned & zero_ideal=skip => needs.returned
any(.err_normalize=ideal, .metric=err) => needs.ideal_stop
!truth_window=k & any(.metric=idcg/ndcg) & ideal=truth/truth_returned/truth_uncut | !truth_window=k & ideal=truth/truth_returned/truth_uncut & zero_ideal=skip | any(.err_normalize=ideal, .metric=err) => needs.ideals
any(.metric=hit) | any(.metric=cg) | any(.metric=dcg/ndcg) | any(.metric=fn/tn) | any(.metric=err) | any(.metric=f1/fp/hits/precision/recall/tp) | any(.ap_denominator=hits, .metric=ap) | any(.metric=r_precision, .r_precision_cut=k) | any(.metric=rbp) | any(.metric=ap) | any(.metric=mean_precision) | any(.metric=rr, .rr_cutoff=k) => needs.hits_at_k
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip | any(.metric=bpref) | any(.metric=r_precision, .r_precision_cut=list) | any(.metric=rr, .rr_cutoff=none) => needs.hits_of_list
any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.splits_at_k
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip | any(.metric=bpref) | any(.metric=r_precision, .r_precision_cut=list) | any(.metric=rr, .rr_cutoff=none) | duplicates=first/last => needs.whole_list
any(.metric=fp/tn) | any(.ap_denominator=achievable_returned, .metric=ap) | any(.metric=f1, .precision_denominator=returned) | any(.metric=precision, .precision_denominator=returned) | any(.metric=rbp, .rbp_normalize=achievable) | any(.metric=idcg/ndcg) & ideal=truth_returned | ideal=truth_returned & zero_ideal=skip => needs.ranks
any(.metric=bpref) => needs.preferences
!rank_by=rank & !rank_by=score => any_order
!by= & with_activity => by_activity
!by= & with_columns => by_column
!by= & with_quantiles => by_quantile
!by= & !segments= => by_table
judged_only=true | !train= & seen=drop | !candidates= => closed_up
no_truth=one/one_if_both_empty/zero | users=union => owners_count
!by= => pairs_sliced
no_recs=zero & no_truth=error/skip & users=truth => plain_population
no_recs=skip | users=intersection => served_alone
test=wilcoxon | test=randomisation => sizes_read
no_truth=one/one_if_both_empty/zero/zero_below_threshold | users=union => truthless
!train= & seen=drop => unseen_alone
any(.metric=idcg/ndcg) & ideal=truth_as_given | any(.metric=idcg/ndcg) & ideal=truth/truth_returned/truth_uncut & truth_window=k | ideal=truth_as_given & zero_ideal=skip | ideal=truth/truth_returned/truth_uncut & truth_window=k & zero_ideal=skip => needs.entries
any(.metric=err) => needs.readings
any(.metric=mean_precision) | any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.harmonics
!ideal=truth_as_given & any(.metric=idcg/ndcg) | !ideal=truth_as_given & zero_ideal=skip => needs.discounts
any(.metric=idcg/ndcg) & ideal=truth_as_given | ideal=truth_as_given & zero_ideal=skip | truth_window=k/rank => needs.truth_rank
any(.metric=hit) => needs.any_hit
any(.metric=cg) => needs.cg
any(.metric=dcg/ndcg) => needs.dcg
any(.metric=fn/tn) => needs.distinct_hits
any(.metric=err) => needs.expected_stop
any(.metric=f1/fp/hits/precision/recall/tp) | any(.ap_denominator=hits, .metric=ap) => needs.hits
any(.metric=r_precision, .r_precision_cut=k) => needs.hits_to_r
any(.metric=rbp) => needs.persistent_gain
any(.metric=ap) => needs.precision_sum
any(.metric=mean_precision) => needs.precision_total
any(.metric=rr, .rr_cutoff=k) => needs.reciprocal_rank
any(.metric=idcg/ndcg) & ideal=candidates | ideal=candidates & zero_ideal=skip => needs.candidate_gains
any(.metric=bpref) => needs.hits_anywhere
any(.metric=r_precision, .r_precision_cut=list) => needs.hits_to_r_anywhere
any(.metric=bpref) => needs.preceded
any(.metric=rr, .rr_cutoff=none) => needs.reciprocal_rank_anywhere
any(.ap_denominator=hits, .metric=ap) & ties=best/expected/worst => needs.split_precision
any(.metric=idcg/ndcg) | zero_ideal=skip => needs.idcg
any(.metric=bpref) => needs.not_relevant
any(.metric=bpref/f1/fn/r_precision/recall/tn) | any(.ap_denominator=achievable/achievable_returned/relevant, .metric=ap) | any(.metric=precision, .precision_denominator=achievable) | any(.metric=rbp, .rbp_normalize=achievable) | zero_ideal=skip | !no_truth=error/skip | users=union => needs.relevant
any(.metric=cg) | any(.metric=dcg/ndcg) | any(.metric=err) | any(.metric=idcg/ndcg) | zero_ideal=skip | any(.err_normalize=ideal, .metric=err) | any(.metric=rbp) => needs.gains
== rules.3 ==
!candidates= & needs.hits_at_k | !candidates= & needs.hits_of_list | !candidates= & needs.splits_at_k | !candidates= & needs.ranks | !candidates= & needs.lengths | !candidates= & no_recs=skip | !candidates= & users=intersection | !candidates= & no_truth=one/one_if_both_empty/zero | !candidates= & users=union => candidates_read
needs.whole_list | ties=best/expected/worst => each_apart
!needs.ideal_stop & !truth_window=k & gain=binary => gains_of_one
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k => hits_read
needs.ideal_stop & needs.ideals | needs.ideals & truth_window=k | !gain=binary & needs.ideals => ideals
needs.returned | no_truth=one_if_both_empty => lengths_count
needs.lengths | no_recs=skip | users=intersection | no_truth=one/one_if_both_empty/zero | users=union => lists_read
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k | needs.ranks => ranked_read
!judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.hits_at_k & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.hits_at_k & rank_by=score & ties=item_asc/item_desc | !judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.hits_of_list & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.hits_of_list & rank_by=score & ties=item_asc/item_desc | !judged_only=true & !needs.preferences & !needs.ranks & candidates= & duplicates=count/error/hole/set & needs.splits_at_k & rank_by=score & ties=item_asc/item_desc & train= | !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & candidates= & duplicates=count/error/hole/set & needs.splits_at_k & rank_by=score & ties=item_asc/item_desc => ranks_counted
!duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.hits_at_k & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_at_k & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.hits_at_k & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_at_k & rank_by=score | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.hits_of_list & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_of_list & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.hits_of_list & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.hits_of_list & rank_by=score | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=error & candidates= & needs.splits_at_k & rank_by=score & train= | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !ties=best/expected/worst & !ties=error & candidates= & needs.splits_at_k & rank_by=score & train= | !duplicates=count/hole/set & !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=error & candidates= & needs.splits_at_k & rank_by=score | !duplicates=last & !judged_only=true & !needs.preferences & !needs.ranks & !seen=drop & !ties=best/expected/worst & !ties=error & candidates= & needs.splits_at_k & rank_by=score => ranks_of_hits
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k => recommended_read
needs.hits_at_k | needs.hits_of_list | needs.splits_at_k | needs.ranks | needs.lengths | no_recs=skip | users=intersection | no_truth=one/one_if_both_empty/zero | users=union => rows_read
!train= & needs.hits_at_k & seen=drop | !train= & needs.hits_of_list & seen=drop | !train= & needs.splits_at_k & seen=drop | !train= & needs.ranks & seen=drop | !train= & needs.lengths & seen=drop | !train= & no_recs=skip & seen=drop | !train= & seen=drop & users=intersection | !train= & no_truth=one/one_if_both_empty/zero & seen=drop | !train= & seen=drop & users=union | !train= & seen=error => seen_read
!any(!.by_wilson) & !test=randomisation & !test=wilcoxon & averaged & by= & no_recs=zero & no_truth=error/skip & users=truth & zero_ideal=null/one/zero & zero_without_hits => sparse
needs.hits_at_k | needs.splits_at_k => step.hits_in_force
!closed_up & !duplicates=first/last/set => fast.lists
== rules.4 ==
!train= & by_activity | !train= & seen_read => step.given_train
rows_read & unseen_alone => step.unseen_recs
!candidates= & rows_read => step.candidate_recs
needs.preferences | judged_only=true & rows_read => step.judged
judged_only=true & ranked_read | judged_only=true & lists_read => step.judged_recs
!rank_by=rank & ranked_read => step.scored
hits_read | ideals | needs.entries => step.relevant
hits_read & ties=best/worst => step.placed
hits_read & ties=expected => step.tied_hits
!rank_by=score | !closed_up & !duplicates=first/last/set & lists_read => step.list_ranks
grouped | needs.hits_at_k & sparse => fast.users_at_k
== steps ==
 => step.given_recs
 => step.given_truth
users=table => step.given_users
by_table => step.given_segments
step.given_train => step.given_train
candidates_read => step.given_candidates
 => step.cutoffs
seen_read => step.seen_items
step.unseen_recs => step.unseen_recs
candidates_read => step.candidate_items
step.candidate_recs => step.candidate_recs
step.judged => step.judged
step.judged_recs => step.judged_recs
 => step.fingerprints
ranks_of_hits => step.likely_hits
ranks_of_hits => step.floors
ranks_counted => step.counted
ranks_of_hits => step.contenders
step.scored => step.scored
ranked_read => step.ranked
recommended_read => step.recommended
 => step.suspects
 => step.repeaters
 => step.folded
step.relevant => step.relevant
 => step.users
needs.entries => step.entries
ideals => step.examples
ideals => step.ideals
hits_read => step.possible_hits
hits_read => step.found
step.placed => step.placed
step.tied_hits => step.tied_hits
hits_read => step.hits
step.hits_in_force => step.hits_in_force
needs.readings => step.readings
needs.harmonics => step.harmonics
needs.hits_at_k => step.hits_at_k
needs.preferences => step.rejected
needs.preferences => step.rejections
needs.preferences => step.preferences
needs.hits_of_list => step.hits_of_list
needs.splits_at_k => step.splits
needs.splits_at_k => step.splits_at_k
step.list_ranks => step.list_ranks
lists_read => step.lists
needs.ranks => step.gaps
 => step.models
!plain_population => step.candidates
!plain_population => step.members
 => step.population
grouped => step.first_hits
grouped => step.alike
 => step.users_at_k
needs.discounts => step.discounts
 => step.at_k
 => step.per_user
by_activity => step.activities
!by= => step.segment_tables
!by= => step.segment_values
by_quantile => step.segment_quantiles
!by= => step.user_segments
!by= => step.slices
sparse => step.totals of compare
sparse => step.headcount
sparse => step.census
 => step.asked
 => step.model_pairs
!sparse => step.differences
pairs_sliced => step.segment_pairs
pairs_sliced => step.sliced_differences
sparse => step.shared
 => step.paired_sums
sizes_read => step.alike_differences
test=wilcoxon => step.signed_ranks
test=randomisation => step.sizes
test=randomisation => step.flipped
 => step.paired
!rank_by=score => step.unbroken
!rank_by=score => step.unproven
!rank_by=score => step.rank_bands
!rank_by=score => step.doubtful_recs
!rank_by=score => step.repeated_ranks
 => step.problems of compare
== checks ==
!by= & by_activity => check.activity_users: check.activity_users
!baseline= => check.baseline: check.baseline
candidates_read => check.candidate_ids: check.candidate_ids
candidates_read => check.candidate_truth: check.candidate_truth
lengths_count & lists_read => check.crowded: check.crowded
duplicates=error & hits_read => check.duplicates: check.duplicates
 => check.fold_column: check.fold_column
hits_read & step.relevant & ties=best/worst => check.gains_below_zero: check.gains_below_zero
needs.gains => check.gains_out_of_range: check.gains_out_of_range
needs.readings => check.grades: check.grades
!rank_by=rank & ties=input => check.input_order: check.input_order
truth_check=leave_one_out => check.leave_one_out: check.leave_one_out
!by= & by_table & multiple=error => check.multiple: check.multiple
ranked_read & ties=best/expected/worst & truth_window=k/rank => check.no_order: check.no_order
no_truth=error => check.no_truth: check.no_truth
 => check.nobody: check.nobody
 => check.one_model: check.one_model
!rank_by=score => check.ranks: check.ranks
 => check.recs_columns: check.recs_columns
 => check.recs_ids: check.recs_ids
 => check.relevance: check.relevance
!rank_by=score => check.same_rank: check.same_rank
!rank_by=rank => check.scores: check.scores
seen=error & seen_read => check.seen_items: check.seen_items
seen_read => check.seen_users: check.seen_users
!by= => check.segment_columns: check.segment_columns
!by= => check.segment_lists: check.segment_lists
!by= & with_cuts => check.segment_numbers: check.segment_numbers
!by= & with_crossed => check.segment_texts: check.segment_texts
!by= => check.segment_values: check.segment_values
!by= => check.segments: check.segments
duplicates=count/hole/set & step.scored & ties=best/expected/worst => check.tied_copies: check.tied_copies
step.scored & ties=error => check.ties: check.ties
 => check.truth_columns: check.truth_columns
 => check.truth_ids: check.truth_ids
truth_window=k/rank | ideal=truth_as_given => check.truth_rank: check.truth_rank
== last ==
target.paired
== looked_up ==
t.relevance$$;

-- the program of item_metrics
create or replace macro recsql.item_metrics_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
discount|choice|log2p1|log2p1 jk2002 ln1p geometric none
discount_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
interval|number||any 0.5e0 -inf inf 1.0e0 above 0.5 and below 1
interval_method|choice|auto|auto wilson t groups
groups|number|64|whole -inf 8.0e0 1024.0e0 inf at least 8 and at most 1024
by|text||
segments|table||
multiple|choice|each|each error
min_users|number|1|whole -inf 1.0e0 inf inf at least 1
.coverage_denominator|choice|catalog|catalog train count
.coverage_restrict|choice|true|true false
.entropy_scope|choice|items|items list category
.entropy_base|choice|2|2 e 10
.entropy_normalize|choice|none|none distinct log_catalog
.gini_population|choice|catalog|catalog recommended
.gini_divide|choice|n|n n_minus_1
.gini_orientation|choice|inequality|inequality equality
.gini_weight|choice|count|count exposure
novelty_base|choice|users|users interactions
novelty_unseen|choice|one|one skip zero max
.novelty_divide|choice|returned|returned k
.novelty_mean|choice|lists|lists rows
.novelty_log|choice|2|2 e 10
.novelty_normalize|choice|none|none log_users
popularity_base|choice|interactions|users interactions
popularity_unseen|choice|zero|zero skip error
.popularity_normalize|choice|none|none sum max
catalog_size|number||whole 0.0e0 -inf 1000000000000.0e0 inf above 0 and at most 1000000000000
candidates|given||
items|table||
smoothing|number|0|any -inf 0.0e0 inf inf at least 0
judged_only|choice|false|false true
rank_by|choice||rank score position
duplicates|choice|error|error first hole count set last
ties|choice|item_asc|item_asc item_desc input expected best worst error
train|table||
seen|choice|keep|keep drop error
== metrics ==
coverage
entropy
gini
novelty
popularity
== usual_metrics ==
coverage
entropy
gini
== available ==
!.coverage_denominator=catalog | !items= | !train= | !catalog_size= => coverage
 => entropy
!.gini_population=catalog | !items= | !train= | !catalog_size= => gini
== apart ==

== idle ==
!discount=geometric & unusual discount_p => discount_p: it applies only if discount = 'geometric'; set that as well, or leave discount_p out
!.novelty_mean=lists & unusual .novelty_divide => novelty_divide: it applies only if novelty_mean = 'lists'; set that as well, or leave novelty_divide out
!.novelty_normalize=none & unusual .novelty_log => novelty_log: it applies only if novelty_normalize = 'none'; set that as well, or leave novelty_log out
!novelty_base=users & unusual .novelty_normalize => novelty_normalize: it applies only if novelty_base = 'users'; set that as well, or leave novelty_normalize out
!.entropy_scope=category & unusual smoothing => smoothing: it applies only if entropy_scope = 'category'; set that as well, or leave smoothing out
interval= & unusual interval_method => interval_method: it applies only with interval; give that as well, or leave interval_method out
interval= & unusual groups => groups: it applies only with interval; give that as well, or leave groups out
by= & unusual segments => segments: it applies only with by; give that as well, or leave segments out
by= & unusual multiple => multiple: it applies only with by; give that as well, or leave multiple out
by= & unusual min_users => min_users: it applies only with by; give that as well, or leave min_users out
seen=drop & train= => seen = 'drop': it removes or refuses what users have in train; give the table train as well
seen=error & train= => seen = 'error': it removes or refuses what users have in train; give the table train as well
== refused ==
.coverage_denominator=catalog & .metric=coverage & catalog_size= & items= & train= => coverage needs the option items or train or catalog_size
.coverage_denominator=train & .metric=coverage & train= => coverage needs the option train
.entropy_normalize=log_catalog & .metric=entropy & catalog_size= & items= & train= => entropy needs the option items or train or catalog_size
.entropy_scope=category & .metric=entropy & items= => entropy needs the option items
.gini_population=catalog & .metric=gini & catalog_size= & items= & train= => gini needs the option items or train or catalog_size
.metric=novelty & train= => novelty needs the option train
.metric=popularity & train= => popularity needs the option train
== labels ==
2|discount||gini
3|discount_p||gini
11|denominator||coverage
12|restrict||coverage
13|scope||entropy
14|base||entropy
15|normalize||entropy
16|population||gini
17|divide||gini
18|orientation||gini
19|weight||gini
20|base||novelty
21|unseen||novelty
22|divide||novelty
23|mean||novelty
24|log||novelty
25|normalize||novelty
26|base||popularity
27|unseen||popularity
28|normalize||popularity
30|candidates||
32|smoothing||entropy
33|judged_only||
34|rank_by||
35|duplicates||
36|ties||
38|seen||
== cut ==
.metric=novelty & .novelty_divide=k & .novelty_mean=lists => cut
== roles ==
recs
items
segments
train
candidates
== of_users ==

== required ==
recs
== above ==
min_users>1
== of_any ==
any(!.coverage_denominator=train, .coverage_restrict=true, .metric=coverage)
any(!.entropy_normalize=log_catalog, .entropy_scope=items, .metric=entropy)
any(.coverage_denominator=catalog, .metric=coverage)
any(.coverage_denominator=train, .coverage_restrict=true, .metric=coverage)
any(.coverage_denominator=train, .metric=coverage)
any(.coverage_restrict=false, .metric=coverage)
any(.entropy_normalize=distinct, .metric=entropy)
any(.entropy_normalize=log_catalog, .entropy_scope=items, .metric=entropy)
any(.entropy_normalize=log_catalog, .entropy_scope=list, .metric=entropy)
any(.entropy_normalize=log_catalog, .metric=entropy)
any(.entropy_scope=category, .metric=entropy)
any(.entropy_scope=list, .metric=entropy)
any(.gini_population=catalog, .gini_weight=count, .metric=gini)
any(.gini_population=catalog, .gini_weight=exposure, .metric=gini)
any(.gini_population=catalog, .metric=gini)
any(.gini_population=recommended, .gini_weight=count, .metric=gini)
any(.gini_population=recommended, .gini_weight=exposure, .metric=gini)
any(.gini_population=recommended, .metric=gini)
any(.metric=novelty, .novelty_divide=k)
any(.metric=novelty, .novelty_divide=returned, .novelty_mean=lists)
any(.metric=novelty, .novelty_mean=lists)
any(.metric=novelty, .novelty_mean=rows)
any(.metric=novelty, .novelty_normalize=log_users)
any(.metric=popularity)
any(.metric=popularity, .popularity_normalize=max)
any(.metric=popularity, .popularity_normalize=sum)
== sets ==
.metric=coverage | .metric=gini => .metric=coverage/gini
duplicates=count | duplicates=hole | duplicates=set => duplicates=count/hole/set
duplicates=first | duplicates=last => duplicates=first/last
duplicates=first | duplicates=last | duplicates=set => duplicates=first/last/set
duplicates=hole | duplicates=set => duplicates=hole/set
ties=best | ties=expected | ties=worst => ties=best/expected/worst
== of_metrics ==
.metric=coverage | .metric=entropy | .metric=gini | .metric=novelty | .metric=popularity => .by_groups
!.coverage_denominator=count & !.coverage_restrict=false & .metric=coverage | .metric=entropy | .metric=gini | .metric=novelty | .metric=popularity => .within_bounds
== rules.1 ==
 => averaged
== rules.2 ==
any(.coverage_denominator=catalog, .metric=coverage) | any(.entropy_normalize=log_catalog, .metric=entropy) | any(.gini_population=catalog, .metric=gini) => needs.catalog_count
any(.gini_population=catalog, .gini_weight=exposure, .metric=gini) | any(.entropy_normalize=log_catalog, .entropy_scope=items, .metric=entropy) | any(!.coverage_denominator=train, .coverage_restrict=true, .metric=coverage) | any(.entropy_normalize=log_catalog, .entropy_scope=list, .metric=entropy) | any(.gini_population=catalog, .metric=gini) | !catalog_size= & any(.coverage_denominator=catalog, .metric=coverage) | !catalog_size= & any(.entropy_normalize=log_catalog, .metric=entropy) | any(.gini_population=catalog, .gini_weight=count, .metric=gini) => needs.catalog
any(.coverage_denominator=train, .coverage_restrict=true, .metric=coverage) | any(.coverage_denominator=train, .metric=coverage) => needs.train
any(.entropy_normalize=log_catalog, .entropy_scope=items, .metric=entropy) | any(!.coverage_denominator=train, .coverage_restrict=true, .metric=coverage) | any(.entropy_normalize=log_catalog, .entropy_scope=list, .metric=entropy) | any(.gini_population=catalog, .metric=gini) | !catalog_size= & any(.coverage_denominator=catalog, .metric=coverage) | !catalog_size= & any(.entropy_normalize=log_catalog, .metric=entropy) | any(.gini_population=catalog, .gini_weight=count, .metric=gini) | any(.coverage_restrict=false, .metric=coverage) | any(.entropy_normalize=distinct, .metric=entropy) | any(.gini_population=recommended, .metric=gini) | any(!.entropy_normalize=log_catalog, .entropy_scope=items, .metric=entropy) | any(.entropy_scope=list, .metric=entropy) | any(.gini_population=recommended, .gini_weight=count, .metric=gini) | any(.coverage_denominator=train, .coverage_restrict=true, .metric=coverage) => needs.items_at_k
any(.gini_population=catalog, .gini_weight=exposure, .metric=gini) | any(.gini_population=recommended, .gini_weight=exposure, .metric=gini) => needs.exposures_at_k
any(.metric=novelty, .novelty_mean=rows) | any(.metric=novelty, .novelty_mean=lists) | any(.metric=novelty, .novelty_divide=returned, .novelty_mean=lists) | any(.metric=novelty, .novelty_divide=k) | any(.metric=popularity) => needs.popularities_at_k
any(.metric=novelty, .novelty_mean=rows) | any(.metric=novelty, .novelty_mean=lists) | any(.metric=novelty, .novelty_divide=returned, .novelty_mean=lists) | any(.metric=novelty, .novelty_divide=k) => needs.novelties
any(.metric=popularity) => needs.popularities
!rank_by=rank & !rank_by=score => any_order
!by= & with_activity => by_activity
!by= & with_columns => by_column
!by= & with_quantiles => by_quantile
!by= & !segments= => by_table
!train= & seen=drop | !candidates= => closed_up
!interval= | !by= => lists_read
!train= & seen=drop | !train= & seen=error => seen_read
!by= & min_users>1 => small
!train= & seen=drop => unseen_alone
!items= | !train= => with_catalog
any(.entropy_scope=category, .metric=entropy) => needs.categories_at_k
any(.entropy_scope=list, .metric=entropy) => needs.weights
!by= | !interval= => step.list_counts
any(.gini_population=catalog, .gini_weight=exposure, .metric=gini) | any(.gini_population=recommended, .gini_weight=exposure, .metric=gini) => needs.exposures
any(.entropy_normalize=log_catalog, .entropy_scope=items, .metric=entropy) => needs.catalog_information
any(!.coverage_denominator=train, .coverage_restrict=true, .metric=coverage) | any(.entropy_normalize=log_catalog, .entropy_scope=list, .metric=entropy) | any(.gini_population=catalog, .metric=gini) | !catalog_size= & any(.coverage_denominator=catalog, .metric=coverage) | !catalog_size= & any(.entropy_normalize=log_catalog, .metric=entropy) => needs.catalog_items
any(.gini_population=catalog, .gini_weight=count, .metric=gini) => needs.catalog_place_sum
any(.gini_population=catalog, .gini_weight=count, .metric=gini) => needs.catalog_recommendations
any(.coverage_restrict=false, .metric=coverage) | any(.entropy_normalize=distinct, .metric=entropy) | any(.entropy_normalize=log_catalog, .entropy_scope=list, .metric=entropy) | any(.gini_population=recommended, .metric=gini) => needs.distinct_items
any(!.entropy_normalize=log_catalog, .entropy_scope=items, .metric=entropy) => needs.information
any(.entropy_scope=list, .metric=entropy) => needs.list_information
any(.entropy_scope=list, .metric=entropy) => needs.lists
any(.gini_population=recommended, .gini_weight=count, .metric=gini) => needs.place_sum
any(.gini_population=recommended, .gini_weight=count, .metric=gini) => needs.recommendations
any(.coverage_denominator=train, .coverage_restrict=true, .metric=coverage) => needs.train_items
any(.gini_population=catalog, .gini_weight=exposure, .metric=gini) => needs.catalog_exposure
any(.gini_population=catalog, .gini_weight=exposure, .metric=gini) => needs.catalog_exposure_place_sum
any(.gini_population=recommended, .gini_weight=exposure, .metric=gini) => needs.exposure
any(.gini_population=recommended, .gini_weight=exposure, .metric=gini) => needs.exposure_place_sum
any(.entropy_scope=category, .metric=entropy) => needs.category_information
any(.entropy_scope=category, .metric=entropy) => needs.category_lists
any(.metric=novelty, .novelty_mean=rows) => needs.novelty_items
any(.metric=novelty, .novelty_mean=lists) => needs.novelty_lists
any(.metric=novelty, .novelty_divide=returned, .novelty_mean=lists) => needs.novelty_means
any(.metric=novelty, .novelty_mean=rows) | any(.metric=novelty, .novelty_divide=k) => needs.novelty_total
any(.metric=popularity) => needs.popularity_lists
any(.metric=popularity) => needs.popularity_means
any(.coverage_denominator=catalog, .metric=coverage) | any(.entropy_normalize=log_catalog, .metric=entropy) | any(.gini_population=catalog, .metric=gini) => needs.catalog_size
any(.metric=popularity, .popularity_normalize=max) => needs.highest_popularity
any(.metric=popularity, .popularity_normalize=sum) => needs.train_popularity
any(.coverage_denominator=train, .metric=coverage) => needs.train_size
any(.metric=novelty, .novelty_normalize=log_users) => needs.train_users
== rules.3 ==
catalog_size= & needs.catalog_count | !items= & needs.catalog | !train= & needs.catalog => catalog_read
needs.items_at_k | needs.exposures_at_k => items_counted
needs.train | catalog_size= & items= & needs.catalog_count | !train= & items= & needs.catalog => train_read
needs.novelties & novelty_base=users | needs.popularities & popularity_base=users => train_users_counted
!rank_by=score | !closed_up & !duplicates=first/last/set & lists_read => step.list_ranks
!interval= & needs.weights => step.group_weights
!interval= & needs.items_at_k | !interval= & needs.exposures_at_k => step.group_counts
!interval= & needs.items_at_k => step.item_changes
needs.novelties & needs.popularities_at_k => step.train_totals
!closed_up & !duplicates=first/last/set => fast.lists
== rules.4 ==
!items= & catalog_read | !items= & needs.categories_at_k => step.given_items
!train= & train_read | !train= & needs.popularities_at_k | !train= & by_activity | !train= & seen_read => step.given_train
!train= & train_read => step.train_items
== steps ==
 => step.given_recs
by_table => step.given_segments
step.given_items => step.given_items
step.given_train => step.given_train
!candidates= => step.given_candidates
 => step.cutoffs
seen_read => step.seen_items
unseen_alone => step.unseen_recs
!candidates= => step.candidate_items
!candidates= => step.candidate_recs
!rank_by=rank => step.scored of item_metrics
 => step.ranked of item_metrics
 => step.recommended of item_metrics
step.list_ranks => step.list_ranks of item_metrics
lists_read => step.lists of item_metrics
 => step.models
by_activity => step.activities
!by= => step.segment_tables of item_metrics
!by= => step.segment_values of item_metrics
by_quantile => step.segment_quantiles
!by= => step.user_segments
!by= => step.slices
!interval= => step.grouped_users of item_metrics
!interval= => step.user_groups
 => step.listed
step.list_counts => step.list_counts
!interval= => step.left_out
!by= => step.list_segments
!by= => step.segments_of_lists
!interval= => step.served_users
items_counted => step.bands
items_counted => step.item_bands
items_counted => step.item_counts
step.train_items => step.train_items
catalog_read => step.catalog
needs.weights => step.list_sizes
needs.weights => step.list_shares
step.group_weights => step.group_weights
needs.weights => step.item_weights
step.group_counts => step.group_counts
step.item_changes => step.item_changes
needs.items_at_k => step.item_frequencies
needs.items_at_k => step.items_at_k
needs.exposures_at_k => step.item_exposures
needs.exposures_at_k => step.exposures_at_k
needs.categories_at_k => step.item_categories
needs.categories_at_k => step.category_counts
needs.categories_at_k => step.category_entropies
needs.categories_at_k => step.categories_at_k
needs.popularities_at_k => step.train_counts
step.train_totals => step.train_totals
needs.popularities_at_k => step.item_popularities
needs.popularities_at_k => step.list_popularities
needs.popularities_at_k => step.popularities_at_k
 => step.run_at_k
 => step.per_run
 => step.asked
 => step.summary of item_metrics
!interval= => step.jackknives of item_metrics
!interval= => step.group_spreads of item_metrics
!interval= => step.spreads of item_metrics
!interval= => step.degrees
!interval= => step.quantiles
!interval= => step.intervals of item_metrics
!rank_by=score => step.unbroken
!rank_by=score => step.unproven
!rank_by=score => step.rank_bands
!rank_by=score => step.doubtful_recs
!rank_by=score => step.repeated_ranks
 => step.problems of item_metrics
== checks ==
!by= & by_activity => check.activity_users: check.activity_users
!candidates= => check.candidate_ids: check.candidate_ids
needs.categories_at_k => check.categories: check.categories
needs.categories_at_k => check.category_lists: check.category_lists
 => check.fold_column: check.fold_column
!rank_by=rank & ties=input => check.input_order: check.input_order
!by= & by_table & multiple=error => check.multiple: check.multiple
ties=best/expected/worst => check.no_order: check.no_order
!rank_by=score => check.ranks: check.ranks
 => check.recs_columns: check.recs_columns
 => check.recs_ids: check.recs_ids
!rank_by=score => check.same_rank: check.same_rank
!rank_by=rank => check.scores: check.scores
seen=error & seen_read => check.seen_items: check.seen_items
seen_read => check.seen_users: check.seen_users
!by= => check.segment_columns: check.segment_columns of item_metrics
!by= => check.segment_lists: check.segment_lists of item_metrics
!by= & with_cuts => check.segment_numbers: check.segment_numbers
!by= & with_crossed => check.segment_texts: check.segment_texts
!by= => check.segment_values: check.segment_values of item_metrics
!by= => check.segments: check.segments of item_metrics
!rank_by=rank & duplicates=count/hole/set & ties=best/expected/worst => check.tied_copies: check.tied_copies of item_metrics
!rank_by=rank & ties=error => check.ties: check.ties
needs.popularities_at_k & train_users_counted => check.train_users: check.train_users
needs.popularities & needs.popularities_at_k & popularity_unseen=error => check.unseen_items: check.unseen_items
== last ==
target.evaluate of item_metrics
== looked_up ==
$$;

-- the program of rating_metrics
create or replace macro recsql.rating_metrics_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
missing|choice|skip|skip error
interval|number||any 0.5e0 -inf inf 1.0e0 above 0.5 and below 1
interval_method|choice|auto|auto wilson t groups
groups|number|64|whole -inf 8.0e0 1024.0e0 inf at least 8 and at most 1024
ratings|table||
mean|choice|micro|micro users
== metrics ==
explained_variance
mae
mse
r2
rmse
== usual_metrics ==
explained_variance
mae
mse
r2
rmse
== available ==
 => explained_variance
 => mae
 => mse
 => r2
 => rmse
== apart ==

== idle ==
interval= & unusual interval_method => interval_method: it applies only with interval; give that as well, or leave interval_method out
interval= & unusual groups => groups: it applies only with interval; give that as well, or leave groups out
== refused ==
!interval= & .metric=explained_variance & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which explained_variance need not be; use interval_method = auto
!interval= & .metric=explained_variance & interval_method=groups & mean=users => interval_method: groups needs mean = 'micro' for explained_variance; use interval_method = auto
!interval= & .metric=mae & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which mae need not be; use interval_method = auto
!interval= & .metric=mae & interval_method=groups & mean=users => interval_method: groups needs mean = 'micro' for mae; use interval_method = auto
!interval= & .metric=mse & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which mse need not be; use interval_method = auto
!interval= & .metric=mse & interval_method=groups & mean=users => interval_method: groups needs mean = 'micro' for mse; use interval_method = auto
!interval= & .metric=r2 & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which r2 need not be; use interval_method = auto
!interval= & .metric=r2 & interval_method=groups & mean=users => interval_method: groups needs mean = 'micro' for r2; use interval_method = auto
!interval= & .metric=rmse & interval_method=wilson => interval_method: wilson needs a mean of values from 0 to 1, which rmse need not be; use interval_method = auto
!interval= & .metric=rmse & interval_method=groups & mean=users => interval_method: groups needs mean = 'micro' for rmse; use interval_method = auto
== labels ==
7|mean||
== cut ==

== roles ==
predictions
ratings
== of_users ==

== required ==
predictions
== above ==

== of_any ==
any(.by_clusters, .shown)
any(.by_groups, .shown)
any(.by_t, .shown)
any(.metric=)
any(.metric=explained_variance)
any(.metric=explained_variance/r2)
any(.metric=mae)
any(.metric=mae/mse/r2/rmse)
any(.metric=mse/r2/rmse)
any(.metric=mse/rmse)
== sets ==
.metric=explained_variance | .metric=r2 => .metric=explained_variance/r2
.metric=mae | .metric=mse | .metric=r2 | .metric=rmse => .metric=mae/mse/r2/rmse
.metric=mse | .metric=r2 | .metric=rmse => .metric=mse/r2/rmse
.metric=mse | .metric=rmse => .metric=mse/rmse
== of_metrics ==
!mean=users & .metric=explained_variance | !mean=users & .metric=mae & interval_method=groups | !mean=users & .metric=mse & interval_method=groups | !mean=users & .metric=r2 | !mean=users & .metric=rmse & interval_method=groups => .by_groups
!interval_method=groups & !mean=users & .metric=mae | !interval_method=groups & !mean=users & .metric=mse | !interval_method=groups & !mean=users & .metric=rmse => .by_clusters
.metric=explained_variance & mean=users | .metric=mae & mean=users | .metric=mse & mean=users | .metric=r2 & mean=users | .metric=rmse & mean=users => .by_t
.metric=explained_variance | .metric=mae | .metric=mse | .metric=r2 | .metric=rmse => .within_bounds
== rules.1 ==

== rules.2 ==
!interval= & any(.by_groups, .shown) => grouping
!interval= & any(.by_groups, .shown) => rating_groups
any(.metric=explained_variance) | any(.metric=explained_variance/r2) => needs.means
!interval= & any(.by_clusters, .shown) => step.rater_errors
!interval= & any(.by_clusters, .shown) | !interval= & any(.by_t, .shown) => step.deviations
!interval= & any(.by_clusters, .shown) | !interval= & any(.by_t, .shown) => step.rating_spreads
any(.metric=mae) => needs.absolute_error
any(.metric=explained_variance) => needs.error_variance
any(.metric=mae/mse/r2/rmse) => needs.pairs
any(.metric=explained_variance/r2) => needs.rating_variance
any(.metric=mse/r2/rmse) => needs.squared_error
== rules.3 ==
!interval= & grouping => step.jackknives
!interval= & grouping => step.group_spreads
== steps ==
 => step.given_predictions
!ratings= => step.given_ratings
grouping => step.grouped_users of rating_metrics
grouping => step.user_groups
 => step.pairs
needs.means => step.centres
 => step.rating_errors
 => step.rating_metrics
 => step.rating_counts
 => step.rating_means
step.rater_errors => step.rater_errors
rating_groups => step.group_errors
rating_groups => step.left_out_metrics
 => step.asked
 => step.rating_summary
step.deviations => step.deviations
step.jackknives => step.jackknives of rating_metrics
step.rating_spreads => step.rating_spreads
step.group_spreads => step.group_spreads of rating_metrics
!interval= => step.spreads of rating_metrics
!interval= => step.degrees
!interval= => step.quantiles
!interval= => step.intervals of rating_metrics
 => step.problems of rating_metrics
== checks ==
missing=error => check.missing: check.missing
 => check.no_pairs: check.no_pairs
 => check.pair_ids: check.pair_ids
!ratings= => check.pairs_twice: check.pairs_twice
 => check.predictions: check.predictions
!ratings= => check.rating_ids: check.rating_ids
!ratings= => check.ratings: check.ratings
ratings= => check.ratings_beside: check.ratings_beside
== last ==
target.rating_metrics
== looked_up ==
$$;

-- the program of hits
create or replace macro recsql.hits_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
discount|choice|log2p1|log2p1 jk2002 ln1p geometric none
discount_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
gain|choice|linear|linear binary exp2 exp2_shifted map
gain_map|text||
relevant|choice|positive|positive present
relevance_threshold|number||any -inf -inf inf inf
candidates|given||
truth_window|choice|all|all k rank
judged_only|choice|false|false true
rank_by|choice||rank score position
duplicates|choice|error|error first hole count set last
ties|choice|item_asc|item_asc item_desc input expected best worst error
train|table||
seen|choice|keep|keep drop error
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==
!discount=geometric & unusual discount_p => discount_p: it applies only if discount = 'geometric'; set that as well, or leave discount_p out
!gain=map & unusual gain_map => gain_map: it applies only if gain = 'map'; set that as well, or leave gain_map out
seen=drop & train= => seen = 'drop': it removes or refuses what users have in train; give the table train as well
seen=error & train= => seen = 'error': it removes or refuses what users have in train; give the table train as well
!with_activity & given train & seen=keep => train: it is read only for by = 'train.activity' and for seen here; give one of these, or leave train out
== refused ==

== labels ==

== cut ==

== roles ==
recs
truth
train
candidates
== of_users ==

== required ==
recs
truth
== above ==

== of_any ==

== sets ==
duplicates=count | duplicates=hole | duplicates=set => duplicates=count/hole/set
duplicates=first | duplicates=last => duplicates=first/last
ties=best | ties=expected | ties=worst => ties=best/expected/worst
ties=best | ties=worst => ties=best/worst
truth_window=k | truth_window=rank => truth_window=k/rank
== of_metrics ==

== rules.1 ==

== rules.2 ==
!rank_by=rank & !rank_by=score => any_order
!train= & seen=drop | !train= & seen=error => seen_read
!train= & seen=drop => unseen_alone
== rules.3 ==
!train= & seen_read => step.given_train
== steps ==
 => step.given_recs
 => step.given_truth
step.given_train => step.given_train
!candidates= => step.given_candidates
 => step.cutoffs
seen_read => step.seen_items
unseen_alone => step.unseen_recs
!candidates= => step.candidate_items
!candidates= => step.candidate_recs
 => step.judged
judged_only=true => step.judged_recs
 => step.fingerprints of hits
!rank_by=rank => step.scored of hits
 => step.ranked of hits
 => step.recommended of hits
 => step.suspects
 => step.repeaters
 => step.folded of hits
 => step.relevant of hits
 => step.possible_hits
 => step.found of hits
ties=best/worst => step.placed of hits
ties=expected => step.tied_hits of hits
 => step.hits of hits
 => step.hits_in_force
!rank_by=score => step.list_ranks of hits
!rank_by=score => step.unbroken
!rank_by=score => step.unproven
!rank_by=score => step.rank_bands
!rank_by=score => step.doubtful_recs
!rank_by=score => step.repeated_ranks
 => step.problems of hits
== checks ==
!candidates= => check.candidate_ids: check.candidate_ids
!candidates= => check.candidate_truth: check.candidate_truth of hits
duplicates=error => check.duplicates: check.duplicates
 => check.fold_column: check.fold_column
ties=best/worst => check.gains_below_zero: check.gains_below_zero
!rank_by=rank & ties=input => check.input_order: check.input_order
ties=best/expected/worst => check.no_order: check.no_order
!rank_by=score => check.ranks: check.ranks
 => check.recs_columns: check.recs_columns
 => check.recs_ids: check.recs_ids
 => check.relevance: check.relevance
!rank_by=score => check.same_rank: check.same_rank
!rank_by=rank => check.scores: check.scores
seen=error & seen_read => check.seen_items: check.seen_items
seen_read => check.seen_users: check.seen_users
!rank_by=rank & duplicates=count/hole/set & ties=best/expected/worst => check.tied_copies: check.tied_copies of hits
!rank_by=rank & ties=error => check.ties: check.ties
 => check.truth_columns: check.truth_columns
 => check.truth_ids: check.truth_ids
truth_window=k/rank => check.truth_rank: check.truth_rank
== last ==
target.hits
== looked_up ==
t.relevance$$;

-- the program of ideal
create or replace macro recsql.ideal_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
discount|choice|log2p1|log2p1 jk2002 ln1p geometric none
discount_p|number|0.8e0|any 0.0e0 -inf 1.0e0 inf above 0 and at most 1
gain|choice|linear|linear binary exp2 exp2_shifted map
gain_map|text||
relevant|choice|positive|positive present
relevance_threshold|number||any -inf -inf inf inf
ideal|choice|truth|truth constant truth_uncut truth_returned candidates truth_as_given
truth_window|choice|all|all k rank
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==
!discount=geometric & unusual discount_p => discount_p: it applies only if discount = 'geometric'; set that as well, or leave discount_p out
!gain=map & unusual gain_map => gain_map: it applies only if gain = 'map'; set that as well, or leave gain_map out
== refused ==

== labels ==

== cut ==

== roles ==
truth
== of_users ==

== required ==
truth
== above ==

== of_any ==

== sets ==
truth_window=k | truth_window=rank => truth_window=k/rank
== of_metrics ==

== rules.1 ==

== rules.2 ==

== steps ==
 => step.given_truth
 => step.cutoffs
 => step.judged of ideal
 => step.fingerprints of ideal
 => step.suspects
 => step.repeaters
 => step.folded of ideal
 => step.relevant of ideal
 => step.problems of ideal
== checks ==
!ideal=truth | !truth_window=all => check.ideal: check.ideal
 => check.relevance: check.relevance
 => check.truth_columns: check.truth_columns
 => check.truth_ids: check.truth_ids
truth_window=k/rank | ideal=truth_as_given => check.truth_rank: check.truth_rank
== last ==
target.ideal
== looked_up ==
t.relevance$$;

-- the program of split
create or replace macro recsql.split_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
protocol|choice||temporal backtest last_n last_fraction leave_one_out random users k_fold
order_by|text|timestamp|
split__n|number|1|whole -inf 1.0e0 inf inf at least 1
fraction|number||any 0.0e0 -inf inf 1.0e0 above 0 and below 1
fold_in|number|0.8e0|any 0.0e0 -inf inf 1.0e0 above 0 and below 1
split__exact|choice|false|false true
per|choice|row|row user
split__ties|choice|item|item row_last row_first together error
seed|number|0|whole -inf -inf inf inf
single|choice|train|train truth
rounding|choice|ceil|ceil floor nearest nearest_even train_nearest_even
gap|text||
core|number||whole -inf 2.0e0 inf inf at least 2
cut|text||
split__window|text||
step|text||
train_window|text||
folds|number||whole -inf 1.0e0 1000.0e0 inf at least 1 and at most 1000
user_min|number||whole -inf 2.0e0 inf inf at least 2
item_min|number||whole -inf 2.0e0 inf inf at least 2
cold_users|choice|keep|keep drop
cold_items|choice|keep|keep drop
repeats|choice|keep|keep drop
split__target|choice|all|all first last
validation|choice|false|false true
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==
like=cornac => like: cornac has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=evidently => like: evidently has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=hivemall => like: hivemall has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=ir_measures => like: ir_measures has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=jurity => like: jurity has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=pyspark_udf => like: pyspark_udf has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=ranx => like: ranx has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=recbole => like: recbole has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=returned => like: returned has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=sklearn => like: sklearn has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=spark => like: spark has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=torchmetrics => like: torchmetrics has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=trec_eval => like: trec_eval has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
!protocol=last_n & unusual split__n => n: it applies only if protocol = 'last_n'; set that as well, or leave n out
!protocol=last_fraction/random/temporal/users & unusual fraction => fraction: it applies only if protocol = 'temporal' or 'last_fraction' or 'random' or 'users'; set that as well, or leave fraction out
!protocol=users & unusual fold_in => fold_in: it applies only if protocol = 'users'; set that as well, or leave fold_in out
!protocol=random & unusual split__exact => exact: it applies only if protocol = 'random'; set that as well, or leave exact out
!protocol=k_fold & unusual per => per: it applies only if protocol = 'k_fold'; set that as well, or leave per out
!protocol=last_fraction/last_n/leave_one_out/users & unusual split__ties => ties: it applies only if protocol = 'leave_one_out' or 'last_n' or 'last_fraction' or 'users'; set that as well, or leave ties out
!protocol=last_fraction/last_n/leave_one_out/random/users & unusual single => single: it applies only if protocol = 'leave_one_out' or 'last_n' or 'last_fraction' or 'random' or 'users'; set that as well, or leave single out
!protocol=last_fraction/random/users & unusual rounding => rounding: it applies only if protocol = 'last_fraction' or 'random' or 'users'; set that as well, or leave rounding out
!protocol=backtest/temporal & unusual gap => gap: it applies only if protocol = 'temporal' or 'backtest'; set that as well, or leave gap out
!protocol=backtest/temporal & unusual cut => cut: it applies only if protocol = 'temporal' or 'backtest'; set that as well, or leave cut out
!protocol=backtest/temporal & unusual split__window => window: it applies only if protocol = 'temporal' or 'backtest'; set that as well, or leave window out
!protocol=backtest & unusual step => step: it applies only if protocol = 'backtest'; set that as well, or leave step out
!protocol=backtest/temporal & unusual train_window => train_window: it applies only if protocol = 'temporal' or 'backtest'; set that as well, or leave train_window out
!protocol=backtest/k_fold & unusual folds => folds: it applies only if protocol = 'k_fold' or 'backtest'; set that as well, or leave folds out
!protocol=last_fraction/last_n/leave_one_out/random/temporal & unusual validation => validation: it applies only if protocol = 'temporal' or 'leave_one_out' or 'last_n' or 'last_fraction' or 'random'; set that as well, or leave validation out
== refused ==

== labels ==

== cut ==

== roles ==
interactions
== of_users ==

== required ==
interactions
== above ==

== of_any ==

== sets ==
protocol=backtest | protocol=k_fold => protocol=backtest/k_fold
protocol=backtest | protocol=temporal => protocol=backtest/temporal
protocol=k_fold | protocol=random => protocol=k_fold/random
protocol=k_fold | protocol=random | protocol=users => protocol=k_fold/random/users
protocol=last_fraction | protocol=last_n | protocol=leave_one_out | protocol=random | protocol=temporal => protocol=last_fraction/last_n/leave_one_out/random/temporal
protocol=last_fraction | protocol=last_n | protocol=leave_one_out | protocol=random | protocol=users => protocol=last_fraction/last_n/leave_one_out/random/users
protocol=last_fraction | protocol=last_n | protocol=leave_one_out | protocol=users => protocol=last_fraction/last_n/leave_one_out/users
protocol=last_fraction | protocol=random | protocol=temporal | protocol=users => protocol=last_fraction/random/temporal/users
protocol=last_fraction | protocol=random | protocol=users => protocol=last_fraction/random/users
split__ties=row_first | split__ties=row_last => split__ties=row_first/row_last
== of_metrics ==

== rules.1 ==

== rules.2 ==
protocol=last_fraction/last_n/leave_one_out/users & split__ties=row_first/row_last => by_row
order_by=hash | protocol=k_fold/random/users => drawn
cold_users=drop | cold_items=drop | repeats=drop => dropped
protocol=k_fold | protocol=backtest => in_folds
!core= | !user_min= | !item_min= => limited
!order_by=hash & !protocol=k_fold/random | !split__target=all => placed
protocol=temporal | protocol=backtest => timed
== rules.3 ==
timed | in_folds => step.cuts
timed & validation=true => step.validation_cuts
== steps ==
 => step.given_interactions
!core= => step.core_pairs
limited => step.kept_interactions
step.cuts => step.cuts
 => step.parted
step.validation_cuts => step.validation_cuts
validation=true => step.validated
dropped => step.known
!split__target=all => step.targeted
 => step.problems of split
== checks ==
step.cuts & timed => check.cut_outside: check.cut_outside
drawn => check.drawn_interactions: check.drawn_interactions
!protocol=leave_one_out => check.empty_part: check.empty_part
 => check.interactions: check.interactions
cut= & fraction= & timed | cut= & protocol=backtest & timed | !cut= & !fraction= & timed | !fraction= & protocol=backtest & timed => check.no_cut: check.no_cut
protocol=backtest & step.cuts => check.no_folds: check.no_folds
!protocol=leave_one_out => check.no_interactions: check.no_interactions
protocol= => check.no_protocol: check.no_protocol
protocol=backtest & split__window= | !cut= & split__window= & timed & validation=true => check.no_window: check.no_window
 => check.part_column: check.part_column
by_row => check.row_order: check.row_order
!order_by=hash & protocol=last_fraction/last_n/leave_one_out/users & split__ties=error => check.tied_parts: check.tied_parts
== last ==
target.split
== looked_up ==
$$;

-- the program of leave_one_out
create or replace macro recsql.leave_one_out_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
order_by|text|timestamp|
seed|number|0|whole -inf -inf inf inf
single|choice|train|train truth
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==
like=cornac => like: cornac has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=evidently => like: evidently has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=hivemall => like: hivemall has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=ir_measures => like: ir_measures has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=jurity => like: jurity has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=pyspark_udf => like: pyspark_udf has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=ranx => like: ranx has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=recbole => like: recbole has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=returned => like: returned has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=sklearn => like: sklearn has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=spark => like: spark has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=torchmetrics => like: torchmetrics has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
like=trec_eval => like: trec_eval has no options for splits; choose one of elliot, lenskit, recommenders, recpack, rectools, replay
== refused ==

== labels ==

== cut ==

== roles ==
interactions
== of_users ==

== required ==
interactions
== above ==

== of_any ==

== sets ==

== of_metrics ==

== rules.1 ==

== steps ==
 => step.given_interactions of leave_one_out
 => step.parted of leave_one_out
 => step.problems of leave_one_out
== checks ==
order_by=hash => check.drawn_interactions: check.drawn_interactions
 => check.interactions: check.interactions of leave_one_out
 => check.part_column: check.part_column of leave_one_out
== last ==
target.split of leave_one_out
== looked_up ==
$$;

-- the program of labels
create or replace macro recsql.labels_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
gains|gains|click:1,buy:3|
other|number||any -inf 0.0e0 inf inf at least 0
organic|choice|drop|drop keep
unit|choice|request|request user
aggregate|choice|max|max sum count last
attribution|choice|last|last first all
tolerance|duration|0 seconds|
cap|number||any 0.0e0 -inf inf inf above 0
impressions|table||
examined|choice|all|all to_last_event
start|time||
window|duration|7 days|
complete|choice|drop|drop keep
until|time||
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==
!unit=user & unusual organic => organic: it applies only if unit = 'user'; set that as well, or leave organic out
!impressions=table & unusual unit => unit: it applies only with the table impressions; give that as well, or leave unit out
!impressions=table & unusual attribution => attribution: it applies only with the table impressions; give that as well, or leave attribution out
!impressions=table & unusual tolerance => tolerance: it applies only with the table impressions; give that as well, or leave tolerance out
!impressions=table & unusual examined => examined: it applies only with the table impressions; give that as well, or leave examined out
!impressions=table & unusual complete => complete: it applies only with the table impressions; give that as well, or leave complete out
!impressions=table & unusual until => until: it applies only with the table impressions; give that as well, or leave until out
== refused ==
impressions= & start= => start: without impressions, labels need the time from which events count, such as 2026-03-01; give start
!impressions= & !start= => start: with impressions, events count from the time of each; leave start out
== labels ==

== cut ==

== roles ==
events
impressions
== of_users ==

== required ==
events
== above ==

== of_any ==

== sets ==

== of_metrics ==

== rules.1 ==

== rules.2 ==
!impressions= & unit=request => by_request
!impressions= & examined=to_last_event => step.examined_to
== steps ==
 => step.given_events
!impressions= => step.given_impressions
!impressions= => step.requests
!impressions= => step.shown
!impressions= => step.touched
!impressions= => step.attributed
!impressions= => step.first_shown
 => step.outcomes
 => step.credited
step.examined_to => step.examined_to
 => step.labelled
 => step.problems of labels
== checks ==
!impressions= & complete=drop => check.all_open: check.all_open
other= => check.event_types: check.event_types
 => check.events: check.events
!impressions= => check.impressions: check.impressions
impressions= => check.no_events: check.no_events
!impressions= => check.no_impressions: check.no_impressions
 => check.no_log_rows: check.no_log_rows
!impressions= & organic=keep => check.organic_surfaces: check.organic_surfaces
!impressions= => check.request_items: check.request_items
!impressions= => check.request_owners: check.request_owners
!impressions= => check.shown_ranks: check.shown_ranks
!attribution=all & !impressions= => check.shown_twice: check.shown_twice
!impressions= => check.surfaces: check.surfaces
== last ==
target.labels
== looked_up ==
$$;

-- the program of popularity
create or replace macro recsql.popularity_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
users|table||
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==

== refused ==

== labels ==

== cut ==

== roles ==
past
users
== of_users ==

== required ==
train
== above ==

== of_any ==

== sets ==

== of_metrics ==

== rules.1 ==

== steps ==
users=table => step.given_users
 => step.given_past
 => step.cutoffs
 => step.popular
 => step.owned
 => step.audience
 => step.unowned
 => step.problems of popularity
== checks ==
users=table => check.audience_ids: check.audience_ids
 => check.past_ids: check.past_ids
== last ==
target.popularity
== looked_up ==
$$;

-- the program of segments
create or replace macro recsql.segments_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==

== refused ==

== labels ==

== cut ==

== roles ==
past
truth
== of_users ==

== required ==
train
truth
== above ==

== of_any ==

== sets ==

== of_metrics ==

== rules.1 ==

== steps ==
 => step.given_truth
 => step.given_past
 => step.popular
 => step.user_events
 => step.tastes
 => step.problems of segments
== checks ==
 => check.past_ids: check.past_ids
 => check.relevance: check.relevance
 => check.truth_columns: check.truth_columns
 => check.truth_ids: check.truth_ids
== last ==
target.segments
== looked_up ==
$$;

-- the program of candidates
create or replace macro recsql.candidates_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
seed|number|0|whole -inf -inf inf inf
n|number|100|whole -inf 1.0e0 inf inf at least 1
draw|choice|uniform|uniform popularity
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==

== refused ==

== labels ==

== cut ==

== roles ==
truth
items
past
== of_users ==

== required ==
truth
items
train
== above ==

== of_any ==

== sets ==

== of_metrics ==

== rules.1 ==

== steps ==
 => step.given_truth
 => step.given_items
 => step.given_past
 => step.popular
 => step.pool
 => step.slots
 => step.known_items
 => step.draws
 => step.drawn
 => step.problems of candidates
== checks ==
 => check.drawn_ids: check.drawn_ids
 => check.few_items: check.few_items
 => check.past_ids: check.past_ids
 => check.relevance: check.relevance
 => check.truth_columns: check.truth_columns
 => check.truth_ids: check.truth_ids
== last ==
target.candidates
== looked_up ==
$$;

-- the program of rank_by_score
create or replace macro recsql.rank_by_score_program() as
$$

== options ==
like|choice||cornac elliot evidently hivemall ir_measures jurity lenskit pyspark_udf ranx recbole recommenders recpack rectools replay returned sklearn spark torchmetrics trec_eval
candidates|given||
judged_only|choice|false|false true
duplicates|choice|error|error first hole count set last
ties|choice|item_asc|item_asc item_desc input expected best worst error
train|table||
seen|choice|keep|keep drop error
== metrics ==

== usual_metrics ==

== available ==

== apart ==

== idle ==
seen=drop & train= => seen = 'drop': it removes or refuses what users have in train; give the table train as well
seen=error & train= => seen = 'error': it removes or refuses what users have in train; give the table train as well
!with_activity & given train & seen=keep => train: it is read only for by = 'train.activity' and for seen here; give one of these, or leave train out
== refused ==

== labels ==

== cut ==

== roles ==
recs
train
candidates
== of_users ==

== required ==
scored
== above ==

== of_any ==

== sets ==
duplicates=count | duplicates=hole | duplicates=set => duplicates=count/hole/set
duplicates=first | duplicates=last => duplicates=first/last
ties=best | ties=expected | ties=worst => ties=best/expected/worst
== of_metrics ==

== rules.1 ==

== rules.2 ==
!train= & seen=drop | !train= & seen=error => seen_read
!train= & seen=drop => unseen_alone
== rules.3 ==
!train= & seen_read => step.given_train
== steps ==
 => step.given_recs of rank_by_score
step.given_train => step.given_train
!candidates= => step.given_candidates
 => step.cutoffs
seen_read => step.seen_items
unseen_alone => step.unseen_recs of rank_by_score
!candidates= => step.candidate_items
!candidates= => step.candidate_recs of rank_by_score
 => step.scored of rank_by_score
 => step.problems of rank_by_score
== checks ==
!candidates= => check.candidate_ids: check.candidate_ids
 => check.fold_column: check.fold_column
ties=input => check.input_order: check.input_order of rank_by_score
ties=best/expected/worst => check.no_order: check.no_order
 => check.recs_columns: check.recs_columns
 => check.recs_ids: check.recs_ids
 => check.scores: check.scores of rank_by_score
seen=error & seen_read => check.seen_items: check.seen_items
seen_read => check.seen_users: check.seen_users
duplicates=count/hole/set & ties=best/expected/worst => check.tied_copies: check.tied_copies of rank_by_score
ties=error => check.ties: check.ties
== last ==
target.rank_by_score
== looked_up ==
$$;

-- stubs, replaced further down: DuckDB expands a macro whenever it creates another one that calls it, unless a type is not known yet
create or replace macro recsql.fault_of(d) as d;
create or replace macro recsql.parsed(texts, preset, names) as texts;
create or replace macro recsql.chosen(options, given, usual) as given;
create or replace macro recsql.facts_of(options, vals) as vals;
create or replace macro recsql.above(facts, options, vals) as facts;
create or replace macro recsql.lines_of(program) as map {'': ['']};
create or replace macro recsql.sections(text) as map {'': ''};
create or replace macro recsql.with_rules(facts, rules) as facts;
create or replace macro recsql.filled(text, facts, vals, columns) as text;
create or replace macro recsql.parts(text, facts, vals) as text;
create or replace macro recsql.under(lines, facts) as lines;
create or replace macro recsql.holds(condition, facts) as true;
create or replace macro recsql.slices_in(given, by_table, with_train) as {'facts': [''], 'vals': map {'': ''}, 'fault': '', 'titles': ['']};
create or replace macro recsql.no_slices() as {'facts': [''], 'vals': map {'': ''}, 'fault': '', 'titles': ['']};
create or replace macro recsql.texts_of(program, sources, ks, metrics, as_given, slices) as [{'text': 'select 1'}];
create or replace macro recsql.joined_evaluate(queries) as 'select 1';
create or replace macro recsql.joined_per_user(queries) as 'select 1';
create or replace macro recsql.joined_paired(queries) as 'select 1';

-- the query that evaluate runs
create or replace macro recsql.evaluate_sql(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, truth_check := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, "interval" := null, interval_method := 'auto', groups := 64, segments := null,
    multiple := 'each', min_users := 1, no_truth := null, ap_denominator := null, bpref_empty := null,
    err_normalize := 'none', err_max_grade := 4, beta := 1, f1_average := null, precision_denominator := null,
    r_precision_cut := null, rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null,
    catalog_size := null, ideal := null, candidates := null, users := 'truth', truth_window := null,
    judged_only := 'false', no_recs := null, rank_by := null, duplicates := null, ties := null, train := null,
    seen := 'keep'
) as (
    list_transform([
    recsql.texts_of(
        recsql.evaluate_program(),
        [cast(recs as varchar), cast(truth as varchar), cast(users as varchar), cast(segments as varchar), cast(train as varchar), cast(candidates as varchar)],
        recsql.ks(k),
        metrics,
        [
        cast("like" as varchar), cast(truth_check as varchar), cast(discount as varchar), cast(discount_p as varchar),
        cast(gain as varchar), recsql.pairs(gain_map), cast(zero_ideal as varchar), cast(relevant as varchar),
        cast(relevance_threshold as varchar), cast("interval" as varchar), cast(interval_method as varchar),
        cast(groups as varchar), null, cast(segments as varchar), cast(multiple as varchar), cast(min_users as varchar),
        cast(no_truth as varchar), cast(ap_denominator as varchar), cast(bpref_empty as varchar),
        cast(err_normalize as varchar), cast(err_max_grade as varchar), cast(beta as varchar), cast(f1_average as varchar),
        cast(precision_denominator as varchar), cast(r_precision_cut as varchar), cast(rbp_p as varchar),
        cast(rbp_normalize as varchar), cast(recall_denominator as varchar), cast(rr_cutoff as varchar),
        cast(catalog_size as varchar), cast(ideal as varchar), cast(candidates as varchar), cast(users as varchar),
        cast(truth_window as varchar), cast(judged_only as varchar), cast(no_recs as varchar), cast(rank_by as varchar),
        cast(duplicates as varchar), cast(ties as varchar), cast(train as varchar), cast(seen as varchar)
        ],
        recsql.no_slices()
    )], lambda q: recsql.joined_evaluate(q))[1]
), (
    recs, truth, "by" union(name varchar, names varchar[]), k := [5, 10, 20], metrics := null, "like" := null,
    truth_check := 'any', discount := null, discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null,
    relevant := null, relevance_threshold := null, "interval" := null, interval_method := 'auto', groups := 64,
    segments := null, multiple := 'each', min_users := 1, no_truth := null, ap_denominator := null, bpref_empty := null,
    err_normalize := 'none', err_max_grade := 4, beta := 1, f1_average := null, precision_denominator := null,
    r_precision_cut := null, rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null,
    catalog_size := null, ideal := null, candidates := null, users := 'truth', truth_window := null,
    judged_only := 'false', no_recs := null, rank_by := null, duplicates := null, ties := null, train := null,
    seen := 'keep'
) as (
    list_transform([
    recsql.texts_of(
        recsql.evaluate_program(),
        [cast(recs as varchar), cast(truth as varchar), cast(users as varchar), cast(segments as varchar), cast(train as varchar), cast(candidates as varchar)],
        recsql.ks(k),
        metrics,
        [
        cast("like" as varchar), cast(truth_check as varchar), cast(discount as varchar), cast(discount_p as varchar),
        cast(gain as varchar), recsql.pairs(gain_map), cast(zero_ideal as varchar), cast(relevant as varchar),
        cast(relevance_threshold as varchar), cast("interval" as varchar), cast(interval_method as varchar),
        cast(groups as varchar), coalesce(union_extract("by", 'name'), cast(union_extract("by", 'names') as varchar)),
        cast(segments as varchar), cast(multiple as varchar), cast(min_users as varchar), cast(no_truth as varchar),
        cast(ap_denominator as varchar), cast(bpref_empty as varchar), cast(err_normalize as varchar),
        cast(err_max_grade as varchar), cast(beta as varchar), cast(f1_average as varchar),
        cast(precision_denominator as varchar), cast(r_precision_cut as varchar), cast(rbp_p as varchar),
        cast(rbp_normalize as varchar), cast(recall_denominator as varchar), cast(rr_cutoff as varchar),
        cast(catalog_size as varchar), cast(ideal as varchar), cast(candidates as varchar), cast(users as varchar),
        cast(truth_window as varchar), cast(judged_only as varchar), cast(no_recs as varchar), cast(rank_by as varchar),
        cast(duplicates as varchar), cast(ties as varchar), cast(train as varchar), cast(seen as varchar)
        ],
        recsql.slices_in("by", segments is not null, train is not null)
    )], lambda q: recsql.joined_evaluate(q))[1]
);

comment on macro recsql.evaluate_sql is 'the query that evaluate runs';

-- the metrics averaged over users
create or replace macro recsql.evaluate(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, truth_check := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, "interval" := null, interval_method := 'auto', groups := 64, segments := null,
    multiple := 'each', min_users := 1, no_truth := null, ap_denominator := null, bpref_empty := null,
    err_normalize := 'none', err_max_grade := 4, beta := 1, f1_average := null, precision_denominator := null,
    r_precision_cut := null, rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null,
    catalog_size := null, ideal := null, candidates := null, users := 'truth', truth_window := null,
    judged_only := 'false', no_recs := null, rank_by := null, duplicates := null, ties := null, train := null,
    seen := 'keep'
) as table (
    from query(recsql.evaluate_sql(
        recs, truth, k := k, metrics := metrics, "like" := "like", truth_check := truth_check, discount := discount,
        discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal, relevant := relevant,
        relevance_threshold := relevance_threshold, "interval" := "interval", interval_method := interval_method,
        groups := groups, segments := segments, multiple := multiple, min_users := min_users, no_truth := no_truth,
        ap_denominator := ap_denominator, bpref_empty := bpref_empty, err_normalize := err_normalize,
        err_max_grade := err_max_grade, beta := beta, f1_average := f1_average,
        precision_denominator := precision_denominator, r_precision_cut := r_precision_cut, rbp_p := rbp_p,
        rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, candidates := candidates, users := users,
        truth_window := truth_window, judged_only := judged_only, no_recs := no_recs, rank_by := rank_by,
        duplicates := duplicates, ties := ties, train := train, seen := seen
    ))
), (
    recs, truth, "by" union(name varchar, names varchar[]), k := [5, 10, 20], metrics := null, "like" := null,
    truth_check := 'any', discount := null, discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null,
    relevant := null, relevance_threshold := null, "interval" := null, interval_method := 'auto', groups := 64,
    segments := null, multiple := 'each', min_users := 1, no_truth := null, ap_denominator := null, bpref_empty := null,
    err_normalize := 'none', err_max_grade := 4, beta := 1, f1_average := null, precision_denominator := null,
    r_precision_cut := null, rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null,
    catalog_size := null, ideal := null, candidates := null, users := 'truth', truth_window := null,
    judged_only := 'false', no_recs := null, rank_by := null, duplicates := null, ties := null, train := null,
    seen := 'keep'
) as table (
    from query(recsql.evaluate_sql(
        recs, truth, "by" := "by", k := k, metrics := metrics, "like" := "like", truth_check := truth_check,
        discount := discount, discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal,
        relevant := relevant, relevance_threshold := relevance_threshold, "interval" := "interval",
        interval_method := interval_method, groups := groups, segments := segments, multiple := multiple,
        min_users := min_users, no_truth := no_truth, ap_denominator := ap_denominator, bpref_empty := bpref_empty,
        err_normalize := err_normalize, err_max_grade := err_max_grade, beta := beta, f1_average := f1_average,
        precision_denominator := precision_denominator, r_precision_cut := r_precision_cut, rbp_p := rbp_p,
        rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, candidates := candidates, users := users,
        truth_window := truth_window, judged_only := judged_only, no_recs := no_recs, rank_by := rank_by,
        duplicates := duplicates, ties := ties, train := train, seen := seen
    ))
);

comment on macro table recsql.evaluate is 'the metrics averaged over users';

-- the query that per_user runs
create or replace macro recsql.per_user_sql(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, truth_check := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, segments := null, multiple := 'each', min_users := 1, no_truth := null,
    ap_denominator := null, bpref_empty := null, err_normalize := 'none', err_max_grade := 4, beta := 1,
    precision_denominator := null, r_precision_cut := null, rbp_p := null, rbp_normalize := 'none',
    recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null, candidates := null,
    users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null, train := null, seen := 'keep'
) as (
    list_transform([
    recsql.texts_of(
        recsql.per_user_program(),
        [cast(recs as varchar), cast(truth as varchar), cast(users as varchar), cast(segments as varchar), cast(train as varchar), cast(candidates as varchar)],
        recsql.ks(k),
        metrics,
        [
        cast("like" as varchar), cast(truth_check as varchar), cast(discount as varchar), cast(discount_p as varchar),
        cast(gain as varchar), recsql.pairs(gain_map), cast(zero_ideal as varchar), cast(relevant as varchar),
        cast(relevance_threshold as varchar), null, cast(segments as varchar), cast(multiple as varchar),
        cast(min_users as varchar), cast(no_truth as varchar), cast(ap_denominator as varchar),
        cast(bpref_empty as varchar), cast(err_normalize as varchar), cast(err_max_grade as varchar), cast(beta as varchar),
        cast(precision_denominator as varchar), cast(r_precision_cut as varchar), cast(rbp_p as varchar),
        cast(rbp_normalize as varchar), cast(recall_denominator as varchar), cast(rr_cutoff as varchar),
        cast(catalog_size as varchar), cast(ideal as varchar), cast(candidates as varchar), cast(users as varchar),
        cast(truth_window as varchar), cast(judged_only as varchar), cast(no_recs as varchar), cast(rank_by as varchar),
        cast(duplicates as varchar), cast(ties as varchar), cast(train as varchar), cast(seen as varchar)
        ],
        recsql.no_slices()
    )], lambda q: recsql.joined_per_user(q))[1]
), (
    recs, truth, "by" union(name varchar, names varchar[]), k := [5, 10, 20], metrics := null, "like" := null,
    truth_check := 'any', discount := null, discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null,
    relevant := null, relevance_threshold := null, segments := null, multiple := 'each', min_users := 1,
    no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none', err_max_grade := 4,
    beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null, rbp_normalize := 'none',
    recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null, candidates := null,
    users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null, train := null, seen := 'keep'
) as (
    list_transform([
    recsql.texts_of(
        recsql.per_user_program(),
        [cast(recs as varchar), cast(truth as varchar), cast(users as varchar), cast(segments as varchar), cast(train as varchar), cast(candidates as varchar)],
        recsql.ks(k),
        metrics,
        [
        cast("like" as varchar), cast(truth_check as varchar), cast(discount as varchar), cast(discount_p as varchar),
        cast(gain as varchar), recsql.pairs(gain_map), cast(zero_ideal as varchar), cast(relevant as varchar),
        cast(relevance_threshold as varchar),
        coalesce(union_extract("by", 'name'), cast(union_extract("by", 'names') as varchar)), cast(segments as varchar),
        cast(multiple as varchar), cast(min_users as varchar), cast(no_truth as varchar), cast(ap_denominator as varchar),
        cast(bpref_empty as varchar), cast(err_normalize as varchar), cast(err_max_grade as varchar), cast(beta as varchar),
        cast(precision_denominator as varchar), cast(r_precision_cut as varchar), cast(rbp_p as varchar),
        cast(rbp_normalize as varchar), cast(recall_denominator as varchar), cast(rr_cutoff as varchar),
        cast(catalog_size as varchar), cast(ideal as varchar), cast(candidates as varchar), cast(users as varchar),
        cast(truth_window as varchar), cast(judged_only as varchar), cast(no_recs as varchar), cast(rank_by as varchar),
        cast(duplicates as varchar), cast(ties as varchar), cast(train as varchar), cast(seen as varchar)
        ],
        recsql.slices_in("by", segments is not null, train is not null)
    )], lambda q: recsql.joined_per_user(q))[1]
);

comment on macro recsql.per_user_sql is 'the query that per_user runs';

-- the metrics of each user, one column per metric
create or replace macro recsql.per_user(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, truth_check := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, segments := null, multiple := 'each', min_users := 1, no_truth := null,
    ap_denominator := null, bpref_empty := null, err_normalize := 'none', err_max_grade := 4, beta := 1,
    precision_denominator := null, r_precision_cut := null, rbp_p := null, rbp_normalize := 'none',
    recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null, candidates := null,
    users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null, train := null, seen := 'keep'
) as table (
    from query(recsql.per_user_sql(
        recs, truth, k := k, metrics := metrics, "like" := "like", truth_check := truth_check, discount := discount,
        discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal, relevant := relevant,
        relevance_threshold := relevance_threshold, segments := segments, multiple := multiple, min_users := min_users,
        no_truth := no_truth, ap_denominator := ap_denominator, bpref_empty := bpref_empty, err_normalize := err_normalize,
        err_max_grade := err_max_grade, beta := beta, precision_denominator := precision_denominator,
        r_precision_cut := r_precision_cut, rbp_p := rbp_p, rbp_normalize := rbp_normalize,
        recall_denominator := recall_denominator, rr_cutoff := rr_cutoff, catalog_size := catalog_size, ideal := ideal,
        candidates := candidates, users := users, truth_window := truth_window, judged_only := judged_only,
        no_recs := no_recs, rank_by := rank_by, duplicates := duplicates, ties := ties, train := train, seen := seen
    ))
), (
    recs, truth, "by" union(name varchar, names varchar[]), k := [5, 10, 20], metrics := null, "like" := null,
    truth_check := 'any', discount := null, discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null,
    relevant := null, relevance_threshold := null, segments := null, multiple := 'each', min_users := 1,
    no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none', err_max_grade := 4,
    beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null, rbp_normalize := 'none',
    recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null, candidates := null,
    users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null, train := null, seen := 'keep'
) as table (
    from query(recsql.per_user_sql(
        recs, truth, "by" := "by", k := k, metrics := metrics, "like" := "like", truth_check := truth_check,
        discount := discount, discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal,
        relevant := relevant, relevance_threshold := relevance_threshold, segments := segments, multiple := multiple,
        min_users := min_users, no_truth := no_truth, ap_denominator := ap_denominator, bpref_empty := bpref_empty,
        err_normalize := err_normalize, err_max_grade := err_max_grade, beta := beta,
        precision_denominator := precision_denominator, r_precision_cut := r_precision_cut, rbp_p := rbp_p,
        rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, candidates := candidates, users := users,
        truth_window := truth_window, judged_only := judged_only, no_recs := no_recs, rank_by := rank_by,
        duplicates := duplicates, ties := ties, train := train, seen := seen
    ))
);

comment on macro table recsql.per_user is 'the metrics of each user, one column per metric';

-- the query that compare runs
create or replace macro recsql.compare_sql(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, truth_check := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, "interval" := 0.95e0, segments := null, multiple := 'each', min_users := 1,
    no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none', err_max_grade := 4,
    beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null, rbp_normalize := 'none',
    recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null, candidates := null, margin := 0,
    contributions := 'false', correction := 'holm', family := 'all', users := 'truth', truth_window := null,
    judged_only := 'false', baseline := null, effect := 'cohen', power := 0.8e0, no_recs := null, rank_by := null,
    duplicates := null, ties := null, test := 't', alternative := 'two_sided', train := null, seen := 'keep'
) as (
    list_transform([
    recsql.texts_of(
        recsql.compare_program(),
        [cast(recs as varchar), cast(truth as varchar), cast(users as varchar), cast(segments as varchar), cast(train as varchar), cast(candidates as varchar)],
        recsql.ks(k),
        metrics,
        [
        cast("like" as varchar), cast(truth_check as varchar), cast(discount as varchar), cast(discount_p as varchar),
        cast(gain as varchar), recsql.pairs(gain_map), cast(zero_ideal as varchar), cast(relevant as varchar),
        cast(relevance_threshold as varchar), cast("interval" as varchar), null, cast(segments as varchar),
        cast(multiple as varchar), cast(min_users as varchar), cast(no_truth as varchar), cast(ap_denominator as varchar),
        cast(bpref_empty as varchar), cast(err_normalize as varchar), cast(err_max_grade as varchar), cast(beta as varchar),
        cast(precision_denominator as varchar), cast(r_precision_cut as varchar), cast(rbp_p as varchar),
        cast(rbp_normalize as varchar), cast(recall_denominator as varchar), cast(rr_cutoff as varchar),
        cast(catalog_size as varchar), cast(ideal as varchar), cast(candidates as varchar), cast(margin as varchar),
        cast(contributions as varchar), cast(correction as varchar), cast(family as varchar), cast(users as varchar),
        cast(truth_window as varchar), cast(judged_only as varchar), cast(baseline as varchar), cast(effect as varchar),
        cast(power as varchar), cast(no_recs as varchar), cast(rank_by as varchar), cast(duplicates as varchar),
        cast(ties as varchar), cast(test as varchar), cast(alternative as varchar), cast(train as varchar),
        cast(seen as varchar)
        ],
        recsql.no_slices()
    )], lambda q: recsql.joined_paired(q))[1]
), (
    recs, truth, "by" union(name varchar, names varchar[]), k := [5, 10, 20], metrics := null, "like" := null,
    truth_check := 'any', discount := null, discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null,
    relevant := null, relevance_threshold := null, "interval" := 0.95e0, segments := null, multiple := 'each',
    min_users := 1, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none',
    err_max_grade := 4, beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null,
    rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null,
    candidates := null, margin := 0, contributions := 'false', correction := 'holm', family := 'all', users := 'truth',
    truth_window := null, judged_only := 'false', baseline := null, effect := 'cohen', power := 0.8e0, no_recs := null,
    rank_by := null, duplicates := null, ties := null, test := 't', alternative := 'two_sided', train := null,
    seen := 'keep'
) as (
    list_transform([
    recsql.texts_of(
        recsql.compare_program(),
        [cast(recs as varchar), cast(truth as varchar), cast(users as varchar), cast(segments as varchar), cast(train as varchar), cast(candidates as varchar)],
        recsql.ks(k),
        metrics,
        [
        cast("like" as varchar), cast(truth_check as varchar), cast(discount as varchar), cast(discount_p as varchar),
        cast(gain as varchar), recsql.pairs(gain_map), cast(zero_ideal as varchar), cast(relevant as varchar),
        cast(relevance_threshold as varchar), cast("interval" as varchar),
        coalesce(union_extract("by", 'name'), cast(union_extract("by", 'names') as varchar)), cast(segments as varchar),
        cast(multiple as varchar), cast(min_users as varchar), cast(no_truth as varchar), cast(ap_denominator as varchar),
        cast(bpref_empty as varchar), cast(err_normalize as varchar), cast(err_max_grade as varchar), cast(beta as varchar),
        cast(precision_denominator as varchar), cast(r_precision_cut as varchar), cast(rbp_p as varchar),
        cast(rbp_normalize as varchar), cast(recall_denominator as varchar), cast(rr_cutoff as varchar),
        cast(catalog_size as varchar), cast(ideal as varchar), cast(candidates as varchar), cast(margin as varchar),
        cast(contributions as varchar), cast(correction as varchar), cast(family as varchar), cast(users as varchar),
        cast(truth_window as varchar), cast(judged_only as varchar), cast(baseline as varchar), cast(effect as varchar),
        cast(power as varchar), cast(no_recs as varchar), cast(rank_by as varchar), cast(duplicates as varchar),
        cast(ties as varchar), cast(test as varchar), cast(alternative as varchar), cast(train as varchar),
        cast(seen as varchar)
        ],
        recsql.slices_in("by", segments is not null, train is not null)
    )], lambda q: recsql.joined_paired(q))[1]
);

comment on macro recsql.compare_sql is 'the query that compare runs';

-- models in pairs, user by user, with an interval and a test of each difference
create or replace macro recsql.compare(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, truth_check := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, "interval" := 0.95e0, segments := null, multiple := 'each', min_users := 1,
    no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none', err_max_grade := 4,
    beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null, rbp_normalize := 'none',
    recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null, candidates := null, margin := 0,
    contributions := 'false', correction := 'holm', family := 'all', users := 'truth', truth_window := null,
    judged_only := 'false', baseline := null, effect := 'cohen', power := 0.8e0, no_recs := null, rank_by := null,
    duplicates := null, ties := null, test := 't', alternative := 'two_sided', train := null, seen := 'keep'
) as table (
    from query(recsql.compare_sql(
        recs, truth, k := k, metrics := metrics, "like" := "like", truth_check := truth_check, discount := discount,
        discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal, relevant := relevant,
        relevance_threshold := relevance_threshold, "interval" := "interval", segments := segments, multiple := multiple,
        min_users := min_users, no_truth := no_truth, ap_denominator := ap_denominator, bpref_empty := bpref_empty,
        err_normalize := err_normalize, err_max_grade := err_max_grade, beta := beta,
        precision_denominator := precision_denominator, r_precision_cut := r_precision_cut, rbp_p := rbp_p,
        rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, candidates := candidates, margin := margin,
        contributions := contributions, correction := correction, family := family, users := users,
        truth_window := truth_window, judged_only := judged_only, baseline := baseline, effect := effect, power := power,
        no_recs := no_recs, rank_by := rank_by, duplicates := duplicates, ties := ties, test := test,
        alternative := alternative, train := train, seen := seen
    ))
), (
    recs, truth, "by" union(name varchar, names varchar[]), k := [5, 10, 20], metrics := null, "like" := null,
    truth_check := 'any', discount := null, discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null,
    relevant := null, relevance_threshold := null, "interval" := 0.95e0, segments := null, multiple := 'each',
    min_users := 1, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none',
    err_max_grade := 4, beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null,
    rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null,
    candidates := null, margin := 0, contributions := 'false', correction := 'holm', family := 'all', users := 'truth',
    truth_window := null, judged_only := 'false', baseline := null, effect := 'cohen', power := 0.8e0, no_recs := null,
    rank_by := null, duplicates := null, ties := null, test := 't', alternative := 'two_sided', train := null,
    seen := 'keep'
) as table (
    from query(recsql.compare_sql(
        recs, truth, "by" := "by", k := k, metrics := metrics, "like" := "like", truth_check := truth_check,
        discount := discount, discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal,
        relevant := relevant, relevance_threshold := relevance_threshold, "interval" := "interval", segments := segments,
        multiple := multiple, min_users := min_users, no_truth := no_truth, ap_denominator := ap_denominator,
        bpref_empty := bpref_empty, err_normalize := err_normalize, err_max_grade := err_max_grade, beta := beta,
        precision_denominator := precision_denominator, r_precision_cut := r_precision_cut, rbp_p := rbp_p,
        rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, candidates := candidates, margin := margin,
        contributions := contributions, correction := correction, family := family, users := users,
        truth_window := truth_window, judged_only := judged_only, baseline := baseline, effect := effect, power := power,
        no_recs := no_recs, rank_by := rank_by, duplicates := duplicates, ties := ties, test := test,
        alternative := alternative, train := train, seen := seen
    ))
);

comment on macro table recsql.compare is 'models in pairs, user by user, with an interval and a test of each difference';

-- the query that item_metrics runs
create or replace macro recsql.item_metrics_sql(
    recs, k := [5, 10, 20], metrics := null, "like" := null, discount := null, discount_p := 0.8e0, "interval" := null,
    interval_method := 'auto', groups := 64, segments := null, multiple := 'each', min_users := 1,
    coverage_denominator := null, coverage_restrict := null, entropy_scope := null, entropy_base := null,
    entropy_normalize := null, gini_population := null, gini_divide := null, gini_orientation := null,
    gini_weight := 'count', novelty_base := null, novelty_unseen := null, novelty_divide := 'returned',
    novelty_mean := null, novelty_log := '2', novelty_normalize := 'none', popularity_base := null,
    popularity_unseen := null, popularity_normalize := 'none', catalog_size := null, candidates := null, items := null,
    smoothing := 0, judged_only := 'false', rank_by := null, duplicates := null, ties := null, train := null,
    seen := 'keep'
) as (
    recsql.texts_of(
        recsql.item_metrics_program(),
        [cast(recs as varchar), cast(items as varchar), cast(segments as varchar), cast(train as varchar), cast(candidates as varchar)],
        recsql.ks(k),
        metrics,
        [
        cast("like" as varchar), cast(discount as varchar), cast(discount_p as varchar), cast("interval" as varchar),
        cast(interval_method as varchar), cast(groups as varchar), null, cast(segments as varchar),
        cast(multiple as varchar), cast(min_users as varchar), cast(coverage_denominator as varchar),
        cast(coverage_restrict as varchar), cast(entropy_scope as varchar), cast(entropy_base as varchar),
        cast(entropy_normalize as varchar), cast(gini_population as varchar), cast(gini_divide as varchar),
        cast(gini_orientation as varchar), cast(gini_weight as varchar), cast(novelty_base as varchar),
        cast(novelty_unseen as varchar), cast(novelty_divide as varchar), cast(novelty_mean as varchar),
        cast(novelty_log as varchar), cast(novelty_normalize as varchar), cast(popularity_base as varchar),
        cast(popularity_unseen as varchar), cast(popularity_normalize as varchar), cast(catalog_size as varchar),
        cast(candidates as varchar), cast(items as varchar), cast(smoothing as varchar), cast(judged_only as varchar),
        cast(rank_by as varchar), cast(duplicates as varchar), cast(ties as varchar), cast(train as varchar),
        cast(seen as varchar)
        ],
        recsql.no_slices()
    )[1]['text']
), (
    recs, "by" union(name varchar, names varchar[]), k := [5, 10, 20], metrics := null, "like" := null,
    discount := null, discount_p := 0.8e0, "interval" := null, interval_method := 'auto', groups := 64,
    segments := null, multiple := 'each', min_users := 1, coverage_denominator := null, coverage_restrict := null,
    entropy_scope := null, entropy_base := null, entropy_normalize := null, gini_population := null,
    gini_divide := null, gini_orientation := null, gini_weight := 'count', novelty_base := null, novelty_unseen := null,
    novelty_divide := 'returned', novelty_mean := null, novelty_log := '2', novelty_normalize := 'none',
    popularity_base := null, popularity_unseen := null, popularity_normalize := 'none', catalog_size := null,
    candidates := null, items := null, smoothing := 0, judged_only := 'false', rank_by := null, duplicates := null,
    ties := null, train := null, seen := 'keep'
) as (
    recsql.texts_of(
        recsql.item_metrics_program(),
        [cast(recs as varchar), cast(items as varchar), cast(segments as varchar), cast(train as varchar), cast(candidates as varchar)],
        recsql.ks(k),
        metrics,
        [
        cast("like" as varchar), cast(discount as varchar), cast(discount_p as varchar), cast("interval" as varchar),
        cast(interval_method as varchar), cast(groups as varchar),
        coalesce(union_extract("by", 'name'), cast(union_extract("by", 'names') as varchar)), cast(segments as varchar),
        cast(multiple as varchar), cast(min_users as varchar), cast(coverage_denominator as varchar),
        cast(coverage_restrict as varchar), cast(entropy_scope as varchar), cast(entropy_base as varchar),
        cast(entropy_normalize as varchar), cast(gini_population as varchar), cast(gini_divide as varchar),
        cast(gini_orientation as varchar), cast(gini_weight as varchar), cast(novelty_base as varchar),
        cast(novelty_unseen as varchar), cast(novelty_divide as varchar), cast(novelty_mean as varchar),
        cast(novelty_log as varchar), cast(novelty_normalize as varchar), cast(popularity_base as varchar),
        cast(popularity_unseen as varchar), cast(popularity_normalize as varchar), cast(catalog_size as varchar),
        cast(candidates as varchar), cast(items as varchar), cast(smoothing as varchar), cast(judged_only as varchar),
        cast(rank_by as varchar), cast(duplicates as varchar), cast(ties as varchar), cast(train as varchar),
        cast(seen as varchar)
        ],
        recsql.slices_in("by", segments is not null, train is not null)
    )[1]['text']
);

comment on macro recsql.item_metrics_sql is 'the query that item_metrics runs';

-- the metrics of all lists together
create or replace macro recsql.item_metrics(
    recs, k := [5, 10, 20], metrics := null, "like" := null, discount := null, discount_p := 0.8e0, "interval" := null,
    interval_method := 'auto', groups := 64, segments := null, multiple := 'each', min_users := 1,
    coverage_denominator := null, coverage_restrict := null, entropy_scope := null, entropy_base := null,
    entropy_normalize := null, gini_population := null, gini_divide := null, gini_orientation := null,
    gini_weight := 'count', novelty_base := null, novelty_unseen := null, novelty_divide := 'returned',
    novelty_mean := null, novelty_log := '2', novelty_normalize := 'none', popularity_base := null,
    popularity_unseen := null, popularity_normalize := 'none', catalog_size := null, candidates := null, items := null,
    smoothing := 0, judged_only := 'false', rank_by := null, duplicates := null, ties := null, train := null,
    seen := 'keep'
) as table (
    from query(recsql.item_metrics_sql(
        recs, k := k, metrics := metrics, "like" := "like", discount := discount, discount_p := discount_p,
        "interval" := "interval", interval_method := interval_method, groups := groups, segments := segments,
        multiple := multiple, min_users := min_users, coverage_denominator := coverage_denominator,
        coverage_restrict := coverage_restrict, entropy_scope := entropy_scope, entropy_base := entropy_base,
        entropy_normalize := entropy_normalize, gini_population := gini_population, gini_divide := gini_divide,
        gini_orientation := gini_orientation, gini_weight := gini_weight, novelty_base := novelty_base,
        novelty_unseen := novelty_unseen, novelty_divide := novelty_divide, novelty_mean := novelty_mean,
        novelty_log := novelty_log, novelty_normalize := novelty_normalize, popularity_base := popularity_base,
        popularity_unseen := popularity_unseen, popularity_normalize := popularity_normalize, catalog_size := catalog_size,
        candidates := candidates, items := items, smoothing := smoothing, judged_only := judged_only, rank_by := rank_by,
        duplicates := duplicates, ties := ties, train := train, seen := seen
    ))
), (
    recs, "by" union(name varchar, names varchar[]), k := [5, 10, 20], metrics := null, "like" := null,
    discount := null, discount_p := 0.8e0, "interval" := null, interval_method := 'auto', groups := 64,
    segments := null, multiple := 'each', min_users := 1, coverage_denominator := null, coverage_restrict := null,
    entropy_scope := null, entropy_base := null, entropy_normalize := null, gini_population := null,
    gini_divide := null, gini_orientation := null, gini_weight := 'count', novelty_base := null, novelty_unseen := null,
    novelty_divide := 'returned', novelty_mean := null, novelty_log := '2', novelty_normalize := 'none',
    popularity_base := null, popularity_unseen := null, popularity_normalize := 'none', catalog_size := null,
    candidates := null, items := null, smoothing := 0, judged_only := 'false', rank_by := null, duplicates := null,
    ties := null, train := null, seen := 'keep'
) as table (
    from query(recsql.item_metrics_sql(
        recs, "by" := "by", k := k, metrics := metrics, "like" := "like", discount := discount, discount_p := discount_p,
        "interval" := "interval", interval_method := interval_method, groups := groups, segments := segments,
        multiple := multiple, min_users := min_users, coverage_denominator := coverage_denominator,
        coverage_restrict := coverage_restrict, entropy_scope := entropy_scope, entropy_base := entropy_base,
        entropy_normalize := entropy_normalize, gini_population := gini_population, gini_divide := gini_divide,
        gini_orientation := gini_orientation, gini_weight := gini_weight, novelty_base := novelty_base,
        novelty_unseen := novelty_unseen, novelty_divide := novelty_divide, novelty_mean := novelty_mean,
        novelty_log := novelty_log, novelty_normalize := novelty_normalize, popularity_base := popularity_base,
        popularity_unseen := popularity_unseen, popularity_normalize := popularity_normalize, catalog_size := catalog_size,
        candidates := candidates, items := items, smoothing := smoothing, judged_only := judged_only, rank_by := rank_by,
        duplicates := duplicates, ties := ties, train := train, seen := seen
    ))
);

comment on macro table recsql.item_metrics is 'the metrics of all lists together';

-- the query that rating_metrics runs
create or replace macro recsql.rating_metrics_sql(
    predictions, metrics := null, "like" := null, missing := 'skip', "interval" := null, interval_method := 'auto',
    groups := 64, ratings := null, mean := 'micro'
) as
    recsql.texts_of(
        recsql.rating_metrics_program(),
        [cast(predictions as varchar), cast(ratings as varchar)],
        [],
        metrics,
        [
        cast("like" as varchar), cast(missing as varchar), cast("interval" as varchar), cast(interval_method as varchar),
        cast(groups as varchar), cast(ratings as varchar), cast(mean as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.rating_metrics_sql is 'the query that rating_metrics runs';

-- how far predictions are from ratings
create or replace macro recsql.rating_metrics(
    predictions, metrics := null, "like" := null, missing := 'skip', "interval" := null, interval_method := 'auto',
    groups := 64, ratings := null, mean := 'micro'
) as table
    from query(recsql.rating_metrics_sql(
        predictions, metrics := metrics, "like" := "like", missing := missing, "interval" := "interval",
        interval_method := interval_method, groups := groups, ratings := ratings, mean := mean
    ));

comment on macro table recsql.rating_metrics is 'how far predictions are from ratings';

-- the query that hits runs
create or replace macro recsql.hits_sql(
    recs, truth, k := 10, candidates := null, train := null, "like" := null, discount := null, discount_p := 0.8e0,
    gain := null, gain_map := null, relevant := null, relevance_threshold := null, truth_window := null,
    judged_only := 'false', rank_by := null, duplicates := null, ties := null, seen := 'keep'
) as
    recsql.texts_of(
        recsql.hits_program(),
        [cast(recs as varchar), cast(truth as varchar), cast(train as varchar), cast(candidates as varchar)],
        [recsql.cutoff(cast(k as varchar))],
        null,
        [
        cast("like" as varchar), cast(discount as varchar), cast(discount_p as varchar), cast(gain as varchar),
        recsql.pairs(gain_map), cast(relevant as varchar), cast(relevance_threshold as varchar),
        cast(candidates as varchar), cast(truth_window as varchar), cast(judged_only as varchar), cast(rank_by as varchar),
        cast(duplicates as varchar), cast(ties as varchar), cast(train as varchar), cast(seen as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.hits_sql is 'the query that hits runs';

-- every recommended row in the top k, with the running hits, precision and dcg of its list
create or replace macro recsql.hits(
    recs, truth, k := 10, candidates := null, train := null, "like" := null, discount := null, discount_p := 0.8e0,
    gain := null, gain_map := null, relevant := null, relevance_threshold := null, truth_window := null,
    judged_only := 'false', rank_by := null, duplicates := null, ties := null, seen := 'keep'
) as table
    from query(recsql.hits_sql(
        recs, truth, k := k, candidates := candidates, train := train, "like" := "like", discount := discount,
        discount_p := discount_p, gain := gain, gain_map := gain_map, relevant := relevant,
        relevance_threshold := relevance_threshold, truth_window := truth_window, judged_only := judged_only,
        rank_by := rank_by, duplicates := duplicates, ties := ties, seen := seen
    ));

comment on macro table recsql.hits is 'every recommended row in the top k, with the running hits, precision and dcg of its list';

-- the query that ideal runs
create or replace macro recsql.ideal_sql(
    truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, ideal := null, truth_window := null
) as
    recsql.texts_of(
        recsql.ideal_program(),
        [cast(truth as varchar)],
        [recsql.cutoff(cast(k as varchar))],
        null,
        [
        cast("like" as varchar), cast(discount as varchar), cast(discount_p as varchar), cast(gain as varchar),
        recsql.pairs(gain_map), cast(relevant as varchar), cast(relevance_threshold as varchar), cast(ideal as varchar),
        cast(truth_window as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.ideal_sql is 'the query that ideal runs';

-- the best possible list of each user, up to rank k, with its running dcg
create or replace macro recsql.ideal(
    truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, ideal := null, truth_window := null
) as table
    from query(recsql.ideal_sql(
        truth, k := k, "like" := "like", discount := discount, discount_p := discount_p, gain := gain, gain_map := gain_map,
        relevant := relevant, relevance_threshold := relevance_threshold, ideal := ideal, truth_window := truth_window
    ));

comment on macro table recsql.ideal is 'the best possible list of each user, up to rank k, with its running dcg';

-- the query that split runs
create or replace macro recsql.split_sql(
    interactions, "like" := null, protocol := null, order_by := 'timestamp', n := 1, fraction := null, fold_in := 0.8e0,
    exact := 'false', per := 'row', ties := null, seed := 0, single := null, rounding := null, gap := null,
    core := null, cut := null, "window" := null, step := null, train_window := null, folds := null, user_min := null,
    item_min := null, cold_users := null, cold_items := null, repeats := null, target := 'all', validation := 'false'
) as
    recsql.texts_of(
        recsql.split_program(),
        [cast(interactions as varchar)],
        [],
        null,
        [
        cast("like" as varchar), cast(protocol as varchar), cast(order_by as varchar), cast(n as varchar),
        cast(fraction as varchar), cast(fold_in as varchar), cast(exact as varchar), cast(per as varchar),
        cast(ties as varchar), cast(seed as varchar), cast(single as varchar), cast(rounding as varchar),
        recsql.span(cast(gap as varchar)), cast(core as varchar), recsql.moment(cast(cut as varchar)),
        recsql.span(cast("window" as varchar)), recsql.span(cast(step as varchar)),
        recsql.span(cast(train_window as varchar)), cast(folds as varchar), cast(user_min as varchar),
        cast(item_min as varchar), cast(cold_users as varchar), cast(cold_items as varchar), cast(repeats as varchar),
        cast(target as varchar), cast(validation as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.split_sql is 'the query that split runs';

-- every interaction with its part, by a protocol: train, truth and others
create or replace macro recsql.split(
    interactions, "like" := null, protocol := null, order_by := 'timestamp', n := 1, fraction := null, fold_in := 0.8e0,
    exact := 'false', per := 'row', ties := null, seed := 0, single := null, rounding := null, gap := null,
    core := null, cut := null, "window" := null, step := null, train_window := null, folds := null, user_min := null,
    item_min := null, cold_users := null, cold_items := null, repeats := null, target := 'all', validation := 'false'
) as table
    from query(recsql.split_sql(
        interactions, "like" := "like", protocol := protocol, order_by := order_by, n := n, fraction := fraction,
        fold_in := fold_in, exact := exact, per := per, ties := ties, seed := seed, single := single, rounding := rounding,
        gap := gap, core := core, cut := cut, "window" := "window", step := step, train_window := train_window,
        folds := folds, user_min := user_min, item_min := item_min, cold_users := cold_users, cold_items := cold_items,
        repeats := repeats, target := target, validation := validation
    ));

comment on macro table recsql.split is 'every interaction with its part, by a protocol: train, truth and others';

-- the query that leave_one_out runs
create or replace macro recsql.leave_one_out_sql(
    interactions, order_by := 'timestamp', seed := 0, single := null
) as
    recsql.texts_of(
        recsql.leave_one_out_program(),
        [cast(interactions as varchar)],
        [],
        null,
        [
        null, cast(order_by as varchar), cast(seed as varchar), cast(single as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.leave_one_out_sql is 'the query that leave_one_out runs';

-- every interaction, labelled as train or truth; the last of each user is truth
create or replace macro recsql.leave_one_out(
    interactions, order_by := 'timestamp', seed := 0, single := null
) as table
    from query(recsql.leave_one_out_sql(
        interactions, order_by := order_by, seed := seed, single := single
    ));

comment on macro table recsql.leave_one_out is 'every interaction, labelled as train or truth; the last of each user is truth';

-- the query that labels runs
create or replace macro recsql.labels_sql(
    events, impressions := null, "like" := null, gains := 'click:1,buy:3', other := null, organic := 'drop',
    unit := 'request', aggregate := 'max', attribution := 'last', tolerance := '0 seconds', cap := null,
    examined := 'all', start := null, "window" := '7 days', complete := 'drop', until := null
) as
    recsql.texts_of(
        recsql.labels_program(),
        [cast(events as varchar), cast(impressions as varchar)],
        [],
        null,
        [
        cast("like" as varchar), recsql.gains_text(gains), cast(other as varchar), cast(organic as varchar),
        cast(unit as varchar), cast(aggregate as varchar), cast(attribution as varchar), cast(tolerance as varchar),
        cast(cap as varchar), cast(impressions as varchar), cast(examined as varchar), cast(start as varchar),
        cast("window" as varchar), cast(complete as varchar), cast(until as varchar)
        ],
        recsql.with_gains(coalesce(recsql.gains_text(gains), 'click:1,buy:3'))
    )[1]['text'];

comment on macro recsql.labels_sql is 'the query that labels runs';

-- the truth from a log of events, alone or with what was shown
create or replace macro recsql.labels(
    events, impressions := null, "like" := null, gains := 'click:1,buy:3', other := null, organic := 'drop',
    unit := 'request', aggregate := 'max', attribution := 'last', tolerance := '0 seconds', cap := null,
    examined := 'all', start := null, "window" := '7 days', complete := 'drop', until := null
) as table
    from query(recsql.labels_sql(
        events, impressions := impressions, "like" := "like", gains := gains, other := other, organic := organic,
        unit := unit, aggregate := aggregate, attribution := attribution, tolerance := tolerance, cap := cap,
        examined := examined, start := start, "window" := "window", complete := complete, until := until
    ));

comment on macro table recsql.labels is 'the truth from a log of events, alone or with what was shown';

-- the query that popularity runs
create or replace macro recsql.popularity_sql(
    train, k := 100, users := null, "like" := null
) as
    recsql.texts_of(
        recsql.popularity_program(),
        [cast(train as varchar), cast(users as varchar)],
        [recsql.cutoff(cast(k as varchar))],
        null,
        [
        cast("like" as varchar), cast(users as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.popularity_sql is 'the query that popularity runs';

-- the most popular items that each user lacks, as lists
create or replace macro recsql.popularity(
    train, k := 100, users := null, "like" := null
) as table
    from query(recsql.popularity_sql(
        train, k := k, users := users, "like" := "like"
    ));

comment on macro table recsql.popularity is 'the most popular items that each user lacks, as lists';

-- the query that segments runs
create or replace macro recsql.segments_sql(
    train, truth, "like" := null
) as
    recsql.texts_of(
        recsql.segments_program(),
        [cast(train as varchar), cast(truth as varchar)],
        [],
        null,
        [
        cast("like" as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.segments_sql is 'the query that segments runs';

-- the segments of each user: activity, warm and mainstream
create or replace macro recsql.segments(
    train, truth, "like" := null
) as table
    from query(recsql.segments_sql(
        train, truth, "like" := "like"
    ));

comment on macro table recsql.segments is 'the segments of each user: activity, warm and mainstream';

-- the query that candidates runs
create or replace macro recsql.candidates_sql(
    truth, items, train, "like" := null, seed := 0, n := 100, draw := 'uniform'
) as
    recsql.texts_of(
        recsql.candidates_program(),
        [cast(truth as varchar), cast(items as varchar), cast(train as varchar)],
        [],
        null,
        [
        cast("like" as varchar), cast(seed as varchar), cast(n as varchar), cast(draw as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.candidates_sql is 'the query that candidates runs';

-- the truth of each user and n items that are new to them
create or replace macro recsql.candidates(
    truth, items, train, "like" := null, seed := 0, n := 100, draw := 'uniform'
) as table
    from query(recsql.candidates_sql(
        truth, items, train, "like" := "like", seed := seed, n := n, draw := draw
    ));

comment on macro table recsql.candidates is 'the truth of each user and n items that are new to them';

-- the query that rank_by_score runs
create or replace macro recsql.rank_by_score_sql(
    scored, k := 100, candidates := null, train := null, "like" := null, judged_only := 'false', duplicates := null,
    ties := null, seen := 'keep'
) as
    recsql.texts_of(
        recsql.rank_by_score_program(),
        [cast(scored as varchar), cast(train as varchar), cast(candidates as varchar)],
        [recsql.cutoff(cast(k as varchar))],
        null,
        [
        cast("like" as varchar), cast(candidates as varchar), cast(judged_only as varchar), cast(duplicates as varchar),
        cast(ties as varchar), cast(train as varchar), cast(seen as varchar)
        ],
        recsql.no_slices()
    )[1]['text'];

comment on macro recsql.rank_by_score_sql is 'the query that rank_by_score runs';

-- scored items ranked, the top k of each list; ties by item id
create or replace macro recsql.rank_by_score(
    scored, k := 100, candidates := null, train := null, "like" := null, judged_only := 'false', duplicates := null,
    ties := null, seen := 'keep'
) as table
    from query(recsql.rank_by_score_sql(
        scored, k := k, candidates := candidates, train := train, "like" := "like", judged_only := judged_only,
        duplicates := duplicates, ties := ties, seen := seen
    ));

comment on macro table recsql.rank_by_score is 'scored items ranked, the top k of each list; ties by item id';

-- the query of evaluate, or its two queries joined
create or replace macro recsql.joined_evaluate(queries) as
    list_transform(
        list_transform([queries], lambda q: {
            'text': q[1]['text'],
            'is_one': len(q) = 1,
            'facts': list_concat(q[1]['facts'], [case when list_contains(q[2]['facts'], 'uncut') then 'uncut' else '' end, case when len(q) = 1 then 'one' else '' end]),
            'vals': map_concat(q[1]['vals'], map {
                'query.1': recsql.indented(recsql.indented(q[1]['text'])),
                'query.2': recsql.indented(recsql.indented(q[2]['text'])),
                'ordinary': case when q[1]['is_apart'] then '2' else '1' end,
                'other': case when q[1]['is_apart'] then '1' else '2' end
            }),
            'columns': list_transform(recsql.numbered(q), lambda c: {
                'facts': [''],
                'vals': map {'.number': cast(c['number'] as varchar), '.title': c['title'], '.order': cast(c['order'] as varchar), '.label': c['label']}
            })
        }),
        lambda j: case when j['is_one'] then j['text'] else recsql.filled(
$${%%}select q.model{%!by=%}, q.slice, q.segment{%%}, q.metric, q.k, q.value, q.users{%!by=%}, q.share{%!interval=%}, q.low, q.high, q.std_error, q.few{%%}
from (
    select * from (
        {%: query.1%}
    ) as q1
    union all
    select * from (
        {%: query.2%}
    ) as q2
) as q
order by
    q.model asc nulls first,
{%!by=%}    case q.slice{%!by=: .slices.34%} else 0 end asc,
{%!by= & with_order%}    case q.slice{%!by= & with_order: .slices.35%}
    end asc nulls last,
{%!by=%}    q.segment asc nulls last,
{%%}    case q.metric
{%each%}{%%}        when {%: .label%} then {%: .order%}
{%/each%}{%%}    end asc,
    q.k asc$$,
            j['facts'],
            j['vals'],
            j['columns']
        ) end
    )[1];

-- the query of per_user, or its two queries joined
create or replace macro recsql.joined_per_user(queries) as
    list_transform(
        list_transform([queries], lambda q: {
            'text': q[1]['text'],
            'is_one': len(q) = 1,
            'facts': list_concat(q[1]['facts'], [case when list_contains(q[2]['facts'], 'uncut') then 'uncut' else '' end, case when len(q) = 1 then 'one' else '' end]),
            'vals': map_concat(q[1]['vals'], map {
                'query.1': recsql.indented(q[1]['text']),
                'query.2': recsql.indented(q[2]['text']),
                'ordinary': case when q[1]['is_apart'] then '2' else '1' end,
                'other': case when q[1]['is_apart'] then '1' else '2' end
            }),
            'columns': list_transform(recsql.numbered(q), lambda c: {
                'facts': [''],
                'vals': map {'.number': cast(c['number'] as varchar), '.title': c['title'], '.order': cast(c['order'] as varchar), '.label': c['label']}
            })
        }),
        lambda j: case when j['is_one'] then j['text'] else recsql.filled(
$${%%}select
    coalesce(q1.model, q2.model) as model,
    coalesce(q1.user_id, q2.user_id) as user_id,
    {%uncut%}cast(nullif(coalesce(q1.k, q2.k), 1000000000000000000) as integer){%!uncut%}coalesce(q1.k, q2.k){%%} as k,
    coalesce(q{%: ordinary%}.list_length, q{%: other%}.list_length) as list_length,
    coalesce(q{%: ordinary%}.relevant, q{%: other%}.relevant) as relevant{%: .slices.36%}{%each%}{%%},
    q{%: .number%}.{%: .title%}{%/each%}{%%}
from (
    {%: query.1%}
) as q1
full join (
    {%: query.2%}
) as q2 on q2.model is not distinct from q1.model and q2.user_id = q1.user_id and q2.k = q1.k
order by coalesce(q1.model, q2.model) asc nulls first, coalesce(q1.user_id, q2.user_id) asc, coalesce(q1.k, q2.k) asc$$,
            j['facts'],
            j['vals'],
            j['columns']
        ) end
    )[1];

-- the query of paired, or its two queries joined
create or replace macro recsql.joined_paired(queries) as
    list_transform(
        list_transform([queries], lambda q: {
            'text': q[1]['text'],
            'is_one': len(q) = 1,
            'facts': list_concat(q[1]['facts'], [case when list_contains(q[2]['facts'], 'uncut') then 'uncut' else '' end, case when len(q) = 1 then 'one' else '' end]),
            'vals': map_concat(q[1]['vals'], map {
                'query.1': recsql.indented(recsql.indented(q[1]['text'])),
                'query.2': recsql.indented(recsql.indented(q[2]['text'])),
                'ordinary': case when q[1]['is_apart'] then '2' else '1' end,
                'other': case when q[1]['is_apart'] then '1' else '2' end
            }),
            'columns': list_transform(recsql.numbered(q), lambda c: {
                'facts': [''],
                'vals': map {'.number': cast(c['number'] as varchar), '.title': c['title'], '.order': cast(c['order'] as varchar), '.label': c['label']}
            })
        }),
        lambda j: recsql.filled(
$${%%}with
-- one row per pair of models, metric and cut-off: the sums that the test and the interval are made of
given_paired as (
    {%one%}select * from (
        {%one: query.1%}
    ) as q1{%!one%}select * from (
        {%!one: query.1%}
    ) as q1
    union all
    select * from (
        {%!one: query.2%}
    ) as q2{%%}
),

-- one row per pair of models, metric and cut-off: the means, their difference, its standard error and t
contrasts as (
    select
        v.*,
        row_number() over (
            order by
                v.model asc nulls first,
                v.baseline asc nulls first,
    {%!by=%}            v.slice asc,
                {%!by= & with_order%}case v.slice{%!by= & with_order: .slices.37%}
        end asc nulls last,
        {%!by=%}v.segment asc nulls last,
    {%%}            v.place asc,
                v.k asc
        ) as number,
        abs(v.beyond) / nullif(v.std_error, 0e0) as t
    from (
        select
            s.*,
            s.users - 1e0 as df,
            s.difference + cast({%: margin%} as double) as beyond,
            sqrt(s.variance / nullif(s.users - 1e0, 0e0)) as std_error
        from (
            select
                m.*,
                case
                    when m.users = 0 then null
                    when m.wins + m.losses = 0 or m.moment - m.difference * m.difference <= 1e-12 * m.moment then 0e0
                    else m.moment - m.difference * m.difference
                end as variance
            from (
                select
                    p.model,
                    p.baseline,
    {%!by=%}                p.slice,
                    p.segment,
    {%%}                p.place,
                    p.metric,
                    p.k,
                    p.users,
                    p.unpaired,
                    p.wins,
                    p.losses,
                    cast(p.sum as hugeint) / 1e18 / nullif(p.users, 0) as value,
                    cast(p.base_sum as hugeint) / 1e18 / nullif(p.users, 0) as baseline_value,
                    cast((p.sum - p.base_sum) as hugeint) / 1e18 / nullif(p.users, 0) as difference,
                    cast((p.squares + p.base_squares - p.products - p.products) as hugeint) / 1e18 / nullif(p.users, 0) as moment,
                    cast(p.base_squares as hugeint) / 1e18 / nullif(p.users, 0) as base_moment,
                    cast((p.products - p.base_squares) as hugeint) / 1e18 / nullif(p.users, 0) as cross_moment{%test=wilcoxon%},
                    p.z{%test=randomisation%},
                    p.total,
                    p.total_squares,
                    p.fourths,
                    p.sixths,
                    p.step,
                    p.exact{%%}
                from given_paired as p{%small%}
                where p.slice = 0 or p.users >= {%small: min_users%}{%%}
            ) as m
        ) as s
    ) as v
){%test=t%},

-- one row per pair of models, metric and cut-off: the two-sided tail of the t distribution
t_tails as (
    with sides as (
        select
            s.*,
            s.df / 2e0 as half,
            s.t * s.t as square,
            s.t * s.t * (s.df + 5e0) > 3e0 * (s.df + s.t * s.t) as is_far,
            s.t * s.t / s.df as ratio,
            48e0 * (s.df - 5e-1) * (s.df - 5e-1) as scale
        from (
            select c.number, c.df, c.t
            from contrasts as c
            where c.t is not null
        ) as s
    ),

    arguments as (
        select
            s.*,
            case when s.is_far then s.half else 5e-1 end as a,
            case when s.is_far then 5e-1 else s.half end as b,
            case when s.is_far then s.df else s.square end / (s.df + s.square) as place,
            case
                when s.t > 0e0
                    then exp(
                        s.half * ln(s.df / (s.df + s.square)) + 5e-1 * ln(s.square / (s.df + s.square))
                        + 5e-1 * ln((s.half + 1e1)) - 1e0 / (8e0 * (s.half + 1e1)) + 1e0 / (192e0 * power((s.half + 1e1), 3)) - 1e0 / (640e0 * power((s.half + 1e1), 5))
                        + 17e0 / (14336e0 * power((s.half + 1e1), 7)) - 31e0 / (18432e0 * power((s.half + 1e1), 9)) - 5.723649429247001e-1
                        + ln(
                            (s.half + 0e0) / (s.half + 0.5e0)
                            * (s.half + 1e0) / (s.half + 1.5e0)
                            * (s.half + 2e0) / (s.half + 2.5e0)
                            * (s.half + 3e0) / (s.half + 3.5e0)
                            * (s.half + 4e0) / (s.half + 4.5e0)
                            * (s.half + 5e0) / (s.half + 5.5e0)
                            * (s.half + 6e0) / (s.half + 6.5e0)
                            * (s.half + 7e0) / (s.half + 7.5e0)
                            * (s.half + 8e0) / (s.half + 8.5e0)
                            * (s.half + 9e0) / (s.half + 9.5e0)
                        )
                    )
            end as front,
            (s.df - 5e-1) * case
                when s.ratio < 1e-4 then s.ratio * (1e0 - s.ratio * (5e-1 - s.ratio / 3e0))
                else ln(1e0 + s.ratio)
            end as h
        from sides as s
    ),

    fractions as (
        select
            s.*,
            case when s.df <= 4e2 then s.front / (s.a * (1e0 - (s.a + s.b) * s.place / ((s.a + 1e0) * list_reduce(
                list_prepend(1e0, list_transform(range(40, 0, -1), lambda i: cast(i as double))),
                lambda f, m: 1e0 + m * (s.b - m) * s.place / ((s.a + 2e0 * m - 1e0) * (s.a + 2e0 * m))
                / (1e0 - (s.a + m) * (s.a + s.b + m) * s.place / ((s.a + 2e0 * m) * (s.a + 2e0 * m + 1e0)) / f)
            )))) end as beta,
            (
                ((((-4e-1 * s.h - 3.3e0) * s.h - 24e0) * s.h - 85.5e0) / (8e-1 * s.h * s.h + 100e0 + s.scale) + s.h + 3e0)
                / s.scale + 1e0
            ) * sqrt(s.h) as z
        from arguments as s
    )

    select
        s.*,
        case
            when s.t = 0e0 then 1e0
            when s.df > 4e2
                then 2e0 * case
                    when s.z < 7.07106781186547e0
                        then exp(-s.z * s.z / 2e0) * list_reduce(
                            [
                                3.52624965998911e-2, 7.00383064443688e-1, 6.37396220353165e0, 3.3912866078383e1,
                                1.12079291497871e2, 2.21213596169931e2, 2.20206867912376e2
                            ],
                            lambda f, c: f * s.z + c
                        ) / list_reduce(
                            [
                                8.83883476483184e-2, 1.75566716318264e0, 1.6064177579207e1, 8.67807322029461e1,
                                2.96564248779674e2, 6.37333633378831e2, 7.93826512519948e2, 4.40413735824752e2
                            ],
                            lambda f, c: f * s.z + c
                        )
                    when s.z < 3.8e1
                        then exp(-s.z * s.z / 2e0) / 2.5066282746310002e0
                        / (s.z + 1e0 / (s.z + 2e0 / (s.z + 3e0 / (s.z + 4e0 / (s.z + 5e0 / (s.z + 6e0 / (s.z + 7e0 / (s.z + 8e0 / (s.z + 6.5e-1)))))))))
                    else 0e0
                end
            when s.is_far then s.beta
            else 1e0 - s.beta
        end as p
    from fractions as s
){%%},

-- one row per pair of models, metric and cut-off, with the p-value
tests as (
    select
        s.*,
    {%test=t%}    case
            when s.std_error = 0e0 and s.beyond = 0e0 then 1e0
            when s.std_error = 0e0 and s.wins + s.losses > 0 then null
    {%!alternative=two_sided & test=t%}        when s.std_error = 0e0 then case when s.beyond {%alternative=greater & test=t%}>{%!alternative=greater & !alternative=two_sided & test=t%}<{%!alternative=two_sided & test=t%} 0e0 then 0e0 else 1e0 end
    {%test=t%}        else {%alternative=two_sided & test=t%}t.p{%!alternative=two_sided & test=t%}case when s.beyond {%alternative=greater & test=t%}>{%!alternative=greater & !alternative=two_sided & test=t%}<{%!alternative=two_sided & test=t%} 0e0 then t.p / 2e0 else 1e0 - t.p / 2e0 end{%test=t%}
        end as p
    from contrasts as s
    left join t_tails as t on t.number = s.number{%test=sign%}    case
            when s.differing = 0e0 then 1e0
    {%alternative=two_sided & test=sign%}        else least(1e0, 2e0 * s.upper){%!alternative=two_sided & test=sign%}        when s.ahead >= s.behind then s.upper
            else 1e0 - s.upper{%test=sign%}
        end as p
    from (
        select
            s.*,
            case
                when s.reached > s.differing then 0e0
                when s.differing > 0e0
                    then case
                            when s.reached = s.differing then exp(-s.differing * 6.931471805599453e-1)
                            else
                                exp(
                                    case
                                        when s.differing >= 16
                                            then (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * s.differing * s.differing)) / (s.differing * s.differing)) / (s.differing * s.differing)) / (s.differing * s.differing)) / s.differing
                                        else
                                            (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * (s.differing + 16e0) * (s.differing + 16e0))) / ((s.differing + 16e0) * (s.differing + 16e0))) / ((s.differing + 16e0) * (s.differing + 16e0))) / ((s.differing + 16e0) * (s.differing + 16e0))) / (s.differing + 16e0) + (s.differing + 16.5e0) * ln(s.differing + 16e0) - (s.differing + 5e-1) * ln(nullif(s.differing, 0e0)) - 16e0
                                            - ln((s.differing + 1e0) * (s.differing + 2e0) * (s.differing + 3e0) * (s.differing + 4e0) * (s.differing + 5e0) * (s.differing + 6e0) * (s.differing + 7e0) * (s.differing + 8e0) * (s.differing + 9e0) * (s.differing + 10e0) * (s.differing + 11e0) * (s.differing + 12e0) * (s.differing + 13e0) * (s.differing + 14e0) * (s.differing + 15e0) * (s.differing + 16e0))
                                    end
                                    - case
                                        when s.reached >= 16
                                            then (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * s.reached * s.reached)) / (s.reached * s.reached)) / (s.reached * s.reached)) / (s.reached * s.reached)) / s.reached
                                        else
                                            (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * (s.reached + 16e0) * (s.reached + 16e0))) / ((s.reached + 16e0) * (s.reached + 16e0))) / ((s.reached + 16e0) * (s.reached + 16e0))) / ((s.reached + 16e0) * (s.reached + 16e0))) / (s.reached + 16e0) + (s.reached + 16.5e0) * ln(s.reached + 16e0) - (s.reached + 5e-1) * ln(nullif(s.reached, 0e0)) - 16e0
                                            - ln((s.reached + 1e0) * (s.reached + 2e0) * (s.reached + 3e0) * (s.reached + 4e0) * (s.reached + 5e0) * (s.reached + 6e0) * (s.reached + 7e0) * (s.reached + 8e0) * (s.reached + 9e0) * (s.reached + 10e0) * (s.reached + 11e0) * (s.reached + 12e0) * (s.reached + 13e0) * (s.reached + 14e0) * (s.reached + 15e0) * (s.reached + 16e0))
                                    end
                                    - case
                                        when (s.differing - s.reached) >= 16
                                            then (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * (s.differing - s.reached) * (s.differing - s.reached))) / ((s.differing - s.reached) * (s.differing - s.reached))) / ((s.differing - s.reached) * (s.differing - s.reached))) / ((s.differing - s.reached) * (s.differing - s.reached))) / (s.differing - s.reached)
                                        else
                                            (1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * ((s.differing - s.reached) + 16e0) * ((s.differing - s.reached) + 16e0))) / (((s.differing - s.reached) + 16e0) * ((s.differing - s.reached) + 16e0))) / (((s.differing - s.reached) + 16e0) * ((s.differing - s.reached) + 16e0))) / (((s.differing - s.reached) + 16e0) * ((s.differing - s.reached) + 16e0))) / ((s.differing - s.reached) + 16e0) + ((s.differing - s.reached) + 16.5e0) * ln((s.differing - s.reached) + 16e0) - ((s.differing - s.reached) + 5e-1) * ln(nullif((s.differing - s.reached), 0e0)) - 16e0
                                            - ln(((s.differing - s.reached) + 1e0) * ((s.differing - s.reached) + 2e0) * ((s.differing - s.reached) + 3e0) * ((s.differing - s.reached) + 4e0) * ((s.differing - s.reached) + 5e0) * ((s.differing - s.reached) + 6e0) * ((s.differing - s.reached) + 7e0) * ((s.differing - s.reached) + 8e0) * ((s.differing - s.reached) + 9e0) * ((s.differing - s.reached) + 10e0) * ((s.differing - s.reached) + 11e0) * ((s.differing - s.reached) + 12e0) * ((s.differing - s.reached) + 13e0) * ((s.differing - s.reached) + 14e0) * ((s.differing - s.reached) + 15e0) * ((s.differing - s.reached) + 16e0))
                                    end
                                    - s.reached * ln(2e0 * nullif(s.reached, 0e0) / s.differing) - (s.differing - s.reached) * ln(2e0 * nullif(s.differing - s.reached, 0e0) / s.differing)
                                )
                                * sqrt(s.differing / (6.283185307179586e0 * s.reached * (s.differing - s.reached)))
                                * list_reduce(
                                    list_prepend(1e0, list_transform(range(cast(least(s.differing - s.reached, 40e0 + 5e0 * sqrt(s.differing)) as bigint), 0, -1), lambda i: cast(i as double))),
                                    lambda f, m: 1e0 + f * (s.differing - s.reached - m + 1e0) / (s.reached + m)
                                )
                        end
            end as upper
        from (
            select
                s.*,
    {%alternative=two_sided & test=sign%}            greatest(s.ahead, s.behind) as reached{%!alternative=two_sided & test=sign%}            case when s.ahead >= s.behind then s.ahead else s.behind + 1e0 end as reached{%test=sign%}
            from (
                select
                    s.*,
                    s.wins + s.losses + 0e0 as differing,
                    {%alternative=less & test=sign%}s.losses{%!alternative=less & test=sign%}s.wins{%test=sign%} + 0e0 as ahead,
                    {%alternative=less & test=sign%}s.wins{%!alternative=less & test=sign%}s.losses{%test=sign%} + 0e0 as behind
                from contrasts as s
            ) as s
        ) as s
    ) as s{%test=wilcoxon%}    case
            when s.wins + s.losses = 0 then 1e0
            else {%alternative=two_sided & test=wilcoxon%}least(1e0, 2e0 * s.upper){%!alternative=two_sided & test=wilcoxon%}case when s.z {%alternative=greater & test=wilcoxon%}>{%!alternative=greater & !alternative=two_sided & test=wilcoxon%}<{%!alternative=two_sided & test=wilcoxon%} 0e0 then least(1e0, 2e0 * s.upper) / 2e0 else 1e0 - least(1e0, 2e0 * s.upper) / 2e0 end{%test=wilcoxon%}
        end as p
    from (
        select
            s.*,
            case
                when abs(s.z) < 7.07106781186547e0
                    then exp(-abs(s.z) * abs(s.z) / 2e0) * list_reduce(
                        [
                            3.52624965998911e-2, 7.00383064443688e-1, 6.37396220353165e0, 3.3912866078383e1,
                            1.12079291497871e2, 2.21213596169931e2, 2.20206867912376e2
                        ],
                        lambda f, c: f * abs(s.z) + c
                    ) / list_reduce(
                        [
                            8.83883476483184e-2, 1.75566716318264e0, 1.6064177579207e1, 8.67807322029461e1,
                            2.96564248779674e2, 6.37333633378831e2, 7.93826512519948e2, 4.40413735824752e2
                        ],
                        lambda f, c: f * abs(s.z) + c
                    )
                when abs(s.z) < 3.8e1
                    then exp(-abs(s.z) * abs(s.z) / 2e0) / 2.5066282746310002e0
                    / (abs(s.z) + 1e0 / (abs(s.z) + 2e0 / (abs(s.z) + 3e0 / (abs(s.z) + 4e0 / (abs(s.z) + 5e0 / (abs(s.z) + 6e0 / (abs(s.z) + 7e0 / (abs(s.z) + 8e0 / (abs(s.z) + 6.5e-1)))))))))
                else 0e0
            end as upper
        from contrasts as s
    ) as s{%!test=sign & !test=t & !test=wilcoxon%}    case
            when s.wins + s.losses = 0 then 1e0
            when s.exact is not null then s.exact
            when s.flip >= 0e0 then greatest(0e0, least(1e0, {%!test=sign & !test=t & !test=wilcoxon & alternative=two_sided%}2e0 * {%!test=sign & !test=t & !test=wilcoxon%}(s.upper + s.density * s.series)))
            else greatest(0e0, least(1e0, {%!test=sign & !test=t & !test=wilcoxon & alternative=two_sided%}2e0 * {%!test=sign & !test=t & !test=wilcoxon%}(1e0 - s.upper + s.density * s.series)))
        end as p
    from (
        select
            s.*,
            case
                when abs(s.flip) < 7.07106781186547e0
                    then exp(-abs(s.flip) * abs(s.flip) / 2e0) * list_reduce(
                        [
                            3.52624965998911e-2, 7.00383064443688e-1, 6.37396220353165e0, 3.3912866078383e1,
                            1.12079291497871e2, 2.21213596169931e2, 2.20206867912376e2
                        ],
                        lambda f, c: f * abs(s.flip) + c
                    ) / list_reduce(
                        [
                            8.83883476483184e-2, 1.75566716318264e0, 1.6064177579207e1, 8.67807322029461e1,
                            2.96564248779674e2, 6.37333633378831e2, 7.93826512519948e2, 4.40413735824752e2
                        ],
                        lambda f, c: f * abs(s.flip) + c
                    )
                when abs(s.flip) < 3.8e1
                    then exp(-abs(s.flip) * abs(s.flip) / 2e0) / 2.5066282746310002e0
                    / (abs(s.flip) + 1e0 / (abs(s.flip) + 2e0 / (abs(s.flip) + 3e0 / (abs(s.flip) + 4e0 / (abs(s.flip) + 5e0 / (abs(s.flip) + 6e0 / (abs(s.flip) + 7e0 / (abs(s.flip) + 8e0 / (abs(s.flip) + 6.5e-1)))))))))
                else 0e0
            end as upper,
            exp(-s.flip * s.flip / 2e0) / 2.5066282746310002e0 as density,
            s.fourth / 24e0 * (power(s.flip, 3) - 3e0 * s.flip)
            + s.sixth / 720e0 * (power(s.flip, 5) - 1e1 * power(s.flip, 3) + 15e0 * s.flip)
            + s.fourth * s.fourth / 1152e0 * (power(s.flip, 7) - 21e0 * power(s.flip, 5) + 105e0 * power(s.flip, 3) - 105e0 * s.flip)
                as series
        from (
            select
                s.*,
    {%!test=sign & !test=t & !test=wilcoxon & alternative=two_sided%}            greatest(abs(s.total) - s.step, 0e0) / sqrt(s.total_squares) as flip,{%!alternative=two_sided & !test=sign & !test=t & !test=wilcoxon%}            ({%!test=sign & !test=t & !test=wilcoxon & alternative=less%}-{%!alternative=two_sided & !test=sign & !test=t & !test=wilcoxon%}s.total - s.step) / sqrt(s.total_squares) as flip,{%!test=sign & !test=t & !test=wilcoxon%}
                -2e0 * s.fourths / (s.total_squares * s.total_squares) as fourth,
                16e0 * s.sixths / power(s.total_squares, 3) as sixth
            from contrasts as s
        ) as s
    ) as s{%%}
),

-- one row per pair of models, metric and cut-off, with the p-value corrected for the number of tests, and the tail beyond the interval
corrections as (
    select
        p.*,
    {%correction=holm%}    case
            when p.p is not null
                then least(1e0, max(p.p * (p.tests - p.turn + 1)) over ({%correction=holm & family=metric%}partition by p.place, p.k {%correction=holm%}order by p.turn asc rows between unbounded preceding and current row))
        end as p_adjusted,{%correction=bh%}    case
            when p.p is not null
                then least(1e0, min(p.p * p.tests / p.turn) over ({%correction=bh & family=metric%}partition by p.place, p.k {%correction=bh%}order by p.turn asc rows between current row and unbounded following))
        end as p_adjusted,{%correction=bonferroni%}    case when p.p is not null then least(1e0, p.p * p.tests) end as p_adjusted,{%!correction=bh & !correction=bonferroni & !correction=holm%}    p.p as p_adjusted,{%%}
        (1e0 - {%: interval%}){%correction=bonferroni%} / greatest(p.tests, 1){%%} as tail
    from (
        select
            t.*,
            count(t.p) over ({%family=metric%}partition by t.place, t.k{%%}) as tests,
            row_number() over ({%family=metric%}partition by t.place, t.k {%%}order by t.p asc nulls last, t.number asc) as turn
        from tests as t
    ) as p
),

-- one row per number of degrees of freedom: the tail beyond the interval
degrees as (
    select distinct c.tail, c.df
    from corrections as c
    where c.df > 0e0
    union all
    select 2e0 * (1e0 - {%: power%}) as tail, cast(null as double) as df
),

-- one row per number of degrees of freedom: the quantile of the t distribution
quantiles as (
    with logarithms as (
        select
            s.tail,
            s.df,
            s.half,
            case when s.tail > 1.5e-1 then 1.80625e-1 - power(5e-1 - s.tail / 2e0, 2) else sqrt(-ln(s.tail / 2e0)) end as r,
            5e-1 * ln((s.half + 1e1)) - 1e0 / (8e0 * (s.half + 1e1)) + 1e0 / (192e0 * power((s.half + 1e1), 3)) - 1e0 / (640e0 * power((s.half + 1e1), 5))
            + 17e0 / (14336e0 * power((s.half + 1e1), 7)) - 31e0 / (18432e0 * power((s.half + 1e1), 9)) - 5.723649429247001e-1
            + ln(
                (s.half + 0e0) / (s.half + 0.5e0)
                * (s.half + 1e0) / (s.half + 1.5e0)
                * (s.half + 2e0) / (s.half + 2.5e0)
                * (s.half + 3e0) / (s.half + 3.5e0)
                * (s.half + 4e0) / (s.half + 4.5e0)
                * (s.half + 5e0) / (s.half + 5.5e0)
                * (s.half + 6e0) / (s.half + 6.5e0)
                * (s.half + 7e0) / (s.half + 7.5e0)
                * (s.half + 8e0) / (s.half + 8.5e0)
                * (s.half + 9e0) / (s.half + 9.5e0)
            ) as constant
        from (select d.tail, d.df, d.df / 2e0 as half from degrees as d) as s
    ),

    normal as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.tail / 2e0 > 7.5e-2
                    then (5e-1 - s.tail / 2e0) * list_reduce(
                        [
                            2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
                            1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0
                        ],
                        lambda f, c: f * s.r + c
                    ) / list_reduce(
                        [
                            5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
                            5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1e0
                        ],
                        lambda f, c: f * s.r + c
                    )
                when s.r <= 5e0
                    then list_reduce(
                        [
                            7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
                            3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0
                        ],
                        lambda f, c: f * (s.r - 1.6e0) + c
                    ) / list_reduce(
                        [
                            1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
                            6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1e0
                        ],
                        lambda f, c: f * (s.r - 1.6e0) + c
                    )
                else
                    list_reduce(
                        [
                            2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
                            2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0
                        ],
                        lambda f, c: f * (s.r - 5e0) + c
                    ) / list_reduce(
                        [
                            2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
                            1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1e0
                        ],
                        lambda f, c: f * (s.r - 5e0) + c
                    )
            end as z
        from logarithms as s
    ),

    newton_0 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df is null then s.z
                when s.df < 1e1 and s.tail < 1e-1
                    then sqrt(s.df * (power(s.tail * s.df / (2e0 * exp(s.constant)), -2e0 / s.df) - 1e0))
                else
                    s.z + (power(s.z, 3) + s.z) / (4e0 * s.df)
                    + (5e0 * power(s.z, 5) + 16e0 * power(s.z, 3) + 3e0 * s.z) / (96e0 * power(s.df, 2))
                    + (3e0 * power(s.z, 7) + 19e0 * power(s.z, 5) + 17e0 * power(s.z, 3) - 15e0 * s.z) / (384e0 * power(s.df, 3))
                    + (79e0 * power(s.z, 9) + 776e0 * power(s.z, 7) + 1482e0 * power(s.z, 5) - 1920e0 * power(s.z, 3) - 945e0 * s.z)
                    / (92160e0 * power(s.df, 4))
            end as quantile
        from normal as s
    ),

    mills_0 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_0 as n) as s
    ),

    newton_1 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_0 as s
    ),

    mills_1 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_1 as n) as s
    ),

    newton_2 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_1 as s
    ),

    mills_2 as (
        select
            s.*,
            case
                when s.df <= 4e2
                    then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / list_reduce(
                        list_prepend(1e0, list_transform(range(60, 0, -1), lambda i: cast(i as double))),
                        lambda f, m: 1e0 + m * (5e-1 - m) * s.place / ((s.half + 2e0 * m - 1e0) * (s.half + 2e0 * m))
                        / (1e0 - (s.half + m) * (s.half + 5e-1 + m) * s.place / ((s.half + 2e0 * m) * (s.half + 2e0 * m + 1e0)) / f)
                    )))
            end as mills
        from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_2 as n) as s
    ),

    newton_3 as (
        select
            s.tail,
            s.df,
            s.half,
            s.constant,
            case
                when s.df <= 4e2
                    then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
                else s.quantile
            end as quantile
        from mills_2 as s
    )

    select s.tail, s.df, s.quantile
    from newton_3 as s
),

-- one row per pair of models, metric and cut-off: the interval of the difference, its size, and the smallest one that the test would find
paired_intervals as (
    select
        s.*,
        s.difference - s.margin as low,
        s.difference + s.margin as high,
        s.difference / nullif(s.deviation, 0e0){%effect=hedges%} * (1e0 - 3e0 / (4e0 * s.users - 5e0)){%%} as effect,
        s.margin + s.power_quantile * nullif(s.std_error, 0e0) as detectable,
        s.relative - s.relative_margin as relative_low,
        s.relative + s.relative_margin as relative_high
    from (
        select
            r.*,
            r.quantile * nullif(r.std_error, 0e0) as margin,
            r.quantile * sqrt(
                greatest(r.moment - 2e0 * r.relative * r.cross_moment + r.relative * r.relative * r.base_moment, 0e0)
                / nullif(r.users - 1e0, 0e0)
            ) / nullif(r.baseline_value, 0e0) as relative_margin
        from (
            select
                c.*,
                q.quantile,
                z.quantile as power_quantile,
                sqrt(c.variance * c.users / nullif(c.users - 1e0, 0e0)) as deviation,
                case
                    when c.users > 1 and c.baseline_value > 0e0 and (c.users + 8e0) * c.baseline_value * c.baseline_value >= 9e0 * c.base_moment
                        then c.difference / c.baseline_value
                end as relative
            from corrections as c
            left join quantiles as q on q.df = c.df and q.tail = c.tail
            left join quantiles as z on z.df is null
        ) as r
    ) as s
){%contributions=true%},

-- one row per pair of models, segment, metric and cut-off: what it contributes to the difference, and how far the segments of its slice differ
contributions as (
    select
        z.number,
        z.share,
        z.contribution,
        z.contribution / nullif(z.whole, 0e0) as of_difference,
        z.excess,
        z.q,
        case
            when z.z >= 0e0 then z.upper
            else 1e0 - z.upper
        end as q_p
    from (
        select
            y.*,
            case
                when abs(y.z) < 7.07106781186547e0
                    then exp(-abs(y.z) * abs(y.z) / 2e0) * list_reduce(
                        [
                            3.52624965998911e-2, 7.00383064443688e-1, 6.37396220353165e0, 3.3912866078383e1,
                            1.12079291497871e2, 2.21213596169931e2, 2.20206867912376e2
                        ],
                        lambda f, c: f * abs(y.z) + c
                    ) / list_reduce(
                        [
                            8.83883476483184e-2, 1.75566716318264e0, 1.6064177579207e1, 8.67807322029461e1,
                            2.96564248779674e2, 6.37333633378831e2, 7.93826512519948e2, 4.40413735824752e2
                        ],
                        lambda f, c: f * abs(y.z) + c
                    )
                when abs(y.z) < 3.8e1
                    then exp(-abs(y.z) * abs(y.z) / 2e0) / 2.5066282746310002e0
                    / (abs(y.z) + 1e0 / (abs(y.z) + 2e0 / (abs(y.z) + 3e0 / (abs(y.z) + 4e0 / (abs(y.z) + 5e0 / (abs(y.z) + 6e0 / (abs(y.z) + 7e0 / (abs(y.z) + 8e0 / (abs(y.z) + 6.5e-1)))))))))
                else 0e0
            end as upper
        from (
            select
                x.*,
                (power(x.q / x.df, 1e0 / 3e0) - 1e0 + 2e0 / (9e0 * x.df)) / sqrt(2e0 / (9e0 * x.df)) as z
            from (
                select
                    c.number,
                    c.share,
                    c.whole,
                    c.share * c.difference as contribution,
                    c.share * (c.difference - c.whole) as excess,
                    case
                        when c.slice > 0
                            then sum(c.weight * power(c.difference - c.middle, 2)) over (partition by c.model, c.baseline, c.slice, c.place, c.k order by c.number asc rows between unbounded preceding and unbounded following)
                    end as q,
                    case when c.slice > 0 and count(c.weight) over (partition by c.model, c.baseline, c.slice, c.place, c.k order by c.number asc rows between unbounded preceding and unbounded following) > 1 then count(c.weight) over (partition by c.model, c.baseline, c.slice, c.place, c.k order by c.number asc rows between unbounded preceding and unbounded following) - 1e0 end as df
                from (
                    select
                        c.*,
                        sum(c.weight * c.difference) over (partition by c.model, c.baseline, c.slice, c.place, c.k order by c.number asc rows between unbounded preceding and unbounded following) / sum(c.weight) over (partition by c.model, c.baseline, c.slice, c.place, c.k order by c.number asc rows between unbounded preceding and unbounded following) as middle
                    from (
                        select
                            c.*,
                            cast(c.users as double) / max(case when c.slice = 0 and c.users > 0 then c.users end) over (partition by c.model, c.baseline, c.place, c.k) as share,
                            max(case when c.slice = 0 then c.difference end) over (partition by c.model, c.baseline, c.place, c.k) as whole,
                            1e0 / nullif(c.std_error * c.std_error, 0e0) as weight
                        from paired_intervals as c
                    ) as c
                ) as c
            ) as x
        ) as y
    ) as z
){%%}

{%%}select
    c.model,
    c.baseline,
{%!by=%}    case c.slice{%!by=: .slices.24%} end as slice,
    c.segment,
{%%}    c.metric,
    {%uncut%}cast(nullif(c.k, 1000000000000000000) as integer) as k{%!uncut%}c.k{%%},
    c.users,
{%!by=%}    cast(c.users as double) / max(case when c.slice = 0 and c.users > 0 then c.users end) over (partition by c.model, c.baseline, c.place, c.k) as share,
{%%}    c.unpaired,
    c.value,
    c.baseline_value,
    c.difference,
    c.low,
    c.high,
    c.std_error,
    c.p,
    c.p_adjusted,
    c.wins,
    c.users - c.wins - c.losses as ties,
    c.losses,
    c.effect,
    c.detectable,
    c.relative,
    c.relative_low,
    c.relative_high,
    c.users < 50 or c.wins + c.losses < 20 as few{%contributions=true%},
    x.contribution,
    x.of_difference,
    x.excess,
    x.q,
    x.q_p{%%}
from paired_intervals as c
{%contributions=true%}inner join contributions as x on x.number = c.number
{%%}order by c.number asc$$,
            j['facts'],
            j['vals'],
            j['columns']
        )
    )[1];

-- the queries of a call, each with its text
create or replace macro recsql.texts_of(program, sources, ks, metrics, as_given, slices) as
    flatten(
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
        .list_transform(lambda d: list_transform(
            list_filter(
                case when list_contains(d['apart'], d['metrics'][1]['metric']) then [true, false] else [false, true] end,
                lambda a: len(d['metrics']) = 0 and not a or len(list_filter(d['metrics'], lambda x: list_contains(d['apart'], x['metric']) = a)) > 0
            ),
            lambda a: struct_insert(d, is_apart := a)
        ))
    )
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
                list_filter(d['cut'], lambda c: c['named'] and c['is_cut'] and list_contains(c['ks'], 1000000000000000000)),
                lambda c: coalesce(cast(c['metric'] as varchar), 'NULL') || ': ' || coalesce(cast(case when c['metric'] in ('mean_precision') then c['metric'] when c['metric'] = 'ap' and list_contains(c['facts'], '.ap_denominator=k') then 'ap_denominator = k' when c['metric'] = 'f1' and list_contains(c['facts'], '.precision_denominator=k') then 'precision_denominator = k' when c['metric'] = 'idcg' and list_contains(c['facts'], 'ideal=constant') then 'ideal = constant' when c['metric'] = 'ndcg' and list_contains(c['facts'], 'ideal=constant') then 'ideal = constant' when c['metric'] = 'novelty' and list_contains(c['facts'], '.novelty_divide=k') then 'novelty_divide = k' when c['metric'] = 'precision' and list_contains(c['facts'], '.precision_denominator=k') then 'precision_denominator = k' else c['metric'] end as varchar), 'NULL') || ' needs a cut-off, and the whole list has none; give one such as 10'
            )[1],
            list_transform(
                list_filter(d['slices']['titles'], lambda x: list_contains(d['taken'], lower(x))),
                lambda x: 'by: the result already has a column ' || coalesce(cast(x as varchar), 'NULL') || '; rename that of the segments in a view'
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
                'ks': list_filter(c['ks'], lambda x: x < 1000000000000000000 or not c['is_cut'])
            }),
            lambda c: len(c['ks']) > 0 or len(d['ks']) = 0
        )
    })
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
                case when list_contains(d['ks'], 1000000000000000000) then 'uncut' else '' end,
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
            [d['first'], d['p']['sets'], d['p']['rules.1'], d['p']['rules.2'], d['p']['rules.3'], d['p']['rules.4']],
            lambda facts, rules: recsql.with_rules(facts, rules)
        )
    ))
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
                    cast(coalesce(list_max(list_filter(d['ks'], lambda x: x < 1000000000000000000)), 0) as varchar)
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
            '{%%}with', chr(10),
            recsql.joined(list_transform(recsql.under(d['p']['steps'], d['facts']), lambda x: d['texts'][x]), '{%%},' || chr(10) || chr(10)),
            '{%%}', chr(10), chr(10),
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
;

-- the sentence for the first thing in a call that can't be computed, else NULL
create or replace macro recsql.fault_of(d) as
    coalesce(
        list_filter(
            list_transform(
                d['options'],
                lambda o, i: case d['kinds'][i]
                    when 'choice' then recsql.wrong_value(regexp_replace(o, '^([.]|.*__)', ''), string_split(d['values'][i], ' '), d['given'][i])
                    when 'number' then recsql.wrong_number(regexp_replace(o, '^([.]|.*__)', ''), string_split(d['values'][i], ' '), d['as_given'][i])
                    else recsql.wrong_text(d['kinds'][i], o, d['given'][i])
                end
            ),
            lambda x: x is not null
        )[1],
        list_filter(
            list_transform(
                d['p']['required'],
                lambda x, i: case when d['sources'][i] is null then x || ': NULL is not a table; give the name of a table or a file' end
            ),
            lambda x: x is not null
        )[1],
        d['slices']['fault'],
        recsql.under(d['p']['idle'], d['known'])[1],
        case
            when len(d['p']['metrics']) > 0 then coalesce(
                recsql.unknown_metric(d['asked'], d['p']['metrics']),
                case when len(d['asked']) = 0 then 'metrics: the list is empty; name a metric, pass ''all'', or leave metrics out for the default ones' end
            )
        end,
        recsql.under(d['p']['refused'], d['known_of_metrics'])[1]
    );

-- a metric as written, as its name and cut-off: name, name@k, or name_k as trec_eval prints it
create or replace macro recsql.parsed(texts, preset, names) as
    list_transform(
        list_transform(texts, lambda x: {'text': x['text'], 'named': x['named'], 'alias': replace(lower(regexp_replace(x['text'], '@.*$', '')), '-', '_')}),
        lambda x: {
            'text': x['text'],
            'named': x['named'],
            'metric': coalesce(
                names[preset || ' ' || x['alias']],
                names[x['alias']],
                names[preset || ' ' || regexp_extract(x['alias'], '^(.*)_[0-9]+$', 1)],
                names[regexp_extract(x['alias'], '^(.*)_[0-9]+$', 1)],
                x['text']
            ),
            'at': case
                when contains(x['text'], '@') then regexp_extract(x['text'], '@(.*)$', 1)
                when coalesce(names[preset || ' ' || x['alias']], names[x['alias']]) is null and regexp_matches(x['alias'], '_[0-9]+$')
                    then regexp_extract(x['alias'], '_([0-9]+)$', 1)
            end
        }
    );

-- of some facts such as 'option>0', those that hold
create or replace macro recsql.above(facts, options, vals) as
    list_filter(
        facts,
        lambda x: cast(vals[list_position(options, string_split(x, '>')[1])] as double) > cast(string_split(x, '>')[2] as double)
    );

-- the values of options: those given, or else the usual ones; by a preset, rank_by is only preferred
create or replace macro recsql.chosen(options, given, usual) as
    list_transform(options, lambda o, i: coalesce(given[i], case when o <> 'rank_by' then usual[i] end));

-- what the values of options say, as facts
create or replace macro recsql.facts_of(options, vals) as
    list_transform(
        options,
        lambda o, i: o || '=' || coalesce(case when o = 'rank_by' and vals[i] = 'position' then 'rank' else vals[i] end, '')
    );

-- a program as a map from the name of a section to its lines
create or replace macro recsql.lines_of(program) as
    map_from_entries(list_transform(
        list_transform(string_split(program, chr(10) || '== '), lambda x: string_split(x, ' ==' || chr(10))),
        lambda x: {'k': x[1], 'v': case when coalesce(x[2], '') = '' then [] else string_split(x[2], chr(10)) end}
    ));

-- a text of sections '== name ==' as a map
create or replace macro recsql.sections(text) as
    map_from_entries(list_transform(
        list_transform(string_split(text, chr(10) || '== '), lambda x: string_split(x, ' ==' || chr(10))),
        lambda x: {'k': x[1], 'v': coalesce(x[2], '')}
    ));

-- some facts, and those that rules add to them
create or replace macro recsql.with_rules(facts, rules) as
    list_concat(facts, recsql.under(rules, facts));

-- the same for a text that repeats what stands between {%each%} and {%/each%} for each of some columns
create or replace macro recsql.filled(text, facts, vals, columns) as
    list_aggregate(
        list_transform(
            string_split(replace(text, '{%/each%}', '{%each%}'), '{%each%}'),
            lambda x, i: case
                when i % 2 = 1 then recsql.parts(x, facts, vals)
                else list_aggregate(list_transform(columns, lambda c: recsql.parts(x, c['facts'], c['vals'])), 'string_agg', '')
            end
        ),
        'string_agg',
        ''
    );

-- the parts of a text whose mark holds; a mark is {%condition%}, or {%condition: name%} to put in a value
create or replace macro recsql.parts(text, facts, vals) as
    coalesce(
        list_aggregate(
            list_transform(
                list_filter(
                    list_transform(string_split(text, '{%'), lambda x: string_split(x, '%}')),
                    lambda x: x[2] is not null and recsql.holds(string_split(x[1], ': ')[1], facts)
                ),
                lambda x: coalesce(vals[string_split(x[1], ': ')[2]], '') || x[2]
            ),
            'string_agg',
            ''
        ),
        ''
    );

-- the texts of the lines 'condition => text' whose condition holds
create or replace macro recsql.under(lines, facts) as
    list_transform(
        list_filter(list_transform(lines, lambda x: string_split(x, ' => ')), lambda x: recsql.holds(x[1], facts)),
        lambda x: x[2]
    );

-- whether a condition such as 'a & !b | c' holds under some facts; the empty condition always does
create or replace macro recsql.holds(condition, facts) as
    len(list_filter(
        string_split(condition, ' | '),
        lambda a: len(list_filter(string_split(a, ' & '), lambda x: list_contains(facts, ltrim(x, '!')) = starts_with(x, '!'))) = 0
    )) > 0;

-- what texts repeat for the slices of a call, and for what these consist of, by name
create or replace macro recsql.loops() as
$$

== .ranges.14 ==
{%%}
            when {%.is_activity%}coalesce(v.{%.is_activity: .ours%}, 0){%!.is_activity%}v.{%!.is_activity: .ours%}_number{%%} < {%: .end%} then '{%: .segment as text%}'
== .ranges.15 ==
{%%}
                when {%.is_activity%}coalesce(v.{%.is_activity: .ours%}, 0){%!.is_activity%}v.{%!.is_activity: .ours%}_number{%%} < {%: .end%} then '{%: .segment as text%}'
== .ranges.17 ==
{%%}
                            when {%.is_activity%}coalesce(v.{%.is_activity: .ours%}, 0){%!.is_activity%}v.{%!.is_activity: .ours%}_number{%%} < {%: .end%} then '{%: .segment as text%}'
== .labels.28 ==
{%%} when '{%: .text as text%}' then {%: .place%}
== .keys.16 ==
{%.place>1%} or {%%}v.{%: .ours%} is not null
== .keys.18 ==
{%.by_quantiles%}
    left join segment_quantiles as {%.by_quantiles: .ours%}_q{%.by_quantiles: .quantiles%}
        on {%.by_quantiles: .ours%}_q{%.by_quantiles: .quantiles%}.name = '{%.by_quantiles: .ours%}' and {%.by_quantiles: .ours%}_q{%.by_quantiles: .quantiles%}.quantiles = {%.by_quantiles: .quantiles%} and {%.by_quantiles: .ours%}_q{%.by_quantiles: .quantiles%}.value = {%.by_quantiles & .is_activity%}coalesce(v.{%.by_quantiles & .is_activity: .ours%}, 0){%!.is_activity & .by_quantiles%}v.{%!.is_activity & .by_quantiles: .ours%}_number
== .keys.19 ==
{%.by_quantiles%}'q' || lpad(cast({%.by_quantiles: .ours%}_q{%.by_quantiles: .quantiles%}.quantile as varchar), {%.by_quantiles: .digits%}, '0'){%!.by_quantiles & .by_ranges%}case{%!.by_quantiles & .by_ranges: .ranges.14%}
            when {%!.by_quantiles & .by_ranges & .is_activity%}coalesce(v.{%!.by_quantiles & .by_ranges & .is_activity: .ours%}, 0){%!.by_quantiles & !.is_activity & .by_ranges%}v.{%!.by_quantiles & !.is_activity & .by_ranges: .ours%}_number{%!.by_quantiles & .by_ranges%} is not null then '{%!.by_quantiles & .by_ranges: .last as text%}'
        end{%!.by_quantiles & !.by_ranges%}cast(v.{%!.by_quantiles & !.by_ranges: .ours%} as varchar)
== .keys.20 ==
{%.place>1%}
        || ' / ' || {%.by_ranges%}coalesce(
            {%.by_quantiles & .by_ranges%}'q' || lpad(cast({%.by_quantiles & .by_ranges: .ours%}_q{%.by_quantiles & .by_ranges: .quantiles%}.quantile as varchar), {%.by_quantiles & .by_ranges: .digits%}, '0'){%!.by_quantiles & .by_ranges%}case{%!.by_quantiles & .by_ranges: .ranges.15%}
                when {%!.by_quantiles & .by_ranges & .is_activity%}coalesce(v.{%!.by_quantiles & .by_ranges & .is_activity: .ours%}, 0){%!.by_quantiles & !.is_activity & .by_ranges%}v.{%!.by_quantiles & !.is_activity & .by_ranges: .ours%}_number{%!.by_quantiles & .by_ranges%} is not null then '{%!.by_quantiles & .by_ranges: .last as text%}'
            end{%.by_ranges%},
            '(none)'
        ){%!.by_ranges%}coalesce({%!.by_ranges & .by_quantiles%}'q' || lpad(cast({%!.by_ranges & .by_quantiles: .ours%}_q{%!.by_ranges & .by_quantiles: .quantiles%}.quantile as varchar), {%!.by_ranges & .by_quantiles: .digits%}, '0'){%!.by_quantiles & !.by_ranges%}cast(v.{%!.by_quantiles & !.by_ranges: .ours%} as varchar){%!.by_ranges%}, '(none)')
== .keys.21 ==
{%.place>1%}
                    || ' / ' || {%.by_ranges%}coalesce(
                        {%.by_quantiles & .by_ranges%}'q' || lpad(cast({%.by_quantiles & .by_ranges: .ours%}_q{%.by_quantiles & .by_ranges: .quantiles%}.quantile as varchar), {%.by_quantiles & .by_ranges: .digits%}, '0'){%!.by_quantiles & .by_ranges%}case{%!.by_quantiles & .by_ranges: .ranges.17%}
                            when {%!.by_quantiles & .by_ranges & .is_activity%}coalesce(v.{%!.by_quantiles & .by_ranges & .is_activity: .ours%}, 0){%!.by_quantiles & !.is_activity & .by_ranges%}v.{%!.by_quantiles & !.is_activity & .by_ranges: .ours%}_number{%!.by_quantiles & .by_ranges%} is not null then '{%!.by_quantiles & .by_ranges: .last as text%}'
                        end{%.by_ranges%},
                        '(none)'
                    ){%!.by_ranges%}coalesce({%!.by_ranges & .by_quantiles%}'q' || lpad(cast({%!.by_ranges & .by_quantiles: .ours%}_q{%!.by_ranges & .by_quantiles: .quantiles%}.quantile as varchar), {%!.by_ranges & .by_quantiles: .digits%}, '0'){%!.by_quantiles & !.by_ranges%}cast(v.{%!.by_quantiles & !.by_ranges: .ours%} as varchar){%!.by_ranges%}, '(none)')
== .slices.22 ==
{%.place>1%}
    union all
    {%%}select{%by_table%} distinct{%%}
        v.user_id,
        {%: .place%} as slice,
        {%!.is_crossed: .keys.19%}{%!.otherwise= & .is_crossed: .keys.20%}{%.is_crossed & .otherwise=%}case
            when {%.is_crossed & .otherwise=: .keys.16%}
                then
                    {%.is_crossed & .otherwise=: .keys.21%}
        end{%%} as segment
    from segment_values as v{%: .keys.18%}
== .slices.23 ==
{%%}
    union all
    select {%: .place%} as slice{%by_activity%}, {%!.otherwise= & by_activity%}'{%!.otherwise= & by_activity: .otherwise as text%}'{%.otherwise= & by_activity%}cast(null as varchar){%by_activity%} as otherwise
== .slices.24 ==
{%%} when {%: .place%} then '{%: .name as text%}'
== .slices.29 ==
{%.is_ordered%}
        when {%.is_ordered: .place%} then case s.segment{%.is_ordered: .labels.28%} end
== .slices.30 ==
{%%},
        string_agg(case when g.slice = {%: .place%} then g.segment end, ', ' order by case when g.slice = {%: .place%} then g.segment end asc) as slice_{%: .place%}
== .slices.31 ==
{%%},
    {%!.otherwise=%}coalesce(g.slice_{%!.otherwise=: .place%}, '{%!.otherwise=: .otherwise as text%}') as {%!.otherwise=: .title%}{%.otherwise=%}g.slice_{%.otherwise=: .place%} as {%.otherwise=: .title%}
== .slices.34 ==
{%%} when '{%: .name as text%}' then {%: .place%}
== .slices.35 ==
{%.is_ordered%}
        when '{%.is_ordered: .name as text%}' then case q.segment{%.is_ordered: .labels.28%} end
== .slices.36 ==
{%%},
    coalesce(q1.{%: .title%}, q2.{%: .title%}) as {%: .title%}
== .slices.37 ==
{%.is_ordered%}
            when {%.is_ordered: .place%} then case v.segment{%.is_ordered: .labels.28%} end
== .columns.1 ==
{%%},
        r.{%: .quoted%} as {%: .ours%}
== .columns.2 ==
{%.place>1%}, {%%}null as {%: .quoted%}
== .columns.3 ==
{%%},
        t.{%: .quoted%} as {%: .ours%}
== .columns.4 ==
{%%},
        s.{%: .quoted%} as {%: .ours%}
== .columns.5 ==
{%.place>1%}, {%%}'{%: .ours%}'
== .columns.6 ==
{%.place>1%}, {%%}'{%: .column as text%}'
== .columns.7 ==
{%.place>1%}, {%%}typeof(first(x.{%: .quoted%}))
== .columns.8 ==
{%%},
        case (select c.role from segment_tables as c where c.ours = '{%: .ours%}')
        {%by_table%}    when 'segments' then cast(s.{%by_table: .ours%} as varchar)
        {%%}    when 'truth' then cast(t.{%: .ours%} as varchar)
            when 'recs' then cast(r.{%: .ours%} as varchar)
        end as {%: .ours%}{%.is_cut%},
        case (select c.role from segment_tables as c where c.ours = '{%.is_cut: .ours%}')
        {%.is_cut & by_table%}    when 'segments' then try_cast(s.{%.is_cut & by_table: .ours%} as double)
        {%.is_cut%}    when 'truth' then try_cast(t.{%.is_cut: .ours%} as double)
            when 'recs' then try_cast(r.{%.is_cut: .ours%} as double)
        end as {%.is_cut: .ours%}_number
== .columns.9 ==
{%%}, min(r.{%: .ours%}) as {%: .ours%}
== .columns.10 ==
{%%}, min(t.{%: .ours%}) as {%: .ours%}
== .columns.11 ==
{%%}, {%: .ours%}.value as {%: .ours%}
== .columns.12 ==
{%%}
        left join lateral (select unnest([s.{%: .ours%}], max_depth := 2) as value) as {%: .ours%} on true
== .columns.25 ==
{%.is_cut%}
                union all
                select
                    'by: {%.is_cut: .column as text%} of user '
                    || coalesce(regexp_replace(cast(v.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' is '
                    || coalesce(cast(v.{%.is_cut: .ours%} as varchar), 'NULL')
                    || ', which is not a number to cut; correct it, or leave the brackets out' as message
                from segment_values as v
                where v.{%.is_cut: .ours%} is not null and coalesce(isnan(v.{%.is_cut: .ours%}_number + 0 * random()), true)
== .columns.26 ==
{%.is_crossed%}
                union all
                select
                    'by: {%.is_crossed: .column as text%} of user '
                    || coalesce(regexp_replace(cast(v.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' is '
                    || coalesce(cast(v.{%.is_crossed: .ours%} as varchar), 'NULL')
                    || ', which would be unclear when it is crossed; rename the value in a view' as message
                from segment_values as v
                where cast(v.{%.is_crossed: .ours%} as varchar) like '% / %' or cast(v.{%.is_crossed: .ours%} as varchar) = '(none)'
== .columns.27 ==
{%%}
                    union all
                    select
                        'truth' as role,
                        cast(t.user_id as varchar) as user_id,
                        '{%: .column as text%}' as name,
                        cast(min(t.{%: .ours%}) as varchar) as one,
                        cast(case when min(t.{%: .ours%}) <> max(t.{%: .ours%}) then max(t.{%: .ours%}) end as varchar) as other
                    from given_truth as t
                    where (select c.role from segment_tables as c where c.ours = '{%: .ours%}') = 'truth'
                    group by t.user_id
                    having min(t.{%: .ours%}) <> max(t.{%: .ours%}) or (count(t.{%: .ours%}) > 0 and count(t.{%: .ours%}) < count(*))
                    union all
                    select
                        'recs' as role,
                        cast(r.user_id as varchar) as user_id,
                        '{%: .column as text%}' as name,
                        cast(min(r.{%: .ours%}) as varchar) as one,
                        cast(case when min(r.{%: .ours%}) <> max(r.{%: .ours%}) then max(r.{%: .ours%}) end as varchar) as other
                    from given_recs as r
                    where (select c.role from segment_tables as c where c.ours = '{%: .ours%}') = 'recs'
                    group by r.user_id
                    having min(r.{%: .ours%}) <> max(r.{%: .ours%}) or (count(r.{%: .ours%}) > 0 and count(r.{%: .ours%}) < count(*))
== .columns.32 ==
{%%},
        case (select c.role from segment_tables as c where c.ours = '{%: .ours%}')
        {%by_table%}    when 'segments' then cast(s.{%by_table: .ours%} as varchar)
        {%%}    when 'recs' then cast(r.{%: .ours%} as varchar)
        end as {%: .ours%}{%.is_cut%},
        case (select c.role from segment_tables as c where c.ours = '{%.is_cut: .ours%}')
        {%.is_cut & by_table%}    when 'segments' then try_cast(s.{%.is_cut & by_table: .ours%} as double)
        {%.is_cut%}    when 'recs' then try_cast(r.{%.is_cut: .ours%} as double)
        end as {%.is_cut: .ours%}_number
== .columns.33 ==
{%%}
                    union all
                    select
                        'recs' as role,
                        cast(r.user_id as varchar) as user_id,
                        '{%: .column as text%}' as name,
                        cast(min(r.{%: .ours%}) as varchar) as one,
                        cast(case when min(r.{%: .ours%}) <> max(r.{%: .ours%}) then max(r.{%: .ours%}) end as varchar) as other
                    from given_recs as r
                    where (select c.role from segment_tables as c where c.ours = '{%: .ours%}') = 'recs'
                    group by r.user_id
                    having min(r.{%: .ours%}) <> max(r.{%: .ours%}) or (count(r.{%: .ours%}) > 0 and count(r.{%: .ours%}) < count(*))
== .quantiles.13 ==
{%.place>1%}
            union all
    {%%}        select '{%: .ours%}' as name, {%: .quantiles%} as quantiles, d.value, count(*) as users
            from (select distinct v.user_id, {%.is_activity%}coalesce(v.{%.is_activity: .ours%}, 0){%!.is_activity%}v.{%!.is_activity: .ours%}_number{%%} as value from segment_values as v) as d
            where d.value is not null
            group by d.value$$;

-- what a call without slices has instead
create or replace macro recsql.no_slices() as
    {'facts': [''], 'vals': map {'activity': ''}, 'fault': cast(null as varchar), 'titles': cast([] as varchar[])};

-- a text without the blanks around it
create or replace macro recsql.bare(x) as
    trim(x, ' ' || chr(9) || chr(10) || chr(13));

-- the slices in a text, or in a list of texts
create or replace macro recsql.slice_names(given) as
    list_transform(
        coalesce(union_extract(given, 'names'), regexp_extract_all(',' || union_extract(given, 'name'), ',((?:\[[^\[\]]*\]|[^,])*)', 1), []),
        lambda x: recsql.joined(list_transform(string_split_regex(recsql.bare(coalesce(x, '')), '[ \t\r\n]+x[ \t\r\n]+'), lambda p: recsql.bare(p)), ' x ')
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
            lambda x, i: list_transform(string_split_regex(x, '[ \t\r\n]+x[ \t\r\n]+'), lambda p, j: {
                'slice': i,
                'place': j,
                'part': p,
                'column': case when regexp_full_match(p, '(?s:(.+?))[ \t\r\n]*\[([^\[\]]*)\]') then regexp_extract(p, '^(?s:(.+?))[ \t\r\n]*\[([^\[\]]*)\]$', 1) else p end,
                'cut': case when regexp_full_match(p, '(?s:(.+?))[ \t\r\n]*\[([^\[\]]*)\]') then recsql.bare(regexp_extract(p, '^(?s:(.+?))[ \t\r\n]*\[([^\[\]]*)\]$', 2)) end
            })
        ))
    ))
    .list_transform(lambda d: struct_insert(
        d,
        names := recsql.different(list_transform(d['parts'], lambda p: lower(p['column']))),
        cut := list_transform(d['parts'], lambda p: struct_insert(
            p,
            is_activity := p['column'] = 'train.activity',
            quantiles := case when regexp_full_match(p['cut'], 'q[0-9]{1,9}') then cast(p['cut'][2:] as integer) end,
            ends := case
                when p['column'] = 'train.activity' and p['cut'] is null then [1.0e0, 3.0e0, 21.0e0, 101.0e0]
                when p['cut'] is null or regexp_full_match(p['cut'], 'q[0-9]{1,9}') then []
                else list_transform(string_split(p['cut'], ','), lambda x: try_cast(x as double))
            end
        ))
    ))
    .list_transform(lambda d: struct_insert(
        d,
        faults := list_transform(d['cut'], lambda p: case
            when p['quantiles'] not between 2 and 100 then 'by: ' || coalesce(cast(p['part'] as varchar), 'NULL') || ': give from 2 to 100 quantiles, as in activity[q4]'
            when len(list_filter(p['ends'], lambda e, i: coalesce(isfinite(e) and (i = 1 or e > p['ends'][i - 1]), false))) < len(p['ends'])
                then 'by: ' || coalesce(cast(p['part'] as varchar), 'NULL') || ': give the ends of ranges in ascending order, as in age[18,25,35], or quantiles, as in age[q4]'
            when p['is_activity'] and (p['quantiles'] is not null or p['ends'][1] < 1 or len(list_filter(p['ends'], lambda e: e % 1 <> 0)) > 0)
                then 'by: ' || coalesce(cast(p['part'] as varchar), 'NULL') || ': the activity is cut at whole numbers from 1, as in train.activity[1,10,100]'
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
                        then recsql.joined(list_transform(s['keys'], lambda k: case when k['is_activity'] then k['labels'][1] else '(none)' end), ' / ')
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
        titles := list_transform(d['slices'], lambda s: case when regexp_full_match(s['name'], '[a-z_][a-z0-9_]*') then s['name'] else recsql.name(s['name']) end),
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
            case when d['is_given'] and (len(d['given']) = 0 or list_contains(d['given'], '')) then 'by: ' || coalesce(cast(d['said'] as varchar), 'NULL') || ' does not name a column; give a name such as ''country'', or several' end,
            list_transform(
                list_filter(d['given'], lambda x, i: len(list_filter(d['given'], lambda y: lower(y) = lower(x))) > 1),
                lambda x: 'by: ' || coalesce(cast(x as varchar), 'NULL') || ' is named twice; name each slice once'
            )[1],
            list_filter(d['faults'], lambda x: x is not null)[1],
            case when len(d['names']) > 16 then 'by: ' || coalesce(cast(len(d['names']) as varchar), 'NULL') || ' columns; give at most 16' end,
            list_transform(
                list_filter(d['given'], lambda x: recsql.content(x) <> replace(x, '''', '''''')),
                lambda x: 'by: the column name ' || coalesce(cast(x as varchar), 'NULL') || ' has a line break; rename it in a view'
            )[1],
            case when d['with_activity'] and not d['with_train'] then 'by: train.activity is the number of a user''s rows in train; give that table as well' end
        ),
        'titles': d['titles']
    })[1];

commit;
