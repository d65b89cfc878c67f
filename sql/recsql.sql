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
    recsql.different(list_transform(recsql.few(recsql.cutoffs(k)), lambda x: recsql.cutoff(x)));

-- the query for the cut-offs; DuckDB 1.x can't take a union of a thousand
create or replace macro recsql.cutoffs_text(ks) as
    case
        when len(ks) > 100 then 'select c.k' || chr(10) || 'from (values ' || array_to_string(list_transform(ks, lambda x: '(' || x || ')'), ', ') || ') as c (k)'
        else array_to_string(list_transform(ks, lambda x: 'select ' || x || ' as k'), chr(10) || 'union all' || chr(10))
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
    array_to_string(
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

-- a number as an SQL literal; a fraction is a double
create or replace macro recsql.number(x) as
    case when typeof(x) like '%INT%' then cast(x as varchar) else recsql.real(cast(x as double)) end;

-- a number that is not the usual one, as people write it
create or replace macro recsql.unusual(x, usual) as
    case when cast(x as double) is distinct from cast(usual as double) then regexp_replace(x, 'e0$', '') end;

-- a map of numbers as text, such as 1:1.0 2:3.5
create or replace macro recsql.pairs(x) as
    array_to_string(
        list_transform(
            map_entries(cast(x as map(double, double))),
            lambda o: regexp_replace(cast(o['key'] as varchar), '[.]0$', '') || ':' || cast(o['value'] as varchar)
        ),
        ' '
    );

-- the CASE that gives the value of such a map for x
create or replace macro recsql.looked_up(pairs, x) as
    case
        when coalesce(pairs, '') = '' then 'cast(null as double)'
        else 'case ' || x || ' ' || array_to_string(
            list_transform(
                string_split(pairs, ' '),
                lambda p: 'when ' || recsql.real(cast(string_split(p, ':')[1] as double)) || ' then ' || recsql.real(cast(string_split(p, ':')[2] as double))
            ),
            ' '
        ) || ' end'
    end;

-- the metrics by all their names; a name that only a preset gives follows that of the preset
create or replace macro recsql.metric_names() as
    map {'ap': 'ap', 'map': 'ap', 'average_precision': 'ap', 'averageprecision': 'ap', 'map_at_k': 'ap', 'meanaverageprecision': 'ap', 'meanaverageprecisionat': 'ap', 'retrievalmap': 'ap', 'map_cut': 'ap', 'bpref': 'bpref', 'binary_preference': 'bpref', 'cg': 'cg', 'cumulative_gain': 'cg', 'coverage': 'coverage', 'item_coverage': 'coverage', 'itemcoverage': 'coverage', 'catalog_coverage': 'coverage', 'coveragek': 'coverage', 'catalogcoverage': 'coverage', 'dcg': 'dcg', 'discounted_cumulative_gain': 'dcg', 'dcgk': 'dcg', 'dcg_score': 'dcg', 'entropy': 'entropy', 'shannon_entropy': 'entropy', 'shannonentropy': 'entropy', 'distributional_coverage': 'entropy', 'err': 'err', 'expected_reciprocal_rank': 'err', 'explained_variance': 'explained_variance', 'exp_var': 'explained_variance', 'explained_variance_score': 'explained_variance', 'f1': 'f1', 'f': 'f1', 'fbeta': 'f1', 'f_measure': 'f1', 'f1_score': 'f1', 'fbetatopk': 'f1', 'f1beta': 'f1', 'fn': 'fn', 'false_negatives': 'fn', 'fp': 'fp', 'false_positives': 'fp', 'gini': 'gini', 'gini_index': 'gini', 'listgini': 'gini', 'giniindex': 'gini', 'hit': 'hit', 'hit_rate': 'hit', 'success': 'hit', 'hitratio': 'hit', 'hr': 'hit', 'hitrate': 'hit', 'retrievalhitrate': 'hit', 'hits': 'hits', 'hitk': 'hits', 'num_rel_ret': 'hits', 'idcg': 'idcg', 'ideal_dcg': 'idcg', 'mae': 'mae', 'mean_absolute_error': 'mae', 'mean_precision': 'mean_precision', 'mean_precision_at_k': 'mean_precision', 'mse': 'mse', 'mean_squared_error': 'mse', 'ndcg': 'ndcg', 'normalized_discounted_cumulative_gain': 'ndcg', 'ndcg_at_k': 'ndcg', 'ndcgk': 'ndcg', 'ndcg_score': 'ndcg', 'ndcgat': 'ndcg', 'ndcgatk': 'ndcg', 'retrievalnormalizeddcg': 'ndcg', 'ndcg_cut': 'ndcg', 'novelty': 'novelty', 'self_information': 'novelty', 'mean_self_information': 'novelty', 'inverse_user_frequency': 'novelty', 'meaninvuserfreq': 'novelty', 'popularity': 'popularity', 'average_popularity': 'popularity', 'average_recommendation_popularity': 'popularity', 'arp': 'popularity', 'averagepopularity': 'popularity', 'avgrecpopularity': 'popularity', 'precision': 'precision', 'recommender_precision': 'precision', 'p': 'precision', 'precisiontopk': 'precision', 'precision_at': 'precision', 'precision_at_k': 'precision', 'precisionk': 'precision', 'precisionat': 'precision', 'precisionatk': 'precision', 'retrievalprecision': 'precision', 'r2': 'r2', 'r_squared': 'r2', 'rsquared': 'r2', 'r2_score': 'r2', 'r_precision': 'r_precision', 'rprec': 'r_precision', 'r_precision_at_k': 'r_precision', 'retrievalrprecision': 'r_precision', 'rbp': 'rbp', 'rank_biased_precision': 'rbp', 'recall': 'recall', 'recommender_recall': 'recall', 'recalltopk': 'recall', 'recall_at': 'recall', 'r': 'recall', 'recall_at_k': 'recall', 'recallk': 'recall', 'recallat': 'recall', 'recallatk': 'recall', 'retrievalrecall': 'recall', 'rmse': 'rmse', 'root_mean_squared_error': 'rmse', 'rr': 'rr', 'mrr': 'rr', 'reciprocal_rank': 'rr', 'reciprank': 'rr', 'reciprocalrankk': 'rr', 'retrievalmrr': 'rr', 'recip_rank': 'rr', 'tn': 'tn', 'true_negatives': 'tn', 'tp': 'tp', 'true_positives': 'tp', 'elliot map': 'mean_precision', 'recommenders map_at_k': 'ap', 'replay novelty': 'the share of the list that is not in the user''s train data in replay', 'spark meanaverageprecisionat': 'ap', 'trec_eval map': 'ap', 'trec_eval ndcg': 'ndcg', 'trec_eval recip_rank': 'rr', 'trec_eval num_rel_ret': 'hits', 'trec_eval set_recall': 'recall', 'trec_eval rprec': 'r_precision', 'trec_eval bpref': 'bpref'};

-- the metric with a given name, NULL if there is none; under a preset, the preset's own names come first
create or replace macro recsql.metric_of(alias, preset, names) as
    coalesce(names[preset || ' ' || alias], names[alias]);

-- the metrics as written: name, name@k, or name_k as trec_eval prints it
create or replace macro recsql.parsed(texts, preset, names) as
    list_transform(
        list_transform(
            list_transform(texts, lambda m: {'text': m, 'alias': replace(lower(regexp_replace(m, '@.*$', '')), '-', '_')}),
            lambda m: struct_insert(
                m,
                whole := recsql.metric_of(m['alias'], preset, names),
                stem := recsql.metric_of(regexp_extract(m['alias'], '^(.*)_[0-9]+$', 1), preset, names)
            )
        ),
        lambda m: {
            'text': m['text'],
            'metric': coalesce(m['whole'], m['stem'], m['text']),
            'k': case
                when contains(m['text'], '@') then recsql.cutoff(regexp_extract(m['text'], '@(.*)$', 1))
                when m['whole'] is null and m['stem'] is not null then recsql.cutoff(regexp_extract(m['alias'], '_([0-9]+)$', 1))
            end,
            'named': true
        }
    );

-- the metrics in `metrics`, a list or text: each with its text, its name and its own cut-off; `usual` if it is NULL, `available` for 'all'
create or replace macro recsql.asked(metrics, usual, available, preset, names) as
    case
        when metrics is null
            then list_transform(
                list_filter(usual, lambda u: list_contains(available, u)),
                lambda u: {'text': u, 'metric': u, 'k': cast(null as bigint), 'named': false}
            )
        else flatten(list_transform(
            regexp_extract_all(cast(metrics as varchar), '[^\[\], '']+'),
            lambda t: case
                when lower(t) = 'all'
                    then list_transform(available, lambda u: {'text': u, 'metric': u, 'k': cast(null as bigint), 'named': false})
                else recsql.parsed([t], preset, names)
            end
        ))
    end;

-- each metric once, with its cut-offs: its own, or those of the call
create or replace macro recsql.grouped(asked, ks) as
    list_transform(
        list_transform(
            recsql.different(list_transform(asked, lambda m: m['metric'])),
            lambda n: {
                'metric': n,
                'all_ks': flatten(list_transform(
                    list_filter(asked, lambda m: m['metric'] = n),
                    lambda m: case when m['k'] is null then ks else [m['k']] end
                )),
                'named': list_bool_or(list_transform(list_filter(asked, lambda m: m['metric'] = n), lambda m: m['named']))
            }
        ),
        lambda g: {'metric': g['metric'], 'ks': recsql.different(g['all_ks']), 'named': g['named']}
    );

-- the columns that the mean of F is made of: precision and recall at its cut-offs
create or replace macro recsql.made_of(metrics, f) as
    list_transform(
        ['precision', 'recall'],
        lambda n: case
            when len(list_filter(metrics, lambda o: o['metric'] = n and not list_has_all(o['ks'], f['ks']))) > 0 then n || '_2'
            else n
        end
    );

-- the metrics of a call, followed by those that only the mean of F needs
create or replace macro recsql.with_hidden(metrics, of_means) as
    list_concat(
        metrics,
        flatten(list_transform(
            list_filter(metrics, lambda f: f['metric'] = 'f1' and of_means),
            lambda f: list_transform(
                list_filter(f['made_of'], lambda n: len(list_filter(metrics, lambda w: w['name'] = n)) = 0),
                lambda n: struct_insert(
                    {'metric': regexp_replace(n, '_2$', ''), 'ks': f['ks'], 'named': false},
                    name := n, shown := false, of_apart := false, made_of := f['made_of']
                )
            )
        ))
    );

-- the columns of a joined result in the order of the call, each with the number of its query
create or replace macro recsql.numbered(calls) as
    list_transform(
        list_sort(
            flatten(list_transform(
                calls,
                lambda q, i: list_transform(
                    list_filter(q['d']['columns'], lambda c: c['shown']),
                    lambda c: {
                        'order': list_position(list_transform(q['d']['metrics'], lambda m: m['metric']), c['metric']),
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

-- the metrics for which a preset has options of their own
create or replace macro recsql.apart(preset) as
    case preset
        when 'jurity' then ['ap', 'precision']
        when 'pyspark_udf' then ['ap']
        when 'recommenders' then ['ndcg']
        when 'replay' then ['ap', 'ndcg']
        when 'torchmetrics' then ['ndcg']
        else cast([] as varchar[])
    end;

-- a metric's name with the preset and with the options that apply to it and are not the default
create or replace macro recsql.label(metric, preset, differing) as
    metric || coalesce(
        '(' || nullif(
            concat_ws(
                ', ',
                'like=' || lower(preset),
                nullif(
                    array_to_string(
                        list_transform(
                            list_filter(differing, lambda o: o['value'] is not null and (o['metrics'] is null or contains(o['metrics'], ' ' || metric || ' '))),
                            lambda o: o['name'] || '=' || o['value']
                        ),
                        ', '
                    ),
                    ''
                )
            ),
            ''
        ) || ')',
        ''
    );

-- a stub, replaced further down
create or replace macro recsql.ap(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    cast(null as double)
);

comment on macro recsql.ap is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.bpref(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    bpref_empty := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as
    cast(null as double);

comment on macro recsql.bpref is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.cg(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.cg is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.dcg(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.dcg is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.err(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, err_normalize := 'none', err_max_grade := 4, ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.err is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.f1(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.f1 is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.fn(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.fn is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.fp(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.fp is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.hit(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.hit is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.hits(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.hits is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.idcg(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.idcg is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.mean_precision(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.mean_precision is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.ndcg(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.ndcg is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.precision(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    cast(null as double)
);

comment on macro recsql.precision is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.r_precision(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as
    cast(null as double);

comment on macro recsql.r_precision is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.rbp(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, rbp_p := null, rbp_normalize := 'none', ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.rbp is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.recall(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    cast(null as double)
);

comment on macro recsql.recall is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.rr(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.rr is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.tn(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    catalog_size := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as
    cast(null as double);

comment on macro recsql.tn is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.tp(
    recommended, relevant, k integer
) as (
    cast(null as double)
), (
    recommended, relevant, k integer, relevance
) as (
    cast(null as double)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    cast(null as double)
);

comment on macro recsql.tp is 'a stub, replaced further down';

-- another name of ap
create or replace macro recsql.map(
    recommended, relevant, k integer
) as (
    recsql.ap(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ap(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.ap(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.map is 'another name of ap';

-- another name of ap
create or replace macro recsql.average_precision(
    recommended, relevant, k integer
) as (
    recsql.ap(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ap(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.ap(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.average_precision is 'another name of ap';

-- another name of ap
create or replace macro recsql.averageprecision(
    recommended, relevant, k integer
) as (
    recsql.ap(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ap(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.ap(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.averageprecision is 'another name of ap';

-- another name of ap
create or replace macro recsql.map_at_k(
    recommended, relevant, k integer
) as (
    recsql.ap(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ap(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.ap(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.map_at_k is 'another name of ap';

-- another name of ap
create or replace macro recsql.meanaverageprecision(
    recommended, relevant, k integer
) as (
    recsql.ap(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ap(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.ap(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.meanaverageprecision is 'another name of ap';

-- another name of ap
create or replace macro recsql.meanaverageprecisionat(
    recommended, relevant, k integer
) as (
    recsql.ap(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ap(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.ap(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.meanaverageprecisionat is 'another name of ap';

-- another name of ap
create or replace macro recsql.retrievalmap(
    recommended, relevant, k integer
) as (
    recsql.ap(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ap(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.ap(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.retrievalmap is 'another name of ap';

-- another name of ap
create or replace macro recsql.map_cut(
    recommended, relevant, k integer
) as (
    recsql.ap(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ap(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.ap(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ap_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.map_cut is 'another name of ap';

-- another name of bpref
create or replace macro recsql.binary_preference(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    bpref_empty := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as
    recsql.bpref(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, bpref_empty, ideal, truth_window,
        judged_only, duplicates, "like"
    );

comment on macro recsql.binary_preference is 'another name of bpref';

-- another name of cg
create or replace macro recsql.cumulative_gain(
    recommended, relevant, k integer
) as (
    recsql.cg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.cg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.cg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.cumulative_gain is 'another name of cg';

-- another name of dcg
create or replace macro recsql.discounted_cumulative_gain(
    recommended, relevant, k integer
) as (
    recsql.dcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.dcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.dcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.discounted_cumulative_gain is 'another name of dcg';

-- another name of dcg
create or replace macro recsql.dcgk(
    recommended, relevant, k integer
) as (
    recsql.dcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.dcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.dcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.dcgk is 'another name of dcg';

-- another name of dcg
create or replace macro recsql.dcg_score(
    recommended, relevant, k integer
) as (
    recsql.dcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.dcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.dcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.dcg_score is 'another name of dcg';

-- another name of err
create or replace macro recsql.expected_reciprocal_rank(
    recommended, relevant, k integer
) as (
    recsql.err(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.err(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, err_normalize := 'none', err_max_grade := 4, ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.err(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, err_normalize,
        err_max_grade, ideal, truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.expected_reciprocal_rank is 'another name of err';

-- another name of f1
create or replace macro recsql.f(
    recommended, relevant, k integer
) as (
    recsql.f1(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.f1(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    recsql.f1(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
        recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.f is 'another name of f1';

-- another name of f1
create or replace macro recsql.fbeta(
    recommended, relevant, k integer
) as (
    recsql.f1(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.f1(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    recsql.f1(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
        recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.fbeta is 'another name of f1';

-- another name of f1
create or replace macro recsql.f_measure(
    recommended, relevant, k integer
) as (
    recsql.f1(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.f1(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    recsql.f1(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
        recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.f_measure is 'another name of f1';

-- another name of f1
create or replace macro recsql.f1_score(
    recommended, relevant, k integer
) as (
    recsql.f1(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.f1(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    recsql.f1(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
        recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.f1_score is 'another name of f1';

-- another name of f1
create or replace macro recsql.fbetatopk(
    recommended, relevant, k integer
) as (
    recsql.f1(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.f1(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    recsql.f1(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
        recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.fbetatopk is 'another name of f1';

-- another name of f1
create or replace macro recsql.f1beta(
    recommended, relevant, k integer
) as (
    recsql.f1(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.f1(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    recsql.f1(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, beta, precision_denominator,
        recall_denominator, ideal, truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.f1beta is 'another name of f1';

-- another name of fn
create or replace macro recsql.false_negatives(
    recommended, relevant, k integer
) as (
    recsql.fn(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.fn(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.fn(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.false_negatives is 'another name of fn';

-- another name of fp
create or replace macro recsql.false_positives(
    recommended, relevant, k integer
) as (
    recsql.fp(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.fp(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.fp(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.false_positives is 'another name of fp';

-- another name of hit
create or replace macro recsql.hit_rate(
    recommended, relevant, k integer
) as (
    recsql.hit(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hit(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hit(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.hit_rate is 'another name of hit';

-- another name of hit
create or replace macro recsql.success(
    recommended, relevant, k integer
) as (
    recsql.hit(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hit(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hit(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.success is 'another name of hit';

-- another name of hit
create or replace macro recsql.hitratio(
    recommended, relevant, k integer
) as (
    recsql.hit(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hit(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hit(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.hitratio is 'another name of hit';

-- another name of hit
create or replace macro recsql.hr(
    recommended, relevant, k integer
) as (
    recsql.hit(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hit(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hit(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.hr is 'another name of hit';

-- another name of hit
create or replace macro recsql.hitrate(
    recommended, relevant, k integer
) as (
    recsql.hit(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hit(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hit(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.hitrate is 'another name of hit';

-- another name of hit
create or replace macro recsql.retrievalhitrate(
    recommended, relevant, k integer
) as (
    recsql.hit(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hit(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hit(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.retrievalhitrate is 'another name of hit';

-- another name of hits
create or replace macro recsql.hitk(
    recommended, relevant, k integer
) as (
    recsql.hits(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.hitk is 'another name of hits';

-- another name of hits
create or replace macro recsql.num_rel_ret(
    recommended, relevant, k integer
) as (
    recsql.hits(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.num_rel_ret is 'another name of hits';

-- another name of idcg
create or replace macro recsql.ideal_dcg(
    recommended, relevant, k integer
) as (
    recsql.idcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.idcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.idcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.ideal_dcg is 'another name of idcg';

-- another name of mean_precision
create or replace macro recsql.mean_precision_at_k(
    recommended, relevant, k integer
) as (
    recsql.mean_precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.mean_precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.mean_precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.mean_precision_at_k is 'another name of mean_precision';

-- another name of ndcg
create or replace macro recsql.normalized_discounted_cumulative_gain(
    recommended, relevant, k integer
) as (
    recsql.ndcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ndcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.ndcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.normalized_discounted_cumulative_gain is 'another name of ndcg';

-- another name of ndcg
create or replace macro recsql.ndcg_at_k(
    recommended, relevant, k integer
) as (
    recsql.ndcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ndcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.ndcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.ndcg_at_k is 'another name of ndcg';

-- another name of ndcg
create or replace macro recsql.ndcgk(
    recommended, relevant, k integer
) as (
    recsql.ndcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ndcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.ndcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.ndcgk is 'another name of ndcg';

-- another name of ndcg
create or replace macro recsql.ndcg_score(
    recommended, relevant, k integer
) as (
    recsql.ndcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ndcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.ndcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.ndcg_score is 'another name of ndcg';

-- another name of ndcg
create or replace macro recsql.ndcgat(
    recommended, relevant, k integer
) as (
    recsql.ndcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ndcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.ndcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.ndcgat is 'another name of ndcg';

-- another name of ndcg
create or replace macro recsql.ndcgatk(
    recommended, relevant, k integer
) as (
    recsql.ndcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ndcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.ndcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.ndcgatk is 'another name of ndcg';

-- another name of ndcg
create or replace macro recsql.retrievalnormalizeddcg(
    recommended, relevant, k integer
) as (
    recsql.ndcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ndcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.ndcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.retrievalnormalizeddcg is 'another name of ndcg';

-- another name of ndcg
create or replace macro recsql.ndcg_cut(
    recommended, relevant, k integer
) as (
    recsql.ndcg(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.ndcg(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.ndcg(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.ndcg_cut is 'another name of ndcg';

-- another name of precision
create or replace macro recsql.recommender_precision(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.recommender_precision is 'another name of precision';

-- another name of precision
create or replace macro recsql.p(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.p is 'another name of precision';

-- another name of precision
create or replace macro recsql.precisiontopk(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.precisiontopk is 'another name of precision';

-- another name of precision
create or replace macro recsql.precision_at(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.precision_at is 'another name of precision';

-- another name of precision
create or replace macro recsql.precision_at_k(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.precision_at_k is 'another name of precision';

-- another name of precision
create or replace macro recsql.precisionk(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.precisionk is 'another name of precision';

-- another name of precision
create or replace macro recsql.precisionat(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.precisionat is 'another name of precision';

-- another name of precision
create or replace macro recsql.precisionatk(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.precisionatk is 'another name of precision';

-- another name of precision
create or replace macro recsql.retrievalprecision(
    recommended, relevant, k integer
) as (
    recsql.precision(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.precision(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, precision_denominator, ideal,
        truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.retrievalprecision is 'another name of precision';

-- another name of r_precision
create or replace macro recsql.rprec(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as
    recsql.r_precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, r_precision_cut, ideal, truth_window,
        judged_only, duplicates, "like"
    );

comment on macro recsql.rprec is 'another name of r_precision';

-- another name of r_precision
create or replace macro recsql.r_precision_at_k(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as
    recsql.r_precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, r_precision_cut, ideal, truth_window,
        judged_only, duplicates, "like"
    );

comment on macro recsql.r_precision_at_k is 'another name of r_precision';

-- another name of r_precision
create or replace macro recsql.retrievalrprecision(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as
    recsql.r_precision(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, r_precision_cut, ideal, truth_window,
        judged_only, duplicates, "like"
    );

comment on macro recsql.retrievalrprecision is 'another name of r_precision';

-- another name of rbp
create or replace macro recsql.rank_biased_precision(
    recommended, relevant, k integer
) as (
    recsql.rbp(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.rbp(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, rbp_p := null, rbp_normalize := 'none', ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.rbp(
        recommended, relevant, k, relevance, discount, discount_p, gain, gain_map, relevance_threshold, rbp_p,
        rbp_normalize, ideal, truth_window, judged_only, duplicates, "like"
    )
);

comment on macro recsql.rank_biased_precision is 'another name of rbp';

-- another name of recall
create or replace macro recsql.recommender_recall(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.recommender_recall is 'another name of recall';

-- another name of recall
create or replace macro recsql.recalltopk(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.recalltopk is 'another name of recall';

-- another name of recall
create or replace macro recsql.recall_at(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.recall_at is 'another name of recall';

-- another name of recall
create or replace macro recsql.r(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.r is 'another name of recall';

-- another name of recall
create or replace macro recsql.recall_at_k(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.recall_at_k is 'another name of recall';

-- another name of recall
create or replace macro recsql.recallk(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.recallk is 'another name of recall';

-- another name of recall
create or replace macro recsql.recallat(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.recallat is 'another name of recall';

-- another name of recall
create or replace macro recsql.recallatk(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.recallatk is 'another name of recall';

-- another name of recall
create or replace macro recsql.retrievalrecall(
    recommended, relevant, k integer
) as (
    recsql.recall(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.recall(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.recall(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, recall_denominator, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.retrievalrecall is 'another name of recall';

-- another name of rr
create or replace macro recsql.mrr(
    recommended, relevant, k integer
) as (
    recsql.rr(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.rr(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.rr(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.mrr is 'another name of rr';

-- another name of rr
create or replace macro recsql.reciprocal_rank(
    recommended, relevant, k integer
) as (
    recsql.rr(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.rr(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.rr(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.reciprocal_rank is 'another name of rr';

-- another name of rr
create or replace macro recsql.reciprank(
    recommended, relevant, k integer
) as (
    recsql.rr(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.rr(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.rr(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.reciprank is 'another name of rr';

-- another name of rr
create or replace macro recsql.reciprocalrankk(
    recommended, relevant, k integer
) as (
    recsql.rr(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.rr(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.rr(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.reciprocalrankk is 'another name of rr';

-- another name of rr
create or replace macro recsql.retrievalmrr(
    recommended, relevant, k integer
) as (
    recsql.rr(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.rr(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.rr(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.retrievalmrr is 'another name of rr';

-- another name of rr
create or replace macro recsql.recip_rank(
    recommended, relevant, k integer
) as (
    recsql.rr(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.rr(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.rr(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, rr_cutoff, ideal, truth_window,
        judged_only, duplicates, "like"
    )
);

comment on macro recsql.recip_rank is 'another name of rr';

-- another name of tn
create or replace macro recsql.true_negatives(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    catalog_size := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as
    recsql.tn(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, catalog_size, ideal, truth_window,
        judged_only, duplicates, "like"
    );

comment on macro recsql.true_negatives is 'another name of tn';

-- another name of tp
create or replace macro recsql.true_positives(
    recommended, relevant, k integer
) as (
    recsql.tp(recommended, relevant, k)
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.tp(recommended, relevant, k, relevance)
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.tp(
        recommended, relevant, k, relevance, gain, gain_map, relevance_threshold, ideal, truth_window, judged_only,
        duplicates, "like"
    )
);

comment on macro recsql.true_positives is 'another name of tp';

-- a stub, replaced further down
create or replace macro recsql.hits_of_lists(
    recommended, relevant, k
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance, options
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1, 'o': options}]
);

comment on macro recsql.hits_of_lists is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.gains_of_lists(
    recommended, relevant, k
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance, options
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1, 'o': options}]
);

comment on macro recsql.gains_of_lists is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.judgements_of_lists(
    recommended, relevant, k
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance, options
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1, 'o': options}]
);

comment on macro recsql.judgements_of_lists is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.fault(
    options, numbers
) as
    cast(null as varchar);

comment on macro recsql.fault is 'a stub, replaced further down';

-- average precision: sum of precision at the rank of each hit / min(R, k)
create or replace macro recsql.ap(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'k': __recsql_l.k,
            'precision_sum': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h, __recsql_n: try_cast(1e18 * (__recsql_n / cast(__recsql_h.rank as double)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.precision_sum / nullif(least(__recsql_s.k, __recsql_s.relevant), 0), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'k': __recsql_l.k,
            'precision_sum': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h, __recsql_n: try_cast(1e18 * (__recsql_n / cast(__recsql_h.rank as double)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.precision_sum / nullif(least(__recsql_s.k, __recsql_s.relevant), 0), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ap_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ap_denominator', cast(ap_denominator as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ap_denominator': coalesce(ap_denominator, map {'cornac': 'relevant', 'evidently': 'relevant', 'hivemall': 'hits', 'ir_measures': 'relevant', 'lenskit': 'achievable_returned', 'pyspark_udf': 'hits', 'ranx': 'relevant', 'rectools': 'relevant', 'torchmetrics': 'hits', 'trec_eval': 'relevant'}[lower("like")], 'achievable'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'rank'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'count', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'k': __recsql_l.k,
            'precision_sum': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h, __recsql_n: try_cast(1e18 * (__recsql_n / cast(__recsql_h.rank as double)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(case when __recsql_s.o.ap_denominator = 'achievable' then __recsql_s.precision_sum / nullif(least(__recsql_s.k, __recsql_s.relevant), 0) when __recsql_s.o.ap_denominator = 'relevant' then __recsql_s.precision_sum / nullif(__recsql_s.relevant, 0) when __recsql_s.o.ap_denominator = 'achievable_returned' then __recsql_s.precision_sum / nullif(least(__recsql_s.relevant, __recsql_s.returned), 0) when __recsql_s.o.ap_denominator = 'k' then __recsql_s.precision_sum / nullif(__recsql_s.k, 0) else __recsql_s.precision_sum / nullif(__recsql_s.hits, 0) end, 0e0) end)[1]
);

comment on macro recsql.ap is 'average precision: sum of precision at the rank of each hit / min(R, k)';

-- binary preference: 1 / R x the sum over all hits of 1 - min(b, R) / min(J, R): b of the J items judged not relevant are above the hit
create or replace macro recsql.bpref(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    bpref_empty := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as
    recsql.judgements_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['bpref_empty', cast(bpref_empty as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end, case
            when coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all') in ('k') then 'bpref can''t be computed with truth_window = ''k''; choose another value, or leave bpref out'
        end, case
            when coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all') in ('rank') then 'bpref can''t be computed with truth_window = ''rank''; choose another value, or leave bpref out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'bpref_empty': coalesce(bpref_empty, map {'ranx': 'null'}[lower("like")], 'one'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': true
    })
        .list_transform(lambda __recsql_l: {
            'hits_anywhere': coalesce(len(__recsql_l.found), 0),
            'not_relevant': len(__recsql_l.rejected),
            'preceded': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: least(len(list_filter(__recsql_l.rejected, lambda __recsql_r: __recsql_r < __recsql_h.rank)), len(__recsql_l.entries)))), 0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then case when __recsql_s.o.bpref_empty = 'one' then (__recsql_s.hits_anywhere - coalesce(__recsql_s.preceded / cast(nullif(least(__recsql_s.not_relevant, __recsql_s.relevant), 0) as double), 0e0)) / cast(nullif(__recsql_s.relevant, 0) as double) else case
            when __recsql_s.hits_anywhere = 0 then 0e0
            else (__recsql_s.hits_anywhere - __recsql_s.preceded / cast(nullif(least(__recsql_s.not_relevant, __recsql_s.relevant), 0) as double)) / cast(nullif(__recsql_s.relevant, 0) as double)
        end end end)[1];

comment on macro recsql.bpref is 'binary preference: 1 / R x the sum over all hits of 1 - min(b, R) / min(J, R): b of the J items judged not relevant are above the hit';

-- cumulative gain: sum of the gains of the hits
create or replace macro recsql.cg(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'cg': coalesce(cast(len(__recsql_l.found) as double), 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.cg end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'cg': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * __recsql_h.gain as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.cg end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['discount', cast(discount as varchar)], ['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when discount_p is distinct from 0.8e0 and discount is distinct from 'geometric'
                then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out'
        end, case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'cg': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: try_cast(1e18 * __recsql_h.gain as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.cg end)[1]
);

comment on macro recsql.cg is 'cumulative gain: sum of the gains of the hits';

-- discounted cumulative gain: sum of gain x discount, discount = 1 / log2(rank + 1)
create or replace macro recsql.dcg(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'dcg': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * __recsql_l.weights[__recsql_h.rank] as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.dcg end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'dcg': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * (__recsql_h.gain * __recsql_l.weights[__recsql_h.rank]) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.dcg end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['discount', cast(discount as varchar)], ['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when discount_p is distinct from 0.8e0 and discount is distinct from 'geometric'
                then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out'
        end, case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'dcg': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: try_cast(1e18 * (__recsql_h.gain * __recsql_l.weights[__recsql_h.rank]) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.dcg end)[1]
);

comment on macro recsql.dcg is 'discounted cumulative gain: sum of gain x discount, discount = 1 / log2(rank + 1)';

-- expected reciprocal rank: sum of 1 / rank x the probability of stopping there; at an item of grade g: (2^g - 1) / 2^4
create or replace macro recsql.err(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'expected_stop': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h, __recsql_n: try_cast(1e18 * (coalesce(list_product(list_transform((__recsql_l.found)[:__recsql_n - 1], lambda __recsql_h: 1 - ((power(2e0, greatest(1e0, 0e0)) - 1) / power(2e0, 4)))), 1e0) * ((power(2e0, greatest(1e0, 0e0)) - 1) / power(2e0, 4)) / __recsql_h.rank) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.expected_stop, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'expected_stop': coalesce(case
                when ((power(2e0, greatest(list_max(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain)), 0e0)) - 1) / power(2e0, 4)) > 1 - power(2e0, -4)
                    then error(
                        'relevant: gain '
                        || coalesce(cast(list_max(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain)) as varchar), 'NULL')
                        || ' is above that of the highest grade '
                        || coalesce(cast(4 as varchar), 'NULL')
                        || '; set err_max_grade to that of your scale'
                    )
                else list_sum(list_transform(__recsql_l.found, lambda __recsql_h, __recsql_n: try_cast(1e18 * (coalesce(list_product(list_transform((__recsql_l.found)[:__recsql_n - 1], lambda __recsql_h: 1 - ((power(2e0, greatest(__recsql_h.gain, 0e0)) - 1) / power(2e0, 4)))), 1e0) * ((power(2e0, greatest(__recsql_h.gain, 0e0)) - 1) / power(2e0, 4)) / __recsql_h.rank) as hugeint))) / 1e18
            end, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.expected_stop, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, err_normalize := 'none', err_max_grade := 4, ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['discount', cast(discount as varchar)], ['gain', cast(gain as varchar)], ['err_normalize', cast(err_normalize as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)], ['err_max_grade', cast(err_max_grade as varchar)]]
        ), case
            when discount_p is distinct from 0.8e0 and discount is distinct from 'geometric'
                then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out'
        end, case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end, case
            when coalesce(err_normalize, 'none') in ('ideal') and coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all') in ('k') then 'err can''t be computed with err_normalize = ''ideal'' and truth_window = ''k''; choose another value, or leave err out'
        end),
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'err_normalize': coalesce(err_normalize, 'none'),
        'err_max_grade': coalesce(try_cast(err_max_grade as bigint), 4),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'expected_stop': coalesce(case
                when case when coalesce(__recsql_l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(list_max(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain)), 0e0) / power(2e0, __recsql_l.o.err_max_grade)) else ((power(2e0, greatest(list_max(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain)), 0e0)) - 1) / power(2e0, __recsql_l.o.err_max_grade)) end > 1 - power(2e0, -__recsql_l.o.err_max_grade)
                    then error(
                        'relevant: gain '
                        || coalesce(cast(list_max(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain)) as varchar), 'NULL')
                        || ' is above that of the highest grade '
                        || coalesce(cast(__recsql_l.o.err_max_grade as varchar), 'NULL')
                        || '; set err_max_grade to that of your scale'
                    )
                else list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h, __recsql_n: try_cast(1e18 * (coalesce(list_product(list_transform((list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k))[:__recsql_n - 1], lambda __recsql_h: 1 - case when coalesce(__recsql_l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(__recsql_h.gain, 0e0) / power(2e0, __recsql_l.o.err_max_grade)) else ((power(2e0, greatest(__recsql_h.gain, 0e0)) - 1) / power(2e0, __recsql_l.o.err_max_grade)) end)), 1e0) * case when coalesce(__recsql_l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(__recsql_h.gain, 0e0) / power(2e0, __recsql_l.o.err_max_grade)) else ((power(2e0, greatest(__recsql_h.gain, 0e0)) - 1) / power(2e0, __recsql_l.o.err_max_grade)) end / __recsql_h.rank) as hugeint))) / 1e18
            end, 0e0),
            'ideal_stop': coalesce(case when len((list_sort(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain), 'DESC'))[:__recsql_l.k]) > 0 then list_reduce(list_transform((list_sort(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain), 'DESC'))[:__recsql_l.k], lambda __recsql_g, __recsql_i: {'stop': case when coalesce(__recsql_l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(__recsql_g, 0e0) / power(2e0, __recsql_l.o.err_max_grade)) else ((power(2e0, greatest(__recsql_g, 0e0)) - 1) / power(2e0, __recsql_l.o.err_max_grade)) end / __recsql_i, 'on': 1 - case when coalesce(__recsql_l.o.gain in ('exp2', 'exp2_shifted'), false) then (greatest(__recsql_g, 0e0) / power(2e0, __recsql_l.o.err_max_grade)) else ((power(2e0, greatest(__recsql_g, 0e0)) - 1) / power(2e0, __recsql_l.o.err_max_grade)) end}), lambda __recsql_a, __recsql_b: {'stop': __recsql_a.stop + __recsql_a.on * __recsql_b.stop, 'on': __recsql_a.on * __recsql_b.on}).stop end, 0e0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(case when __recsql_s.o.err_normalize = 'ideal' then __recsql_s.expected_stop / nullif(__recsql_s.ideal_stop, 0e0) else __recsql_s.expected_stop end, 0e0) end)[1]
);

comment on macro recsql.err is 'expected reciprocal rank: sum of 1 / rank x the probability of stopping there; at an item of grade g: (2^g - 1) / 2^4';

-- F-measure of precision and recall: (1 + beta^2) precision recall / (beta^2 precision + recall)
create or replace macro recsql.f1(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce((1 + power(cast(1 as double), 2)) / (
            power(cast(1 as double), 2) / nullif(coalesce(__recsql_s.hits / cast(nullif(__recsql_s.relevant, 0) as double), 0e0), 0e0)
            + 1 / nullif(coalesce(__recsql_s.hits / cast(__recsql_s.k as double), 0e0), 0e0)
        ), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce((1 + power(cast(1 as double), 2)) / (
            power(cast(1 as double), 2) / nullif(coalesce(__recsql_s.hits / cast(nullif(__recsql_s.relevant, 0) as double), 0e0), 0e0)
            + 1 / nullif(coalesce(__recsql_s.hits / cast(__recsql_s.k as double), 0e0), 0e0)
        ), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    beta := 1, precision_denominator := null, recall_denominator := null, ideal := null, truth_window := null,
    judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['precision_denominator', cast(precision_denominator as varchar)], ['recall_denominator', cast(recall_denominator as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)], ['beta', cast(beta as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'beta': coalesce(try_cast(beta as double), 1),
        'precision_denominator': coalesce(precision_denominator, map {'evidently': 'returned', 'hivemall': 'returned', 'jurity': 'returned', 'lenskit': 'returned', 'pyspark_udf': 'returned', 'returned': 'returned'}[lower("like")], 'k'),
        'recall_denominator': coalesce(recall_denominator, map {'lenskit': 'achievable'}[lower("like")], 'relevant'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce((1 + power(cast(__recsql_s.o.beta as double), 2)) / (
            power(cast(__recsql_s.o.beta as double), 2) / nullif(coalesce(case when __recsql_s.o.recall_denominator = 'relevant' then __recsql_s.hits / cast(nullif(__recsql_s.relevant, 0) as double) else __recsql_s.hits / cast(nullif(least(__recsql_s.k, __recsql_s.relevant), 0) as double) end, 0e0), 0e0)
            + 1 / nullif(coalesce(case when __recsql_s.o.precision_denominator = 'k' then __recsql_s.hits / cast(__recsql_s.k as double) when __recsql_s.o.precision_denominator = 'returned' then __recsql_s.hits / cast(nullif(__recsql_s.returned, 0) as double) else __recsql_s.hits / cast(nullif(least(__recsql_s.k, __recsql_s.relevant), 0) as double) end, 0e0), 0e0)
        ), 0e0) end)[1]
);

comment on macro recsql.f1 is 'F-measure of precision and recall: (1 + beta^2) precision recall / (beta^2 precision + recall)';

-- false negatives: relevant items that are not in the top k
create or replace macro recsql.fn(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'distinct_hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.relevant - __recsql_s.distinct_hits as double) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'distinct_hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.relevant - __recsql_s.distinct_hits as double) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'distinct_hits': coalesce(case when __recsql_l.o.duplicates = 'count' then list_unique(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: __recsql_h.place)) else len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)) end, 0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.relevant - __recsql_s.distinct_hits as double) end)[1]
);

comment on macro recsql.fn is 'false negatives: relevant items that are not in the top k';

-- false positives: items in the top k that are not relevant
create or replace macro recsql.fp(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.returned - __recsql_s.hits as double) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.returned - __recsql_s.hits as double) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.returned - __recsql_s.hits as double) end)[1]
);

comment on macro recsql.fp is 'false positives: items in the top k that are not relevant';

-- hit rate: 1 if any item in the top k is relevant, else 0
create or replace macro recsql.hit(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'any_hit': coalesce(case when len(__recsql_l.found) > 0 then 1e0 else 0e0 end, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.any_hit end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'any_hit': coalesce(case when len(__recsql_l.found) > 0 then 1e0 else 0e0 end, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.any_hit end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'any_hit': coalesce(case when len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)) > 0 then 1e0 else 0e0 end, 0e0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.any_hit end)[1]
);

comment on macro recsql.hit is 'hit rate: 1 if any item in the top k is relevant, else 0';

-- number of hits: relevant items in the top k
create or replace macro recsql.hits(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.hits as double) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.hits as double) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.hits as double) end)[1]
);

comment on macro recsql.hits is 'number of hits: relevant items in the top k';

-- ideal discounted cumulative gain: the DCG of the ideal list of k items
create or replace macro recsql.idcg(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'idcg': coalesce(list_sum(__recsql_l.weights[:least(len(__recsql_l.entries), __recsql_l.k)]), 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.idcg end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'idcg': coalesce(list_sum(list_transform((list_sort(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain), 'DESC'))[:__recsql_l.k], lambda __recsql_y, __recsql_i: __recsql_y * __recsql_l.weights[__recsql_i])), 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.idcg end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['discount', cast(discount as varchar)], ['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when discount_p is distinct from 0.8e0 and discount is distinct from 'geometric'
                then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out'
        end, case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth') = 'candidates'
    })
        .list_transform(lambda __recsql_l: {
            'idcg': coalesce(case when __recsql_l.o.ideal = 'constant' then list_sum(__recsql_l.weights[:__recsql_l.k]) when __recsql_l.o.ideal = 'truth_as_given' then list_sum(list_transform(list_filter(__recsql_l.entries, lambda __recsql_e: __recsql_e.place <= __recsql_l.k), lambda __recsql_e: __recsql_e.gain * __recsql_l.weights[__recsql_e.place])) else list_sum(list_transform((list_sort(list_transform(case when __recsql_l.o.ideal = 'candidates' then __recsql_l.found else case when __recsql_l.o.truth_window = 'k' then list_filter(__recsql_l.entries, lambda __recsql_e: __recsql_e.place <= __recsql_l.k) else __recsql_l.entries end end, lambda __recsql_e: __recsql_e.gain), 'DESC'))[:case when __recsql_l.o.ideal = 'truth_uncut' then len(__recsql_l.entries) when __recsql_l.o.ideal = 'truth_returned' then least(__recsql_l.k, __recsql_l.returned) else __recsql_l.k end], lambda __recsql_y, __recsql_i: __recsql_y * __recsql_l.weights[__recsql_i])) end, 0e0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.idcg end)[1]
);

comment on macro recsql.idcg is 'ideal discounted cumulative gain: the DCG of the ideal list of k items';

-- mean precision over the ranks: (precision@1 + ... + precision@k) / k
create or replace macro recsql.mean_precision(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'k': __recsql_l.k,
            'precision_total': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * (list_sum(list_transform(range(__recsql_h.rank, __recsql_l.k + 1), lambda __recsql_r: 1e0 / __recsql_r))) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.precision_total / __recsql_s.k, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'k': __recsql_l.k,
            'precision_total': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * (list_sum(list_transform(range(__recsql_h.rank, __recsql_l.k + 1), lambda __recsql_r: 1e0 / __recsql_r))) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.precision_total / __recsql_s.k, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'k': __recsql_l.k,
            'precision_total': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: try_cast(1e18 * (list_sum(list_transform(range(__recsql_h.rank, __recsql_l.k + 1), lambda __recsql_r: 1e0 / __recsql_r))) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.precision_total / __recsql_s.k, 0e0) end)[1]
);

comment on macro recsql.mean_precision is 'mean precision over the ranks: (precision@1 + ... + precision@k) / k';

-- normalised discounted cumulative gain: DCG / IDCG; linear gain, ideal list from the whole truth cut at k
create or replace macro recsql.ndcg(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'dcg': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * __recsql_l.weights[__recsql_h.rank] as hugeint))) / 1e18, 0e0),
            'idcg': coalesce(list_sum(__recsql_l.weights[:least(len(__recsql_l.entries), __recsql_l.k)]), 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.dcg / nullif(__recsql_s.idcg, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'dcg': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * (__recsql_h.gain * __recsql_l.weights[__recsql_h.rank]) as hugeint))) / 1e18, 0e0),
            'idcg': coalesce(list_sum(list_transform((list_sort(list_transform(__recsql_l.entries, lambda __recsql_e: __recsql_e.gain), 'DESC'))[:__recsql_l.k], lambda __recsql_y, __recsql_i: __recsql_y * __recsql_l.weights[__recsql_i])), 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.dcg / nullif(__recsql_s.idcg, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['discount', cast(discount as varchar)], ['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when discount_p is distinct from 0.8e0 and discount is distinct from 'geometric'
                then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out'
        end, case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'count', 'spark': 'count'}[lower("like")], 'error'),
        'deep': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth') = 'candidates'
    })
        .list_transform(lambda __recsql_l: {
            'dcg': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: try_cast(1e18 * (__recsql_h.gain * __recsql_l.weights[__recsql_h.rank]) as hugeint))) / 1e18, 0e0),
            'idcg': coalesce(case when __recsql_l.o.ideal = 'constant' then list_sum(__recsql_l.weights[:__recsql_l.k]) when __recsql_l.o.ideal = 'truth_as_given' then list_sum(list_transform(list_filter(__recsql_l.entries, lambda __recsql_e: __recsql_e.place <= __recsql_l.k), lambda __recsql_e: __recsql_e.gain * __recsql_l.weights[__recsql_e.place])) else list_sum(list_transform((list_sort(list_transform(case when __recsql_l.o.ideal = 'candidates' then __recsql_l.found else case when __recsql_l.o.truth_window = 'k' then list_filter(__recsql_l.entries, lambda __recsql_e: __recsql_e.place <= __recsql_l.k) else __recsql_l.entries end end, lambda __recsql_e: __recsql_e.gain), 'DESC'))[:case when __recsql_l.o.ideal = 'truth_uncut' then len(__recsql_l.entries) when __recsql_l.o.ideal = 'truth_returned' then least(__recsql_l.k, __recsql_l.returned) else __recsql_l.k end], lambda __recsql_y, __recsql_i: __recsql_y * __recsql_l.weights[__recsql_i])) end, 0e0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.dcg / nullif(__recsql_s.idcg, 0e0) end)[1]
);

comment on macro recsql.ndcg is 'normalised discounted cumulative gain: DCG / IDCG; linear gain, ideal list from the whole truth cut at k';

-- precision: hits / k
create or replace macro recsql.precision(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.hits / cast(__recsql_s.k as double), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.hits / cast(__recsql_s.k as double), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    precision_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['precision_denominator', cast(precision_denominator as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'precision_denominator': coalesce(precision_denominator, map {'evidently': 'returned', 'hivemall': 'returned', 'jurity': 'returned', 'lenskit': 'returned', 'pyspark_udf': 'returned', 'returned': 'returned'}[lower("like")], 'k'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(case when __recsql_s.o.precision_denominator = 'k' then __recsql_s.hits / cast(__recsql_s.k as double) when __recsql_s.o.precision_denominator = 'returned' then __recsql_s.hits / cast(nullif(__recsql_s.returned, 0) as double) else __recsql_s.hits / cast(nullif(least(__recsql_s.k, __recsql_s.relevant), 0) as double) end, 0e0) end)[1]
);

comment on macro recsql.precision is 'precision: hits / k';

-- R-precision: hits in the first R ranks / R, whatever the cut-off
create or replace macro recsql.r_precision(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    r_precision_cut := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['r_precision_cut', cast(r_precision_cut as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'r_precision_cut': coalesce(r_precision_cut, map {'recommenders': 'k'}[lower("like")], 'list'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': coalesce(r_precision_cut, map {'recommenders': 'k'}[lower("like")], 'list') = 'list'
    })
        .list_transform(lambda __recsql_l: {
            'hits_to_r': coalesce(len(list_filter(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: __recsql_h.rank <= len(__recsql_l.entries))), 0),
            'hits_to_r_anywhere': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= len(__recsql_l.entries))), 0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(case when __recsql_s.o.r_precision_cut = 'k' then __recsql_s.hits_to_r / cast(nullif(__recsql_s.relevant, 0) as double) else __recsql_s.hits_to_r_anywhere / cast(nullif(__recsql_s.relevant, 0) as double) end, 0e0) end)[1];

comment on macro recsql.r_precision is 'R-precision: hits in the first R ranks / R, whatever the cut-off';

-- rank-biased precision: (1 - p) x sum of gain x p^(rank - 1); p = 0.8
create or replace macro recsql.rbp(
    recommended, relevant, k integer
) as (
    recsql.gains_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'persistent_gain': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * (power(cast(0.8e0 as double), __recsql_h.rank - 1)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce((1 - cast(0.8e0 as double)) * __recsql_s.persistent_gain, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'persistent_gain': coalesce(list_sum(list_transform(__recsql_l.found, lambda __recsql_h: try_cast(1e18 * (__recsql_h.gain * power(cast(0.8e0 as double), __recsql_h.rank - 1)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce((1 - cast(0.8e0 as double)) * __recsql_s.persistent_gain, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, discount := null, discount_p := 0.8e0, gain := null,
    gain_map := null, relevance_threshold := null, rbp_p := null, rbp_normalize := 'none', ideal := null,
    truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.gains_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['discount', cast(discount as varchar)], ['gain', cast(gain as varchar)], ['rbp_normalize', cast(rbp_normalize as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)], ['rbp_p', cast(rbp_p as varchar)]]
        ), case
            when discount_p is distinct from 0.8e0 and discount is distinct from 'geometric'
                then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out'
        end, case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'rbp_p': coalesce(try_cast(rbp_p as double), map {'lenskit': 0.85e0, 'trec_eval': 0.9e0}[lower("like")], 0.8e0),
        'rbp_normalize': coalesce(rbp_normalize, 'none'),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'persistent_gain': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: try_cast(1e18 * (__recsql_h.gain * power(cast(__recsql_l.o.rbp_p as double), __recsql_h.rank - 1)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(case when __recsql_s.o.rbp_normalize = 'none' then (1 - cast(__recsql_s.o.rbp_p as double)) * __recsql_s.persistent_gain else __recsql_s.persistent_gain / nullif(
            coalesce(
                (1 - power(cast(__recsql_s.o.rbp_p as double), least(__recsql_s.relevant, __recsql_s.returned))) / nullif(1 - cast(__recsql_s.o.rbp_p as double), 0e0),
                least(__recsql_s.relevant, __recsql_s.returned)
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
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.hits / cast(nullif(__recsql_s.relevant, 0) as double), 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.hits / cast(nullif(__recsql_s.relevant, 0) as double), 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    recall_denominator := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['recall_denominator', cast(recall_denominator as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'recall_denominator': coalesce(recall_denominator, map {'lenskit': 'achievable'}[lower("like")], 'relevant'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(case when __recsql_s.o.recall_denominator = 'relevant' then __recsql_s.hits / cast(nullif(__recsql_s.relevant, 0) as double) else __recsql_s.hits / cast(nullif(least(__recsql_s.k, __recsql_s.relevant), 0) as double) end, 0e0) end)[1]
);

comment on macro recsql.recall is 'recall: hits / R';

-- reciprocal rank: 1 / rank of the first hit; 0 without a hit
create or replace macro recsql.rr(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'reciprocal_rank': 1e0 / (__recsql_l.found)[1].rank,
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.reciprocal_rank, 0e0) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'reciprocal_rank': 1e0 / (__recsql_l.found)[1].rank,
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.reciprocal_rank, 0e0) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    rr_cutoff := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['rr_cutoff', cast(rr_cutoff as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'rr_cutoff': coalesce(rr_cutoff, map {'cornac': 'none', 'trec_eval': 'none'}[lower("like")], 'k'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': coalesce(rr_cutoff, map {'cornac': 'none', 'trec_eval': 'none'}[lower("like")], 'k') = 'none'
    })
        .list_transform(lambda __recsql_l: {
            'reciprocal_rank': 1e0 / (list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k))[1].rank,
            'reciprocal_rank_anywhere': 1e0 / (__recsql_l.found)[1].rank,
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(case when __recsql_s.o.rr_cutoff = 'k' then __recsql_s.reciprocal_rank else __recsql_s.reciprocal_rank_anywhere end, 0e0) end)[1]
);

comment on macro recsql.rr is 'reciprocal rank: 1 / rank of the first hit; 0 without a hit';

-- true negatives: catalog_size - tp - fp - fn
create or replace macro recsql.tn(
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    catalog_size := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)], ['catalog_size', cast(catalog_size as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'catalog_size': try_cast(catalog_size as bigint),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'distinct_hits': coalesce(case when __recsql_l.o.duplicates = 'count' then list_unique(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: __recsql_h.place)) else len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)) end, 0),
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then case
            when __recsql_s.o.catalog_size >= __recsql_s.returned + __recsql_s.relevant - __recsql_s.distinct_hits
                then cast(__recsql_s.o.catalog_size - (__recsql_s.returned + __recsql_s.relevant - __recsql_s.distinct_hits) as double)
            when __recsql_s.o.catalog_size < __recsql_s.returned + __recsql_s.relevant - __recsql_s.distinct_hits
                then error(
                    'catalog_size: '
                    || coalesce(cast(__recsql_s.o.catalog_size as varchar), 'NULL')
                    || ' is too small; the two lists alone have '
                    || coalesce(cast(cast(__recsql_s.returned + __recsql_s.relevant - __recsql_s.distinct_hits as bigint) as varchar), 'NULL')
                    || ' items'
                )
        end end)[1];

comment on macro recsql.tn is 'true negatives: catalog_size - tp - fp - fn';

-- true positives: relevant items in the top k
create or replace macro recsql.tp(
    recommended, relevant, k integer
) as (
    recsql.hits_of_lists(recommended, relevant, k)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.hits as double) end)[1]
), (
    recommended, relevant, k integer, relevance
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance)
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(__recsql_l.found), 0),
            'relevant': len(__recsql_l.entries)
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.hits as double) end)[1]
), (
    recommended, relevant, k := null, relevance := null, gain := null, gain_map := null, relevance_threshold := null,
    ideal := null, truth_window := null, judged_only := 'false', duplicates := null, like := null
) as (
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error'),
        'deep': false
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.hits as double) end)[1]
);

comment on macro recsql.tp is 'true positives: relevant items in the top k';

-- the values of the options
create or replace macro recsql.choices() as
    map {
        'protocol': ['any', 'leave_one_out'],
        'missing': ['skip', 'error'],
        'discount': ['log2p1', 'jk2002', 'ln1p', 'geometric', 'none'],
        'gain': ['linear', 'binary', 'exp2', 'exp2_shifted', 'map'],
        'zero_ideal': ['null', 'skip', 'zero', 'one'],
        'relevant': ['positive', 'present'],
        'single': ['train', 'truth'],
        'interval_method': ['auto', 'wilson', 't', 'groups'],
        'no_truth': ['skip', 'zero', 'zero_below_threshold', 'one', 'one_if_both_empty', 'error'],
        'ap_denominator': ['achievable', 'relevant', 'achievable_returned', 'hits', 'k'],
        'bpref_empty': ['one', 'null'],
        'coverage_denominator': ['catalog', 'train', 'count'],
        'coverage_restrict': ['true', 'false'],
        'entropy_scope': ['items', 'list', 'category'],
        'entropy_base': ['2', 'e', '10'],
        'entropy_normalize': ['none', 'distinct', 'log_catalog'],
        'err_normalize': ['none', 'ideal'],
        'f1_average': ['per_user', 'of_means'],
        'gini_population': ['catalog', 'recommended'],
        'gini_divide': ['n', 'n_minus_1'],
        'gini_orientation': ['inequality', 'equality'],
        'gini_weight': ['count', 'exposure'],
        'novelty_base': ['users', 'interactions'],
        'novelty_unseen': ['one', 'skip', 'zero', 'max'],
        'novelty_divide': ['returned', 'k'],
        'novelty_mean': ['lists', 'rows'],
        'novelty_log': ['2', 'e', '10'],
        'novelty_normalize': ['none', 'log_users'],
        'popularity_base': ['users', 'interactions'],
        'popularity_unseen': ['zero', 'skip', 'error'],
        'popularity_normalize': ['none', 'sum', 'max'],
        'precision_denominator': ['k', 'returned', 'achievable'],
        'r_precision_cut': ['list', 'k'],
        'rbp_normalize': ['none', 'achievable'],
        'recall_denominator': ['relevant', 'achievable'],
        'rr_cutoff': ['k', 'none'],
        'ideal': ['truth', 'constant', 'truth_uncut', 'truth_returned', 'candidates', 'truth_as_given'],
        'users': ['truth', 'intersection', 'union'],
        'truth_window': ['all', 'k', 'rank'],
        'judged_only': ['false', 'true'],
        'no_recs': ['zero', 'skip'],
        'rank_by': ['rank', 'score', 'position'],
        'duplicates': ['error', 'first', 'hole', 'count', 'set', 'last'],
        'mean': ['micro', 'users'],
        'ties': ['item_asc', 'item_desc', 'input', 'expected', 'best', 'worst', 'error'],
        'like': ['cornac', 'elliot', 'evidently', 'hivemall', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval']
    };

comment on macro recsql.choices is 'the values of the options';

-- and what their numbers are
create or replace macro recsql.numbers() as
    map {
        'discount_p': {'whole': false, 'above': cast(0 as double), 'at_least': cast('-inf' as double), 'at_most': cast(1 as double), 'bound': 'above 0 and at most 1'},
        'relevance_threshold': {'whole': false, 'above': cast('-inf' as double), 'at_least': cast('-inf' as double), 'at_most': cast('inf' as double), 'bound': ''},
        'seed': {'whole': true, 'above': cast('-inf' as double), 'at_least': cast('-inf' as double), 'at_most': cast('inf' as double), 'bound': ''},
        'interval': {'whole': false, 'above': cast(0.5e0 as double), 'at_least': cast('-inf' as double), 'at_most': cast('inf' as double), 'bound': 'above 0.5 and below 1'},
        'groups': {'whole': true, 'above': cast('-inf' as double), 'at_least': cast(8 as double), 'at_most': cast(1024 as double), 'bound': 'at least 8 and at most 1024'},
        'err_max_grade': {'whole': true, 'above': cast('-inf' as double), 'at_least': cast(1 as double), 'at_most': cast(100 as double), 'bound': 'at least 1 and at most 100'},
        'beta': {'whole': false, 'above': cast(0 as double), 'at_least': cast('-inf' as double), 'at_most': cast(1000000 as double), 'bound': 'above 0 and at most 1000000'},
        'rbp_p': {'whole': false, 'above': cast(0 as double), 'at_least': cast('-inf' as double), 'at_most': cast(1 as double), 'bound': 'above 0 and at most 1'},
        'catalog_size': {'whole': true, 'above': cast(0 as double), 'at_least': cast('-inf' as double), 'at_most': cast(1000000000000 as double), 'bound': 'above 0 and at most 1000000000000'},
        'smoothing': {'whole': false, 'above': cast('-inf' as double), 'at_least': cast(0 as double), 'at_most': cast('inf' as double), 'bound': 'at least 0'},
        'sample': {'whole': false, 'above': cast(0 as double), 'at_least': cast('-inf' as double), 'at_most': cast(1 as double), 'bound': 'above 0 and at most 1'}
    };

comment on macro recsql.numbers is 'and what their numbers are';

-- the sentence for the first of some options that can't have its value, else NULL
create or replace macro recsql.fault(
    options, numbers
) as
    list_transform(
        [{'choices': recsql.choices(), 'numbers': recsql.numbers()}],
        lambda __recsql_f: coalesce(
            list_transform(
                list_filter(options, lambda __recsql_o: not list_contains(__recsql_f['choices'][__recsql_o[1]], __recsql_o[2])),
                lambda __recsql_o:
                    coalesce(cast(__recsql_o[1] as varchar), 'NULL') || ': unknown value ''' || coalesce(cast(__recsql_o[2] as varchar), 'NULL') || '''; ' || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(__recsql_f['choices'][__recsql_o[1]], lambda __recsql_n: jaro_winkler_similarity(lower(__recsql_n), lower(__recsql_o[2])) > 7e-1), lambda __recsql_n: {'likeness': jaro_winkler_similarity(lower(__recsql_n), lower(__recsql_o[2])), 'name': __recsql_n}))['name'] || '? ', '') as varchar), 'NULL') || 'choose one of ' || coalesce(cast(array_to_string(__recsql_f['choices'][__recsql_o[1]], ', ') as varchar), 'NULL')
            )[1],
            list_transform(
                list_filter(
                    numbers,
                    lambda __recsql_o: __recsql_o[2] is not null and not coalesce(
                        isfinite(try_cast(__recsql_o[2] as double))
                        and (not __recsql_f['numbers'][__recsql_o[1]].whole or try_cast(__recsql_o[2] as double) % 1 = 0)
                        and try_cast(__recsql_o[2] as double) > __recsql_f['numbers'][__recsql_o[1]].above
                        and try_cast(__recsql_o[2] as double) >= __recsql_f['numbers'][__recsql_o[1]].at_least
                        and try_cast(__recsql_o[2] as double) <= __recsql_f['numbers'][__recsql_o[1]].at_most,
                        false
                    )
                ),
                lambda __recsql_o:
                    coalesce(cast(__recsql_o[1] as varchar), 'NULL') || ': ' || coalesce(cast(__recsql_o[2] as varchar), 'NULL') || ' is not ' || coalesce(cast(case when not coalesce(isfinite(try_cast(__recsql_o[2] as double)), false) then 'a number' when __recsql_f['numbers'][__recsql_o[1]].whole and try_cast(__recsql_o[2] as double) % 1 <> 0 then 'a whole number' else __recsql_f['numbers'][__recsql_o[1]].bound end as varchar), 'NULL')
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
        when relevance is not null and list_position(list_transform(judged, lambda __recsql_x, __recsql_j: coalesce(isfinite(relevance[__recsql_j]), false)), false) > 0
            then error(
                'relevant: relevance is '
                || coalesce(cast(relevance[list_position(list_transform(judged, lambda __recsql_x, __recsql_j: coalesce(isfinite(relevance[__recsql_j]), false)), false)] as varchar), 'NULL')
                || ' for item '
                || coalesce(regexp_replace(cast(judged[list_position(list_transform(judged, lambda __recsql_x, __recsql_j: coalesce(isfinite(relevance[__recsql_j]), false)), false)] as varchar), '^$', ''''''), 'NULL')
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
    .list_transform(lambda __recsql_l: {
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged),
        'items': __recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))],
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'reversed': list_reverse(__recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))]),
        'truth': __recsql_l.judged
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'returned': coalesce(least(len(__recsql_l.items), __recsql_l.k), 0),
        'k': __recsql_l.k,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                __recsql_l.entries,
                lambda __recsql_h: case
                    when __recsql_h.rank is null then false
                    when __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'returned': __recsql_l.returned
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
    .list_transform(lambda __recsql_l: {
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged, __recsql_l.relevance),
        'items': __recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))],
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'reversed': list_reverse(__recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))]),
        'truth': case when __recsql_l.relevance is not null then list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 then __recsql_x end) else __recsql_l.judged end
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'returned': coalesce(least(len(__recsql_l.items), __recsql_l.k), 0),
        'k': __recsql_l.k,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                __recsql_l.entries,
                lambda __recsql_h: case
                    when __recsql_h.rank is null then false
                    when __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'returned': __recsql_l.returned
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
    .list_transform(lambda __recsql_l: {
        'options_checked': case when __recsql_l.o.fault is not null then error(__recsql_l.o.fault) end,
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged, __recsql_l.relevance),
        'closed': case when __recsql_l.o.judged_only = 'true' or coalesce(__recsql_l.o.duplicates in ('first', 'last'), false) then list_filter(__recsql_l.recommended, lambda __recsql_x, __recsql_i: case when __recsql_l.o.judged_only = 'true' then list_contains(__recsql_l.judged, __recsql_x) else true end and case when __recsql_l.o.duplicates = 'first' then list_position(__recsql_l.recommended, __recsql_x) = __recsql_i when __recsql_l.o.duplicates = 'last' then not list_contains(__recsql_l.recommended[__recsql_i + 1:], __recsql_x) else true end) else __recsql_l.recommended end,
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'truth': case when not __recsql_l.o.relevance_threshold is null or __recsql_l.relevance is not null then list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when case when __recsql_l.o.relevant = 'present' then true when __recsql_l.o.relevance_threshold is null then coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 else coalesce(__recsql_l.relevance[__recsql_j], 1e0) >= __recsql_l.o.relevance_threshold end then __recsql_x end) else __recsql_l.judged end,
        'cutoff': __recsql_l.cutoff,
        'o': __recsql_l.o
    })
    .list_transform(lambda __recsql_l: {
        'items': __recsql_l.closed[:case when __recsql_l.o.deep then len(__recsql_l.closed) else coalesce(__recsql_l.cutoff, len(__recsql_l.closed)) end],
        'reversed': list_reverse(__recsql_l.closed[:case when __recsql_l.o.deep then len(__recsql_l.closed) else coalesce(__recsql_l.cutoff, len(__recsql_l.closed)) end]),
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'returned': coalesce(case when __recsql_l.o.duplicates = 'set' then list_unique(__recsql_l.items[:__recsql_l.k]) else least(len(__recsql_l.items), __recsql_l.k) end, 0),
        'items': __recsql_l.items,
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                case when __recsql_l.o.duplicates = 'count' then flatten(
                    list_transform(
                        __recsql_l.entries,
                        lambda __recsql_e: list_transform(
                            list_filter(range(__recsql_e.rank, __recsql_l.length + 2 - __recsql_e.back), lambda __recsql_i: __recsql_l.items[__recsql_i] = __recsql_l.items[__recsql_e.rank]),
                            lambda __recsql_i: {'rank': cast(__recsql_i as integer), 'back': __recsql_e.back, 'place': __recsql_e.place}
                        )
                    )
                ) else __recsql_l.entries end,
                lambda __recsql_h: case
                    when case when __recsql_l.o.truth_window = 'k' then __recsql_h.rank is null or __recsql_h.place > __recsql_l.k when __recsql_l.o.truth_window = 'rank' then __recsql_h.rank is null or __recsql_h.place > __recsql_h.rank else __recsql_h.rank is null end then false
                    when case when __recsql_l.o.duplicates = 'error' then __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1 else false end
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'returned': __recsql_l.returned
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
    .list_transform(lambda __recsql_l: {
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged),
        'items': __recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))],
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'reversed': list_reverse(__recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))]),
        'truth': __recsql_l.judged
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'returned': coalesce(least(len(__recsql_l.items), __recsql_l.k), 0),
        'weights': list_transform(range(1, greatest(len(__recsql_l.items), least(len(__recsql_l.truth), __recsql_l.k)) + 1), lambda __recsql_r: (1e0 / nullif(log2(__recsql_r + 1), 0))),
        'k': __recsql_l.k,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                __recsql_l.entries,
                lambda __recsql_h: case
                    when __recsql_h.rank is null then false
                    when __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'returned': __recsql_l.returned,
        'weights': __recsql_l.weights
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
    .list_transform(lambda __recsql_l: {
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged, __recsql_l.relevance),
        'items': __recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))],
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'reversed': list_reverse(__recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))]),
        'stated_once': list_unique(__recsql_l.judged) = list_count(__recsql_l.judged),
        'truth': case when __recsql_l.relevance is not null then list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 then __recsql_x end) else __recsql_l.judged end,
        'relevance': __recsql_l.relevance
    })
    .list_transform(lambda __recsql_l: {
        'gains': list_transform(
            list_transform(
                list_transform(__recsql_l.truth, lambda __recsql_x, __recsql_j: case when __recsql_x is not null then coalesce(case when __recsql_l.stated_once then __recsql_l.relevance[__recsql_j] else list_max(list_filter(__recsql_l.relevance, lambda __recsql_y, __recsql_i: __recsql_l.truth[__recsql_i] = __recsql_x)) end, 1e0) end),
                lambda __recsql_y, __recsql_j: case when __recsql_y is not null then __recsql_y end
            ),
            lambda __recsql_g, __recsql_j: case
                when __recsql_g is null or __recsql_g = 0 or (abs(__recsql_g) >= 1e-6 and abs(__recsql_g) < 1e9) then __recsql_g
                else error(
                    'relevant: item '
                    || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_j] as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(__recsql_g as varchar), 'NULL')
                    || '; scale the relevance so that gains lie between 1e-6 and 1e9'
                )
            end
        ),
        'length': len(__recsql_l.items),
        'returned': coalesce(least(len(__recsql_l.items), __recsql_l.k), 0),
        'weights': list_transform(range(1, greatest(len(__recsql_l.items), least(len(__recsql_l.truth), __recsql_l.k)) + 1), lambda __recsql_r: (1e0 / nullif(log2(__recsql_r + 1), 0))),
        'items': __recsql_l.items,
        'k': __recsql_l.k,
        'reversed': __recsql_l.reversed,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j, 'gain': __recsql_l.gains[__recsql_j]}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'k': __recsql_l.k,
        'length': __recsql_l.length,
        'returned': __recsql_l.returned,
        'truth': __recsql_l.truth,
        'weights': __recsql_l.weights
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                __recsql_l.entries,
                lambda __recsql_h: case
                    when __recsql_h.rank is null then false
                    when __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'returned': __recsql_l.returned,
        'weights': __recsql_l.weights
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
    .list_transform(lambda __recsql_l: {
        'options_checked': case when __recsql_l.o.fault is not null then error(__recsql_l.o.fault) end,
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged, __recsql_l.relevance),
        'closed': case when __recsql_l.o.judged_only = 'true' or coalesce(__recsql_l.o.duplicates in ('first', 'last'), false) then list_filter(__recsql_l.recommended, lambda __recsql_x, __recsql_i: case when __recsql_l.o.judged_only = 'true' then list_contains(__recsql_l.judged, __recsql_x) else true end and case when __recsql_l.o.duplicates = 'first' then list_position(__recsql_l.recommended, __recsql_x) = __recsql_i when __recsql_l.o.duplicates = 'last' then not list_contains(__recsql_l.recommended[__recsql_i + 1:], __recsql_x) else true end) else __recsql_l.recommended end,
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'stated_once': list_unique(__recsql_l.judged) = list_count(__recsql_l.judged),
        'truth': case when not __recsql_l.o.relevance_threshold is null or __recsql_l.relevance is not null then list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when case when __recsql_l.o.relevant = 'present' then true when __recsql_l.o.relevance_threshold is null then coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 else coalesce(__recsql_l.relevance[__recsql_j], 1e0) >= __recsql_l.o.relevance_threshold end then __recsql_x end) else __recsql_l.judged end,
        'cutoff': __recsql_l.cutoff,
        'o': __recsql_l.o,
        'relevance': __recsql_l.relevance
    })
    .list_transform(lambda __recsql_l: {
        'gains': list_transform(
            list_transform(
                list_transform(__recsql_l.truth, lambda __recsql_x, __recsql_j: case when __recsql_x is not null then coalesce(case when __recsql_l.stated_once then __recsql_l.relevance[__recsql_j] else list_max(list_filter(__recsql_l.relevance, lambda __recsql_y, __recsql_i: __recsql_l.truth[__recsql_i] = __recsql_x)) end, 1e0) end),
                lambda __recsql_y, __recsql_j: case when __recsql_y is not null then case when __recsql_l.o.gain = 'binary' then 1e0 when __recsql_l.o.gain = 'exp2' then (power(2e0, __recsql_y) - 1) when __recsql_l.o.gain = 'exp2_shifted' then (power(2e0, __recsql_y - coalesce(case when __recsql_l.o.relevance_threshold is null then null else __recsql_l.o.relevance_threshold end, 0) + 1) - 1) when __recsql_l.o.gain = 'map' then coalesce(cast(__recsql_l.o.gain_map as map(double, double))[__recsql_y], error(
                    'gain_map: no gain for relevance '
                    || coalesce(cast(__recsql_y as varchar), 'NULL')
                    || ' of item '
                    || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_j] as varchar), '^$', ''''''), 'NULL')
                    || '; add one'
                )) else __recsql_y end end
            ),
            lambda __recsql_g, __recsql_j: case
                when __recsql_g is null or __recsql_g = 0 or (abs(__recsql_g) >= 1e-6 and abs(__recsql_g) < 1e9) then __recsql_g
                else error(
                    'relevant: item '
                    || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_j] as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(__recsql_g as varchar), 'NULL')
                    || '; scale the relevance so that gains lie between 1e-6 and 1e9'
                )
            end
        ),
        'items': __recsql_l.closed[:case when __recsql_l.o.deep then len(__recsql_l.closed) else coalesce(__recsql_l.cutoff, len(__recsql_l.closed)) end],
        'reversed': list_reverse(__recsql_l.closed[:case when __recsql_l.o.deep then len(__recsql_l.closed) else coalesce(__recsql_l.cutoff, len(__recsql_l.closed)) end]),
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j, 'gain': __recsql_l.gains[__recsql_j]}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'returned': coalesce(case when __recsql_l.o.duplicates = 'set' then list_unique(__recsql_l.items[:__recsql_l.k]) else least(len(__recsql_l.items), __recsql_l.k) end, 0),
        'weights': list_transform(range(1, greatest(len(__recsql_l.items), case when __recsql_l.o.ideal = 'constant' then __recsql_l.k when __recsql_l.o.ideal = 'truth_uncut' then len(__recsql_l.truth) else least(len(__recsql_l.truth), __recsql_l.k) end) + 1), lambda __recsql_r: case when __recsql_l.o.discount = 'log2p1' then (1e0 / nullif(log2(__recsql_r + 1), 0)) when __recsql_l.o.discount = 'jk2002' then (1e0 / greatest(1e0, log2(__recsql_r))) when __recsql_l.o.discount = 'ln1p' then (1e0 / nullif(ln(__recsql_r + 1), 0)) when __recsql_l.o.discount = 'geometric' then power(cast(__recsql_l.o.discount_p as double), __recsql_r - 1) else 1e0 end),
        'items': __recsql_l.items,
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                case when __recsql_l.o.duplicates = 'count' then flatten(
                    list_transform(
                        __recsql_l.entries,
                        lambda __recsql_e: list_transform(
                            list_filter(range(__recsql_e.rank, __recsql_l.length + 2 - __recsql_e.back), lambda __recsql_i: __recsql_l.items[__recsql_i] = __recsql_l.items[__recsql_e.rank]),
                            lambda __recsql_i: {'rank': cast(__recsql_i as integer), 'back': __recsql_e.back, 'place': __recsql_e.place, 'gain': __recsql_e.gain}
                        )
                    )
                ) else __recsql_l.entries end,
                lambda __recsql_h: case
                    when case when __recsql_l.o.truth_window = 'k' then __recsql_h.rank is null or __recsql_h.place > __recsql_l.k when __recsql_l.o.truth_window = 'rank' then __recsql_h.rank is null or __recsql_h.place > __recsql_h.rank else __recsql_h.rank is null end then false
                    when case when __recsql_l.o.duplicates = 'error' then __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1 else false end
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'returned': __recsql_l.returned,
        'weights': __recsql_l.weights
    })
);

comment on macro recsql.gains_of_lists is 'the hits of two lists, with their gains';

-- the hits of two lists, and the items judged not relevant
create or replace macro recsql.judgements_of_lists(
    recommended, relevant, k
) as (
    [{
        'recommended': recommended,
        'judged': relevant,
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end
    }]
    .list_transform(lambda __recsql_l: {
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged),
        'items': __recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))],
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'reversed': list_reverse(__recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))]),
        'truth': __recsql_l.judged,
        'judged': __recsql_l.judged
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'rejected': list_transform(
            list_filter(__recsql_l.judged, lambda __recsql_x, __recsql_j: list_position(__recsql_l.judged, __recsql_x) = __recsql_j and not list_contains(__recsql_l.truth, __recsql_x)),
            lambda __recsql_x: list_position(__recsql_l.items, __recsql_x)
        ),
        'returned': coalesce(least(len(__recsql_l.items), __recsql_l.k), 0),
        'k': __recsql_l.k,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                __recsql_l.entries,
                lambda __recsql_h: case
                    when __recsql_h.rank is null then false
                    when __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'rejected': __recsql_l.rejected,
        'returned': __recsql_l.returned
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
    .list_transform(lambda __recsql_l: {
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged, __recsql_l.relevance),
        'items': __recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))],
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'reversed': list_reverse(__recsql_l.recommended[:coalesce(__recsql_l.cutoff, len(__recsql_l.recommended))]),
        'truth': case when __recsql_l.relevance is not null then list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 then __recsql_x end) else __recsql_l.judged end,
        'judged': __recsql_l.judged
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'rejected': list_transform(
            list_filter(__recsql_l.judged, lambda __recsql_x, __recsql_j: list_position(__recsql_l.judged, __recsql_x) = __recsql_j and not list_contains(__recsql_l.truth, __recsql_x)),
            lambda __recsql_x: list_position(__recsql_l.items, __recsql_x)
        ),
        'returned': coalesce(least(len(__recsql_l.items), __recsql_l.k), 0),
        'k': __recsql_l.k,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                __recsql_l.entries,
                lambda __recsql_h: case
                    when __recsql_h.rank is null then false
                    when __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'rejected': __recsql_l.rejected,
        'returned': __recsql_l.returned
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
    .list_transform(lambda __recsql_l: {
        'options_checked': case when __recsql_l.o.fault is not null then error(__recsql_l.o.fault) end,
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged, __recsql_l.relevance),
        'closed': case when __recsql_l.o.judged_only = 'true' or coalesce(__recsql_l.o.duplicates in ('first', 'last'), false) then list_filter(__recsql_l.recommended, lambda __recsql_x, __recsql_i: case when __recsql_l.o.judged_only = 'true' then list_contains(__recsql_l.judged, __recsql_x) else true end and case when __recsql_l.o.duplicates = 'first' then list_position(__recsql_l.recommended, __recsql_x) = __recsql_i when __recsql_l.o.duplicates = 'last' then not list_contains(__recsql_l.recommended[__recsql_i + 1:], __recsql_x) else true end) else __recsql_l.recommended end,
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'truth': case when not __recsql_l.o.relevance_threshold is null or __recsql_l.relevance is not null then list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when case when __recsql_l.o.relevant = 'present' then true when __recsql_l.o.relevance_threshold is null then coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 else coalesce(__recsql_l.relevance[__recsql_j], 1e0) >= __recsql_l.o.relevance_threshold end then __recsql_x end) else __recsql_l.judged end,
        'cutoff': __recsql_l.cutoff,
        'judged': __recsql_l.judged,
        'o': __recsql_l.o
    })
    .list_transform(lambda __recsql_l: {
        'items': __recsql_l.closed[:case when __recsql_l.o.deep then len(__recsql_l.closed) else coalesce(__recsql_l.cutoff, len(__recsql_l.closed)) end],
        'reversed': list_reverse(__recsql_l.closed[:case when __recsql_l.o.deep then len(__recsql_l.closed) else coalesce(__recsql_l.cutoff, len(__recsql_l.closed)) end]),
        'judged': __recsql_l.judged,
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                __recsql_l.truth,
                lambda __recsql_x, __recsql_j: case
                    when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j
                        then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j}
                end
            ),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'rejected': list_transform(
            list_filter(__recsql_l.judged, lambda __recsql_x, __recsql_j: list_position(__recsql_l.judged, __recsql_x) = __recsql_j and not list_contains(__recsql_l.truth, __recsql_x)),
            lambda __recsql_x: list_position(__recsql_l.items, __recsql_x)
        ),
        'returned': coalesce(case when __recsql_l.o.duplicates = 'set' then list_unique(__recsql_l.items[:__recsql_l.k]) else least(len(__recsql_l.items), __recsql_l.k) end, 0),
        'items': __recsql_l.items,
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'found': list_sort(
            list_filter(
                case when __recsql_l.o.duplicates = 'count' then flatten(
                    list_transform(
                        __recsql_l.entries,
                        lambda __recsql_e: list_transform(
                            list_filter(range(__recsql_e.rank, __recsql_l.length + 2 - __recsql_e.back), lambda __recsql_i: __recsql_l.items[__recsql_i] = __recsql_l.items[__recsql_e.rank]),
                            lambda __recsql_i: {'rank': cast(__recsql_i as integer), 'back': __recsql_e.back, 'place': __recsql_e.place}
                        )
                    )
                ) else __recsql_l.entries end,
                lambda __recsql_h: case
                    when case when __recsql_l.o.truth_window = 'k' then __recsql_h.rank is null or __recsql_h.place > __recsql_l.k when __recsql_l.o.truth_window = 'rank' then __recsql_h.rank is null or __recsql_h.place > __recsql_h.rank else __recsql_h.rank is null end then false
                    when case when __recsql_l.o.duplicates = 'error' then __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1 else false end
                        then error(
                            'recommended: item '
                            || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_h.place] as varchar), '^$', ''''''), 'NULL')
                            || ' appears more than once in the list; list it once, or choose how it counts with the option duplicates'
                        )
                    else true
                end
            )
        ),
        'entries': __recsql_l.entries,
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'rejected': __recsql_l.rejected,
        'returned': __recsql_l.returned
    })
);

comment on macro recsql.judgements_of_lists is 'the hits of two lists, and the items judged not relevant';

-- the query of evaluate, or its queries joined
create or replace macro recsql.joined_evaluate(
    calls
) as
case when len(calls) = 1 then calls[1]['text'] else concat($$select q.model, q.metric, q.k, q.value, q.users
from (
    select * from (
        $$, recsql.indented(recsql.indented(calls[1]['text'])), $$
    ) as q1
    union all
    select * from (
        $$, recsql.indented(recsql.indented(calls[2]['text'])), $$
    ) as q2
) as q
order by
    q.model asc nulls first,
    case q.metric
$$, array_to_string(list_transform(recsql.numbered(calls), lambda c: concat('        when ', c['label'], ' then ', c['order'], $$
$$)), ''), $$    end asc,
    q.k asc$$) end;

comment on macro recsql.joined_evaluate is 'the query of evaluate, or its queries joined';

-- the query of per_user, or its queries joined
create or replace macro recsql.joined_per_user(
    calls
) as
case when len(calls) = 1 then calls[1]['text'] else concat($$select
    coalesce(q1.model, q2.model) as model,
    coalesce(q1.user_id, q2.user_id) as user_id,
    $$, case when calls[1]['d']['uncut'] or calls[2]['d']['uncut'] then 'cast(nullif(coalesce(q1.k, q2.k), 1000000000000000000) as integer)' else 'coalesce(q1.k, q2.k)' end, $$ as k,
    coalesce(q$$, case when calls[1]['d']['is_apart'] then 2 else 1 end, '.list_length, q', case when calls[1]['d']['is_apart'] then 1 else 2 end, $$.list_length) as list_length,
    coalesce(q$$, case when calls[1]['d']['is_apart'] then 2 else 1 end, '.relevant, q', case when calls[1]['d']['is_apart'] then 1 else 2 end, '.relevant) as relevant', array_to_string(list_transform(recsql.numbered(calls), lambda c: concat($$,
    q$$, c['number'], '.', c['title'])), ''), $$
from (
    $$, recsql.indented(calls[1]['text']), $$
) as q1
full join (
    $$, recsql.indented(calls[2]['text']), $$
) as q2 on q2.model is not distinct from q1.model and q2.user_id = q1.user_id and q2.k = q1.k
order by coalesce(q1.model, q2.model) asc nulls first, coalesce(q1.user_id, q2.user_id) asc, coalesce(q1.k, q2.k) asc$$) end;

comment on macro recsql.joined_per_user is 'the query of per_user, or its queries joined';

-- stubs, replaced further down
create or replace macro recsql.step_given_recs(d) as '';
create or replace macro recsql.step_given_truth(d) as '';
create or replace macro recsql.step_given_users(d) as '';
create or replace macro recsql.step_cutoffs(d) as '';
create or replace macro recsql.step_judged(d) as '';
create or replace macro recsql.step_judged_recs(d) as '';
create or replace macro recsql.step_fingerprints(d) as '';
create or replace macro recsql.step_likely_hits(d) as '';
create or replace macro recsql.step_floors(d) as '';
create or replace macro recsql.step_counted(d) as '';
create or replace macro recsql.step_contenders(d) as '';
create or replace macro recsql.step_scored(d) as '';
create or replace macro recsql.step_ranked(d) as '';
create or replace macro recsql.step_recommended(d) as '';
create or replace macro recsql.step_suspects(d) as '';
create or replace macro recsql.step_repeaters(d) as '';
create or replace macro recsql.step_folded(d) as '';
create or replace macro recsql.step_relevant(d) as '';
create or replace macro recsql.step_users(d) as '';
create or replace macro recsql.step_entries(d) as '';
create or replace macro recsql.step_examples(d) as '';
create or replace macro recsql.step_ideals(d) as '';
create or replace macro recsql.step_possible_hits(d) as '';
create or replace macro recsql.step_found(d) as '';
create or replace macro recsql.step_placed(d) as '';
create or replace macro recsql.step_tied_hits(d) as '';
create or replace macro recsql.step_hits(d) as '';
create or replace macro recsql.step_hits_in_force(d) as '';
create or replace macro recsql.step_readings(d) as '';
create or replace macro recsql.step_harmonics(d) as '';
create or replace macro recsql.step_hits_at_k(d) as '';
create or replace macro recsql.step_rejected(d) as '';
create or replace macro recsql.step_rejections(d) as '';
create or replace macro recsql.step_preferences(d) as '';
create or replace macro recsql.step_hits_of_list(d) as '';
create or replace macro recsql.step_splits(d) as '';
create or replace macro recsql.step_splits_at_k(d) as '';
create or replace macro recsql.step_list_ranks(d) as '';
create or replace macro recsql.step_lists(d) as '';
create or replace macro recsql.step_gaps(d) as '';
create or replace macro recsql.step_models(d) as '';
create or replace macro recsql.step_candidates(d) as '';
create or replace macro recsql.step_members(d) as '';
create or replace macro recsql.step_population(d) as '';
create or replace macro recsql.step_first_hits(d) as '';
create or replace macro recsql.step_alike(d) as '';
create or replace macro recsql.step_users_at_k(d) as '';
create or replace macro recsql.step_discounts(d) as '';
create or replace macro recsql.step_at_k(d) as '';
create or replace macro recsql.step_per_user(d) as '';
create or replace macro recsql.step_totals(d) as '';
create or replace macro recsql.step_headcount(d) as '';
create or replace macro recsql.step_census(d) as '';
create or replace macro recsql.step_means(d) as '';
create or replace macro recsql.step_asked(d) as '';
create or replace macro recsql.step_summary(d) as '';
create or replace macro recsql.step_unbroken(d) as '';
create or replace macro recsql.step_unproven(d) as '';
create or replace macro recsql.step_rank_bands(d) as '';
create or replace macro recsql.step_doubtful_recs(d) as '';
create or replace macro recsql.step_repeated_ranks(d) as '';
create or replace macro recsql.check_crowded(d) as '';
create or replace macro recsql.check_duplicates(d) as '';
create or replace macro recsql.check_gains_below_zero(d) as '';
create or replace macro recsql.check_gains_out_of_range(d) as '';
create or replace macro recsql.check_grades(d) as '';
create or replace macro recsql.check_input_order(d) as '';
create or replace macro recsql.check_leave_one_out(d) as '';
create or replace macro recsql.check_no_order(d) as '';
create or replace macro recsql.check_no_truth(d) as '';
create or replace macro recsql.check_nobody(d) as '';
create or replace macro recsql.check_ranks(d) as '';
create or replace macro recsql.check_recs_columns(d) as '';
create or replace macro recsql.check_recs_ids(d) as '';
create or replace macro recsql.check_relevance(d) as '';
create or replace macro recsql.check_same_rank(d) as '';
create or replace macro recsql.check_scores(d) as '';
create or replace macro recsql.check_tied_copies(d) as '';
create or replace macro recsql.check_ties(d) as '';
create or replace macro recsql.check_truth_columns(d) as '';
create or replace macro recsql.check_truth_ids(d) as '';
create or replace macro recsql.check_truth_rank(d) as '';
create or replace macro recsql.step_problems(d) as '';
create or replace macro recsql.step_population__per_user(d) as '';
create or replace macro recsql.step_users_at_k__per_user(d) as '';
create or replace macro recsql.step_at_k__per_user(d) as '';
create or replace macro recsql.step_per_user__per_user(d) as '';
create or replace macro recsql.step_problems__per_user(d) as '';
create or replace macro recsql.step_given_items(d) as '';
create or replace macro recsql.step_given_train(d) as '';
create or replace macro recsql.step_scored__item_metrics(d) as '';
create or replace macro recsql.step_ranked__item_metrics(d) as '';
create or replace macro recsql.step_list_ranks__item_metrics(d) as '';
create or replace macro recsql.step_listed(d) as '';
create or replace macro recsql.step_bands(d) as '';
create or replace macro recsql.step_item_bands(d) as '';
create or replace macro recsql.step_item_counts(d) as '';
create or replace macro recsql.step_train_items(d) as '';
create or replace macro recsql.step_catalog(d) as '';
create or replace macro recsql.step_item_frequencies(d) as '';
create or replace macro recsql.step_items_at_k(d) as '';
create or replace macro recsql.step_item_exposures(d) as '';
create or replace macro recsql.step_exposures_at_k(d) as '';
create or replace macro recsql.step_item_information(d) as '';
create or replace macro recsql.step_list_entropies(d) as '';
create or replace macro recsql.step_lists_at_k(d) as '';
create or replace macro recsql.step_item_categories(d) as '';
create or replace macro recsql.step_category_counts(d) as '';
create or replace macro recsql.step_category_entropies(d) as '';
create or replace macro recsql.step_categories_at_k(d) as '';
create or replace macro recsql.step_train_counts(d) as '';
create or replace macro recsql.step_train_totals(d) as '';
create or replace macro recsql.step_item_popularities(d) as '';
create or replace macro recsql.step_list_popularities(d) as '';
create or replace macro recsql.step_popularities_at_k(d) as '';
create or replace macro recsql.step_run_at_k(d) as '';
create or replace macro recsql.step_per_run(d) as '';
create or replace macro recsql.step_summary__item_metrics(d) as '';
create or replace macro recsql.check_categories(d) as '';
create or replace macro recsql.check_category_lists(d) as '';
create or replace macro recsql.check_tied_copies__item_metrics(d) as '';
create or replace macro recsql.check_train_users(d) as '';
create or replace macro recsql.check_unseen_items(d) as '';
create or replace macro recsql.step_problems__item_metrics(d) as '';
create or replace macro recsql.step_given_predictions(d) as '';
create or replace macro recsql.step_given_ratings(d) as '';
create or replace macro recsql.step_pairs(d) as '';
create or replace macro recsql.step_centres(d) as '';
create or replace macro recsql.step_rating_errors(d) as '';
create or replace macro recsql.step_rating_metrics(d) as '';
create or replace macro recsql.step_rating_counts(d) as '';
create or replace macro recsql.step_rating_means(d) as '';
create or replace macro recsql.step_rating_summary(d) as '';
create or replace macro recsql.check_missing(d) as '';
create or replace macro recsql.check_no_pairs(d) as '';
create or replace macro recsql.check_pair_ids(d) as '';
create or replace macro recsql.check_pairs_twice(d) as '';
create or replace macro recsql.check_predictions(d) as '';
create or replace macro recsql.check_rating_ids(d) as '';
create or replace macro recsql.check_ratings(d) as '';
create or replace macro recsql.check_ratings_beside(d) as '';
create or replace macro recsql.step_problems__rating_metrics(d) as '';
create or replace macro recsql.step_fingerprints__hits(d) as '';
create or replace macro recsql.step_scored__hits(d) as '';
create or replace macro recsql.step_ranked__hits(d) as '';
create or replace macro recsql.step_list_ranks__hits(d) as '';
create or replace macro recsql.check_tied_copies__hits(d) as '';
create or replace macro recsql.step_problems__hits(d) as '';
create or replace macro recsql.step_given_truth__ideal(d) as '';
create or replace macro recsql.step_judged__ideal(d) as '';
create or replace macro recsql.step_fingerprints__ideal(d) as '';
create or replace macro recsql.check_ideal(d) as '';
create or replace macro recsql.step_problems__ideal(d) as '';
create or replace macro recsql.step_given_interactions(d) as '';
create or replace macro recsql.check_drawn_interactions(d) as '';
create or replace macro recsql.check_interactions(d) as '';
create or replace macro recsql.check_part_column(d) as '';
create or replace macro recsql.step_problems__leave_one_out(d) as '';
create or replace macro recsql.step_given_recs__rank_by_score(d) as '';
create or replace macro recsql.step_scored__rank_by_score(d) as '';
create or replace macro recsql.check_input_order__rank_by_score(d) as '';
create or replace macro recsql.check_scores__rank_by_score(d) as '';
create or replace macro recsql.check_tied_copies__rank_by_score(d) as '';
create or replace macro recsql.step_problems__rank_by_score(d) as '';
create or replace macro recsql.evaluate_calls(recs, truth, k := [5, 10, 20], metrics := null, "like" := null, protocol := 'any', discount := null, discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null, relevance_threshold := null, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none', err_max_grade := 4, beta := 1, f1_average := null, precision_denominator := null, r_precision_cut := null, rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null, users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null, duplicates := null, ties := null) as [{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}], 'is_apart': false, 'uncut': false}, 'text': 'select 1'}];
create or replace macro recsql.per_user_calls(recs, truth, k := [5, 10, 20], metrics := null, "like" := null, protocol := 'any', discount := null, discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null, relevance_threshold := null, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none', err_max_grade := 4, beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null, users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null, duplicates := null, ties := null) as [{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}], 'is_apart': false, 'uncut': false}, 'text': 'select 1'}];
create or replace macro recsql.item_metrics_calls(recs, k := [5, 10, 20], metrics := null, "like" := null, discount := null, discount_p := 0.8e0, coverage_denominator := null, coverage_restrict := null, entropy_scope := null, entropy_base := null, entropy_normalize := null, gini_population := null, gini_divide := null, gini_orientation := null, gini_weight := 'count', novelty_base := null, novelty_unseen := null, novelty_divide := 'returned', novelty_mean := null, novelty_log := '2', novelty_normalize := 'none', popularity_base := null, popularity_unseen := null, popularity_normalize := 'none', catalog_size := null, items := null, smoothing := 0, judged_only := 'false', rank_by := null, duplicates := null, ties := null, train := null) as [{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}], 'is_apart': false, 'uncut': false}, 'text': 'select 1'}];
create or replace macro recsql.rating_metrics_calls(predictions, metrics := null, "like" := null, missing := 'skip', ratings := null, mean := 'micro') as [{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}], 'is_apart': false, 'uncut': false}, 'text': 'select 1'}];
create or replace macro recsql.hits_calls(recs, truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null, relevant := null, relevance_threshold := null, truth_window := null, judged_only := 'false', rank_by := null, duplicates := null, ties := null) as [{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}], 'is_apart': false, 'uncut': false}, 'text': 'select 1'}];
create or replace macro recsql.ideal_calls(truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null, relevant := null, relevance_threshold := null, ideal := null, truth_window := null) as [{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}], 'is_apart': false, 'uncut': false}, 'text': 'select 1'}];
create or replace macro recsql.leave_one_out_calls(interactions, "like" := null, order_by := 'timestamp', seed := 0, single := 'train') as [{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}], 'is_apart': false, 'uncut': false}, 'text': 'select 1'}];
create or replace macro recsql.rank_by_score_calls(scored, k := 100, "like" := null, judged_only := 'false', duplicates := null, ties := null) as [{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}], 'is_apart': false, 'uncut': false}, 'text': 'select 1'}];

-- the query that evaluate runs
create or replace macro recsql.evaluate_sql(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, protocol := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none',
    err_max_grade := 4, beta := 1, f1_average := null, precision_denominator := null, r_precision_cut := null,
    rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null,
    ideal := null, users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null
) as
    list_transform([recsql.evaluate_calls(
        recs, truth, k := k, metrics := metrics, "like" := "like", protocol := protocol, discount := discount,
        discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal, relevant := relevant,
        relevance_threshold := relevance_threshold, no_truth := no_truth, ap_denominator := ap_denominator,
        bpref_empty := bpref_empty, err_normalize := err_normalize, err_max_grade := err_max_grade, beta := beta,
        f1_average := f1_average, precision_denominator := precision_denominator, r_precision_cut := r_precision_cut,
        rbp_p := rbp_p, rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, users := users, truth_window := truth_window,
        judged_only := judged_only, no_recs := no_recs, rank_by := rank_by, duplicates := duplicates, ties := ties
    )], lambda calls: recsql.joined_evaluate(calls))[1];

comment on macro recsql.evaluate_sql is 'the query that evaluate runs';

-- the metrics averaged over users
create or replace macro recsql.evaluate(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, protocol := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none',
    err_max_grade := 4, beta := 1, f1_average := null, precision_denominator := null, r_precision_cut := null,
    rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null,
    ideal := null, users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null
) as table
    from query(recsql.evaluate_sql(
        recs, truth, k := k, metrics := metrics, "like" := "like", protocol := protocol, discount := discount,
        discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal, relevant := relevant,
        relevance_threshold := relevance_threshold, no_truth := no_truth, ap_denominator := ap_denominator,
        bpref_empty := bpref_empty, err_normalize := err_normalize, err_max_grade := err_max_grade, beta := beta,
        f1_average := f1_average, precision_denominator := precision_denominator, r_precision_cut := r_precision_cut,
        rbp_p := rbp_p, rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, users := users, truth_window := truth_window,
        judged_only := judged_only, no_recs := no_recs, rank_by := rank_by, duplicates := duplicates, ties := ties
    ));

comment on macro table recsql.evaluate is 'the metrics averaged over users';

-- the query that per_user runs
create or replace macro recsql.per_user_sql(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, protocol := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none',
    err_max_grade := 4, beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null,
    rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null,
    users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null
) as
    list_transform([recsql.per_user_calls(
        recs, truth, k := k, metrics := metrics, "like" := "like", protocol := protocol, discount := discount,
        discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal, relevant := relevant,
        relevance_threshold := relevance_threshold, no_truth := no_truth, ap_denominator := ap_denominator,
        bpref_empty := bpref_empty, err_normalize := err_normalize, err_max_grade := err_max_grade, beta := beta,
        precision_denominator := precision_denominator, r_precision_cut := r_precision_cut, rbp_p := rbp_p,
        rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, users := users, truth_window := truth_window,
        judged_only := judged_only, no_recs := no_recs, rank_by := rank_by, duplicates := duplicates, ties := ties
    )], lambda calls: recsql.joined_per_user(calls))[1];

comment on macro recsql.per_user_sql is 'the query that per_user runs';

-- the metrics of each user, one column per metric
create or replace macro recsql.per_user(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, protocol := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none',
    err_max_grade := 4, beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null,
    rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null,
    users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null
) as table
    from query(recsql.per_user_sql(
        recs, truth, k := k, metrics := metrics, "like" := "like", protocol := protocol, discount := discount,
        discount_p := discount_p, gain := gain, gain_map := gain_map, zero_ideal := zero_ideal, relevant := relevant,
        relevance_threshold := relevance_threshold, no_truth := no_truth, ap_denominator := ap_denominator,
        bpref_empty := bpref_empty, err_normalize := err_normalize, err_max_grade := err_max_grade, beta := beta,
        precision_denominator := precision_denominator, r_precision_cut := r_precision_cut, rbp_p := rbp_p,
        rbp_normalize := rbp_normalize, recall_denominator := recall_denominator, rr_cutoff := rr_cutoff,
        catalog_size := catalog_size, ideal := ideal, users := users, truth_window := truth_window,
        judged_only := judged_only, no_recs := no_recs, rank_by := rank_by, duplicates := duplicates, ties := ties
    ));

comment on macro table recsql.per_user is 'the metrics of each user, one column per metric';

-- the query that item_metrics runs
create or replace macro recsql.item_metrics_sql(
    recs, k := [5, 10, 20], metrics := null, "like" := null, discount := null, discount_p := 0.8e0,
    coverage_denominator := null, coverage_restrict := null, entropy_scope := null, entropy_base := null,
    entropy_normalize := null, gini_population := null, gini_divide := null, gini_orientation := null,
    gini_weight := 'count', novelty_base := null, novelty_unseen := null, novelty_divide := 'returned',
    novelty_mean := null, novelty_log := '2', novelty_normalize := 'none', popularity_base := null,
    popularity_unseen := null, popularity_normalize := 'none', catalog_size := null, items := null, smoothing := 0,
    judged_only := 'false', rank_by := null, duplicates := null, ties := null, train := null
) as
    recsql.item_metrics_calls(
        recs, k := k, metrics := metrics, "like" := "like", discount := discount, discount_p := discount_p,
        coverage_denominator := coverage_denominator, coverage_restrict := coverage_restrict,
        entropy_scope := entropy_scope, entropy_base := entropy_base, entropy_normalize := entropy_normalize,
        gini_population := gini_population, gini_divide := gini_divide, gini_orientation := gini_orientation,
        gini_weight := gini_weight, novelty_base := novelty_base, novelty_unseen := novelty_unseen,
        novelty_divide := novelty_divide, novelty_mean := novelty_mean, novelty_log := novelty_log,
        novelty_normalize := novelty_normalize, popularity_base := popularity_base, popularity_unseen := popularity_unseen,
        popularity_normalize := popularity_normalize, catalog_size := catalog_size, items := items, smoothing := smoothing,
        judged_only := judged_only, rank_by := rank_by, duplicates := duplicates, ties := ties, train := train
    )[1]['text'];

comment on macro recsql.item_metrics_sql is 'the query that item_metrics runs';

-- the metrics of all lists together
create or replace macro recsql.item_metrics(
    recs, k := [5, 10, 20], metrics := null, "like" := null, discount := null, discount_p := 0.8e0,
    coverage_denominator := null, coverage_restrict := null, entropy_scope := null, entropy_base := null,
    entropy_normalize := null, gini_population := null, gini_divide := null, gini_orientation := null,
    gini_weight := 'count', novelty_base := null, novelty_unseen := null, novelty_divide := 'returned',
    novelty_mean := null, novelty_log := '2', novelty_normalize := 'none', popularity_base := null,
    popularity_unseen := null, popularity_normalize := 'none', catalog_size := null, items := null, smoothing := 0,
    judged_only := 'false', rank_by := null, duplicates := null, ties := null, train := null
) as table
    from query(recsql.item_metrics_sql(
        recs, k := k, metrics := metrics, "like" := "like", discount := discount, discount_p := discount_p,
        coverage_denominator := coverage_denominator, coverage_restrict := coverage_restrict,
        entropy_scope := entropy_scope, entropy_base := entropy_base, entropy_normalize := entropy_normalize,
        gini_population := gini_population, gini_divide := gini_divide, gini_orientation := gini_orientation,
        gini_weight := gini_weight, novelty_base := novelty_base, novelty_unseen := novelty_unseen,
        novelty_divide := novelty_divide, novelty_mean := novelty_mean, novelty_log := novelty_log,
        novelty_normalize := novelty_normalize, popularity_base := popularity_base, popularity_unseen := popularity_unseen,
        popularity_normalize := popularity_normalize, catalog_size := catalog_size, items := items, smoothing := smoothing,
        judged_only := judged_only, rank_by := rank_by, duplicates := duplicates, ties := ties, train := train
    ));

comment on macro table recsql.item_metrics is 'the metrics of all lists together';

-- the query that rating_metrics runs
create or replace macro recsql.rating_metrics_sql(
    predictions, metrics := null, "like" := null, missing := 'skip', ratings := null, mean := 'micro'
) as
    recsql.rating_metrics_calls(
        predictions, metrics := metrics, "like" := "like", missing := missing, ratings := ratings, mean := mean
    )[1]['text'];

comment on macro recsql.rating_metrics_sql is 'the query that rating_metrics runs';

-- how far predictions are from ratings
create or replace macro recsql.rating_metrics(
    predictions, metrics := null, "like" := null, missing := 'skip', ratings := null, mean := 'micro'
) as table
    from query(recsql.rating_metrics_sql(
        predictions, metrics := metrics, "like" := "like", missing := missing, ratings := ratings, mean := mean
    ));

comment on macro table recsql.rating_metrics is 'how far predictions are from ratings';

-- the query that hits runs
create or replace macro recsql.hits_sql(
    recs, truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, truth_window := null, judged_only := 'false', rank_by := null,
    duplicates := null, ties := null
) as
    recsql.hits_calls(
        recs, truth, k := k, "like" := "like", discount := discount, discount_p := discount_p, gain := gain,
        gain_map := gain_map, relevant := relevant, relevance_threshold := relevance_threshold,
        truth_window := truth_window, judged_only := judged_only, rank_by := rank_by, duplicates := duplicates, ties := ties
    )[1]['text'];

comment on macro recsql.hits_sql is 'the query that hits runs';

-- every recommended row in the top k, with the running hits, precision and dcg of its list
create or replace macro recsql.hits(
    recs, truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, truth_window := null, judged_only := 'false', rank_by := null,
    duplicates := null, ties := null
) as table
    from query(recsql.hits_sql(
        recs, truth, k := k, "like" := "like", discount := discount, discount_p := discount_p, gain := gain,
        gain_map := gain_map, relevant := relevant, relevance_threshold := relevance_threshold,
        truth_window := truth_window, judged_only := judged_only, rank_by := rank_by, duplicates := duplicates, ties := ties
    ));

comment on macro table recsql.hits is 'every recommended row in the top k, with the running hits, precision and dcg of its list';

-- the query that ideal runs
create or replace macro recsql.ideal_sql(
    truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, ideal := null, truth_window := null
) as
    recsql.ideal_calls(
        truth, k := k, "like" := "like", discount := discount, discount_p := discount_p, gain := gain, gain_map := gain_map,
        relevant := relevant, relevance_threshold := relevance_threshold, ideal := ideal, truth_window := truth_window
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

-- the query that leave_one_out runs
create or replace macro recsql.leave_one_out_sql(
    interactions, "like" := null, order_by := 'timestamp', seed := 0, single := 'train'
) as
    recsql.leave_one_out_calls(
        interactions, "like" := "like", order_by := order_by, seed := seed, single := single
    )[1]['text'];

comment on macro recsql.leave_one_out_sql is 'the query that leave_one_out runs';

-- every interaction, labelled as train or truth
create or replace macro recsql.leave_one_out(
    interactions, "like" := null, order_by := 'timestamp', seed := 0, single := 'train'
) as table
    from query(recsql.leave_one_out_sql(
        interactions, "like" := "like", order_by := order_by, seed := seed, single := single
    ));

comment on macro table recsql.leave_one_out is 'every interaction, labelled as train or truth';

-- the query that rank_by_score runs
create or replace macro recsql.rank_by_score_sql(
    scored, k := 100, "like" := null, judged_only := 'false', duplicates := null, ties := null
) as
    recsql.rank_by_score_calls(
        scored, k := k, "like" := "like", judged_only := judged_only, duplicates := duplicates, ties := ties
    )[1]['text'];

comment on macro recsql.rank_by_score_sql is 'the query that rank_by_score runs';

-- scored items ranked, the top k of each list; ties by item id
create or replace macro recsql.rank_by_score(
    scored, k := 100, "like" := null, judged_only := 'false', duplicates := null, ties := null
) as table
    from query(recsql.rank_by_score_sql(
        scored, k := k, "like" := "like", judged_only := judged_only, duplicates := duplicates, ties := ties
    ));

comment on macro table recsql.rank_by_score is 'scored items ranked, the top k of each list; ties by item id';

-- the queries that evaluate joins, each with its call
create or replace macro recsql.evaluate_calls(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, protocol := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none',
    err_max_grade := 4, beta := 1, f1_average := null, precision_denominator := null, r_precision_cut := null,
    rbp_p := null, rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null,
    ideal := null, users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null
) as
flatten(
    [{
        'source_recs': recsql.content(recsql.relation(recs)),
        'name_recs': recsql.content(recs),
        'source_truth': recsql.content(recsql.relation(truth)),
        'name_truth': recsql.content(truth),
        'source_users': recsql.content(recsql.relation(users)),
        'name_users': recsql.content(users),
        'ks': recsql.ks(k),
        'like': lower(cast("like" as varchar)),
        'names': recsql.metric_names(),
        'known': ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'bpref', 'cg', 'dcg', 'err', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'r_precision', 'rbp', 'tn', 'tp'],
        'given': {
            'protocol': lower(cast(protocol as varchar)),
            'discount': lower(cast(discount as varchar)),
            'discount_p': recsql.number(discount_p),
            'gain': lower(cast(gain as varchar)),
            'gain_map': recsql.pairs(gain_map),
            'zero_ideal': lower(cast(zero_ideal as varchar)),
            'relevant': lower(cast(relevant as varchar)),
            'relevance_threshold': recsql.number(relevance_threshold),
            'no_truth': lower(cast(no_truth as varchar)),
            'ap_denominator': lower(cast(ap_denominator as varchar)),
            'bpref_empty': lower(cast(bpref_empty as varchar)),
            'err_normalize': lower(cast(err_normalize as varchar)),
            'err_max_grade': recsql.number(err_max_grade),
            'beta': recsql.number(beta),
            'f1_average': lower(cast(f1_average as varchar)),
            'precision_denominator': lower(cast(precision_denominator as varchar)),
            'r_precision_cut': lower(cast(r_precision_cut as varchar)),
            'rbp_p': recsql.number(rbp_p),
            'rbp_normalize': lower(cast(rbp_normalize as varchar)),
            'recall_denominator': lower(cast(recall_denominator as varchar)),
            'rr_cutoff': lower(cast(rr_cutoff as varchar)),
            'catalog_size': recsql.number(catalog_size),
            'ideal': lower(cast(ideal as varchar)),
            'users': case when lower(users) in ('truth', 'intersection', 'union') then lower(users) when users is not null then 'table' end,
            'truth_window': lower(cast(truth_window as varchar)),
            'judged_only': lower(cast(judged_only as varchar)),
            'no_recs': lower(cast(no_recs as varchar)),
            'rank_by': lower(cast(rank_by as varchar)),
            'duplicates': lower(cast(duplicates as varchar)),
            'ties': lower(cast(ties as varchar))
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
            'discount': case when d['like'] = 'lenskit' then 'jk2002' else 'log2p1' end,
            'gain': case when d['like'] in ('cornac', 'hivemall', 'jurity', 'lenskit', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'spark') then 'binary' when d['like'] = 'elliot' then 'exp2_shifted' else 'linear' end,
            'zero_ideal': case when d['like'] in ('ir_measures', 'lenskit', 'ranx', 'sklearn', 'spark', 'torchmetrics', 'trec_eval') then 'zero' else 'null' end,
            'relevant': case when d['like'] in ('hivemall', 'lenskit', 'pyspark_udf', 'recbole', 'recommenders', 'rectools', 'replay', 'spark') then 'present' else 'positive' end,
            'relevance_threshold': case when d['like'] = 'cornac' then '1' when d['like'] = 'elliot' then '0' else null end,
            'no_truth': case when d['like'] in ('ir_measures', 'ranx', 'trec_eval') then 'zero_below_threshold' when d['like'] in ('lenskit', 'sklearn', 'spark', 'torchmetrics') then 'zero' else 'skip' end,
            'ap_denominator': case when d['like'] in ('cornac', 'evidently', 'ir_measures', 'ranx', 'rectools', 'trec_eval') then 'relevant' when d['like'] in ('hivemall', 'torchmetrics') then 'hits' when d['like'] = 'lenskit' then 'achievable_returned' else 'achievable' end,
            'bpref_empty': case when d['like'] = 'ranx' then 'null' else 'one' end,
            'f1_average': case when d['like'] = 'evidently' then 'of_means' else 'per_user' end,
            'precision_denominator': case when d['like'] in ('evidently', 'hivemall', 'jurity', 'lenskit', 'pyspark_udf', 'returned') then 'returned' else 'k' end,
            'r_precision_cut': case when d['like'] = 'recommenders' then 'k' else 'list' end,
            'rbp_p': case when d['like'] = 'lenskit' then '0.85e0' when d['like'] = 'trec_eval' then '0.9e0' else '0.8e0' end,
            'recall_denominator': case when d['like'] = 'lenskit' then 'achievable' else 'relevant' end,
            'rr_cutoff': case when d['like'] in ('cornac', 'trec_eval') then 'none' else 'k' end,
            'ideal': case when d['like'] in ('evidently', 'sklearn', 'torchmetrics') then 'candidates' when d['like'] = 'hivemall' then 'truth_returned' when d['like'] = 'jurity' then 'truth_uncut' when d['like'] = 'rectools' then 'constant' else 'truth' end,
            'truth_window': case when d['like'] = 'pyspark_udf' then 'k' else 'all' end,
            'no_recs': case when d['like'] in ('elliot', 'hivemall', 'lenskit', 'recommenders', 'sklearn', 'torchmetrics', 'trec_eval') then 'skip' else 'zero' end,
            'rank_by': case when d['like'] in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval') then 'score' when d['like'] = 'rectools' then 'rank' else null end,
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' when d['like'] = 'replay' then 'set' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] = 'sklearn' then 'expected' else 'item_asc' end,
            'like': d['like']
        },
        usual_apart := {
            'ap_denominator': case when d['like'] in ('cornac', 'evidently', 'ir_measures', 'ranx', 'rectools', 'trec_eval') then 'relevant' when d['like'] in ('hivemall', 'torchmetrics', 'pyspark_udf') then 'hits' when d['like'] = 'lenskit' then 'achievable_returned' else 'achievable' end,
            'truth_window': case when d['like'] = 'pyspark_udf' then 'rank' else 'all' end,
            'no_recs': case when d['like'] in ('elliot', 'hivemall', 'lenskit', 'sklearn', 'torchmetrics', 'trec_eval', 'jurity') then 'skip' else 'zero' end,
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'replay', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] in ('sklearn', 'torchmetrics') then 'expected' else 'item_asc' end,
            'like': d['like']
        }
    ))
    .list_transform(lambda d: struct_insert(d, available := list_filter(['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'rbp', case when not (d['given']['catalog_size'] is null) then 'tn' end, 'tp'], lambda m: m is not null)))
    .list_transform(lambda d: struct_insert(d, asked := recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr'], d['available'], d['like'], d['names'])))
    .list_transform(lambda d: struct_insert(
        d,
        fault := coalesce(
            recsql.fault([['protocol', coalesce(d['given']['protocol'], 'any')], ['discount', coalesce(d['given']['discount'], 'log2p1')], ['gain', coalesce(d['given']['gain'], 'linear')], ['zero_ideal', coalesce(d['given']['zero_ideal'], 'null')], ['relevant', coalesce(d['given']['relevant'], 'positive')], ['no_truth', coalesce(d['given']['no_truth'], 'skip')], ['ap_denominator', coalesce(d['given']['ap_denominator'], 'achievable')], ['bpref_empty', coalesce(d['given']['bpref_empty'], 'one')], ['err_normalize', coalesce(d['given']['err_normalize'], 'none')], ['f1_average', coalesce(d['given']['f1_average'], 'per_user')], ['precision_denominator', coalesce(d['given']['precision_denominator'], 'k')], ['r_precision_cut', coalesce(d['given']['r_precision_cut'], 'list')], ['rbp_normalize', coalesce(d['given']['rbp_normalize'], 'none')], ['recall_denominator', coalesce(d['given']['recall_denominator'], 'relevant')], ['rr_cutoff', coalesce(d['given']['rr_cutoff'], 'k')], ['ideal', coalesce(d['given']['ideal'], 'truth')], ['truth_window', coalesce(d['given']['truth_window'], 'all')], ['judged_only', coalesce(d['given']['judged_only'], 'false')], ['no_recs', coalesce(d['given']['no_recs'], 'zero')], ['rank_by', coalesce(d['given']['rank_by'], 'rank')], ['duplicates', coalesce(d['given']['duplicates'], 'error')], ['ties', coalesce(d['given']['ties'], 'item_asc')], ['like', coalesce(d['like'], 'cornac')]], [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)], ['err_max_grade', cast(err_max_grade as varchar)], ['beta', cast(beta as varchar)], ['rbp_p', cast(rbp_p as varchar)], ['catalog_size', cast(catalog_size as varchar)]]),
            case when recs is null then 'recs: NULL is not a table; give the name of a table or a file' end,
            case when truth is null then 'truth: NULL is not a table; give the name of a table or a file' end,
            case when d['given']['discount_p'] is not null and d['given']['discount_p'] is distinct from '0.8e0' and coalesce(d['given']['discount'], d['usual']['discount']) not in ('geometric') then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out' end,
            case when d['given']['gain_map'] is not null and d['given']['gain_map'] is distinct from null and coalesce(d['given']['gain'], d['usual']['gain']) not in ('map') then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out' end,
            recsql.unknown_metric(d['asked'], d['known']),
            case when len(d['asked']) = 0 then 'metrics: the list is empty; name a metric, pass ''all'', or leave metrics out for the default ones' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'bpref')) > 0 and coalesce(d['given']['ties'], case when false then d['usual_apart']['ties'] else d['usual']['ties'] end) in ('expected') then 'bpref can''t be computed with ties = ''expected''; choose another value, or leave bpref out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'bpref')) > 0 and coalesce(d['given']['truth_window'], case when false then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end) in ('k') then 'bpref can''t be computed with truth_window = ''k''; choose another value, or leave bpref out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'bpref')) > 0 and coalesce(d['given']['truth_window'], case when false then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end) in ('rank') then 'bpref can''t be computed with truth_window = ''rank''; choose another value, or leave bpref out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'err')) > 0 and coalesce(d['given']['ties'], case when false then d['usual_apart']['ties'] else d['usual']['ties'] end) in ('expected') then 'err can''t be computed with ties = ''expected''; choose another value, or leave err out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'err')) > 0 and coalesce(d['given']['err_normalize'], 'none') in ('ideal') and coalesce(d['given']['truth_window'], case when false then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end) in ('k') then 'err can''t be computed with err_normalize = ''ideal'' and truth_window = ''k''; choose another value, or leave err out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'tn')) > 0 and d['given']['catalog_size'] is null then 'tn needs the option catalog_size' end
        ),
        metrics := recsql.grouped(d['asked'], d['ks']),
        apart := case
            when d['like'] = 'jurity' and (d['given']['no_recs'] is null) then ['ap', 'precision']
            when d['like'] = 'pyspark_udf' and (d['given']['truth_window'] is null) then ['ap']
            when d['like'] = 'recommenders' and (d['given']['no_recs'] is null) then ['ndcg']
            when d['like'] = 'replay' and (d['given']['duplicates'] is null) then ['ap', 'ndcg']
            when d['like'] = 'torchmetrics' and (d['given']['ties'] is null) then ['ndcg']
            else cast([] as varchar[])
        end
    ))
    .list_transform(lambda d: list_transform(
        list_filter(
            case when list_contains(d['apart'], d['metrics'][1]['metric']) then [true, false] else [false, true] end,
            lambda a: len(d['metrics']) = 0 and not a or len(list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = a)) > 0
        ),
        lambda a: struct_insert(
            d,
            is_apart := a,
            several := len(list_distinct(list_transform(d['metrics'], lambda m: list_contains(d['apart'], m['metric'])))) > 1
        )
    ))
)
.list_transform(lambda d: struct_insert(
    d,
    protocol := coalesce(d['given']['protocol'], 'any'),
    discount := coalesce(d['given']['discount'], d['usual']['discount']),
    discount_p := coalesce(d['given']['discount_p'], '0.8e0'),
    gain := coalesce(d['given']['gain'], d['usual']['gain']),
    gain_map := d['given']['gain_map'],
    zero_ideal := coalesce(d['given']['zero_ideal'], d['usual']['zero_ideal']),
    relevant := coalesce(d['given']['relevant'], d['usual']['relevant']),
    relevance_threshold := coalesce(d['given']['relevance_threshold'], d['usual']['relevance_threshold']),
    no_truth := coalesce(d['given']['no_truth'], d['usual']['no_truth']),
    err_max_grade := coalesce(d['given']['err_max_grade'], '4'),
    rbp_p := coalesce(d['given']['rbp_p'], d['usual']['rbp_p']),
    catalog_size := d['given']['catalog_size'],
    ideal := coalesce(d['given']['ideal'], d['usual']['ideal']),
    users := coalesce(d['given']['users'], 'truth'),
    truth_window := coalesce(d['given']['truth_window'], case when d['is_apart'] then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end),
    judged_only := coalesce(d['given']['judged_only'], 'false'),
    no_recs := coalesce(d['given']['no_recs'], case when d['is_apart'] then d['usual_apart']['no_recs'] else d['usual']['no_recs'] end),
    rank_by := case d['given']['rank_by'] when 'position' then 'rank' else d['given']['rank_by'] end,
    duplicates := coalesce(d['given']['duplicates'], case when d['is_apart'] then d['usual_apart']['duplicates'] else d['usual']['duplicates'] end),
    ties := coalesce(d['given']['ties'], case when d['is_apart'] then d['usual_apart']['ties'] else d['usual']['ties'] end),
    prefers_score := d['like'] in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval')
))
.list_transform(lambda d: struct_insert(
    d,
    of_pipeline := list_transform(
        list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = d['is_apart']),
        lambda m: struct_insert(
            m,
            name := m['metric'],
            shown := true,
            of_apart := list_contains(recsql.apart(d['like']), m['metric']),
            made_of := recsql.made_of(d['metrics'], m)
        )
    )
))
.list_transform(lambda d: struct_insert(d, wanted := recsql.with_hidden(d['of_pipeline'], coalesce(d['given']['f1_average'], d['usual']['f1_average']) = 'of_means')))
.list_transform(lambda d: struct_insert(
    d,
    described := list_transform(d['wanted'], lambda m: struct_insert(
        m,
        ap_denominator := coalesce(d['given']['ap_denominator'], case when m['of_apart'] then d['usual_apart']['ap_denominator'] else d['usual']['ap_denominator'] end),
        bpref_empty := coalesce(d['given']['bpref_empty'], d['usual']['bpref_empty']),
        err_normalize := coalesce(d['given']['err_normalize'], 'none'),
        beta := coalesce(d['given']['beta'], '1'),
        f1_average := coalesce(d['given']['f1_average'], d['usual']['f1_average']),
        precision_denominator := coalesce(d['given']['precision_denominator'], d['usual']['precision_denominator']),
        r_precision_cut := coalesce(d['given']['r_precision_cut'], d['usual']['r_precision_cut']),
        rbp_normalize := coalesce(d['given']['rbp_normalize'], 'none'),
        recall_denominator := coalesce(d['given']['recall_denominator'], d['usual']['recall_denominator']),
        rr_cutoff := coalesce(d['given']['rr_cutoff'], d['usual']['rr_cutoff']),
        differing := [
            {'name': 'discount', 'value': nullif(d['given']['discount'], d['usual']['discount']), 'metrics': ' ndcg dcg idcg '},
            {'name': 'discount', 'value': case when d['zero_ideal'] = 'skip' then nullif(d['given']['discount'], d['usual']['discount']) end, 'metrics': ' recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp '},
            {'name': 'discount_p', 'value': recsql.unusual(d['given']['discount_p'], '0.8e0'), 'metrics': ' ndcg dcg idcg '},
            {'name': 'discount_p', 'value': case when d['zero_ideal'] = 'skip' then recsql.unusual(d['given']['discount_p'], '0.8e0') end, 'metrics': ' recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp '},
            {'name': 'gain', 'value': nullif(d['given']['gain'], d['usual']['gain']), 'metrics': ' ndcg cg dcg err idcg rbp '},
            {'name': 'gain', 'value': case when d['zero_ideal'] = 'skip' then nullif(d['given']['gain'], d['usual']['gain']) end, 'metrics': ' recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp '},
            {'name': 'gain_map', 'value': d['given']['gain_map'], 'metrics': ' ndcg cg dcg err idcg rbp '},
            {'name': 'gain_map', 'value': case when d['zero_ideal'] = 'skip' then d['given']['gain_map'] end, 'metrics': ' recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp '},
            {'name': 'zero_ideal', 'value': nullif(d['given']['zero_ideal'], d['usual']['zero_ideal']), 'metrics': null},
            {'name': 'relevant', 'value': nullif(d['given']['relevant'], d['usual']['relevant']), 'metrics': null},
            {'name': 'relevance_threshold', 'value': recsql.unusual(d['given']['relevance_threshold'], d['usual']['relevance_threshold']), 'metrics': null},
            {'name': 'no_truth', 'value': nullif(d['given']['no_truth'], d['usual']['no_truth']), 'metrics': null},
            {'name': 'denominator', 'value': nullif(d['given']['ap_denominator'], case when m['of_apart'] then d['usual_apart']['ap_denominator'] else d['usual']['ap_denominator'] end), 'metrics': ' ap '},
            {'name': 'empty', 'value': nullif(d['given']['bpref_empty'], d['usual']['bpref_empty']), 'metrics': ' bpref '},
            {'name': 'normalize', 'value': nullif(d['given']['err_normalize'], 'none'), 'metrics': ' err '},
            {'name': 'max_grade', 'value': recsql.unusual(d['given']['err_max_grade'], '4'), 'metrics': ' err '},
            {'name': 'beta', 'value': recsql.unusual(d['given']['beta'], '1'), 'metrics': ' f1 '},
            {'name': 'average', 'value': nullif(d['given']['f1_average'], d['usual']['f1_average']), 'metrics': ' f1 '},
            {'name': 'denominator', 'value': nullif(d['given']['precision_denominator'], d['usual']['precision_denominator']), 'metrics': ' precision '},
            {'name': 'precision_denominator', 'value': nullif(d['given']['precision_denominator'], d['usual']['precision_denominator']), 'metrics': ' f1 '},
            {'name': 'cut', 'value': nullif(d['given']['r_precision_cut'], d['usual']['r_precision_cut']), 'metrics': ' r_precision '},
            {'name': 'p', 'value': recsql.unusual(d['given']['rbp_p'], d['usual']['rbp_p']), 'metrics': ' rbp '},
            {'name': 'normalize', 'value': nullif(d['given']['rbp_normalize'], 'none'), 'metrics': ' rbp '},
            {'name': 'denominator', 'value': nullif(d['given']['recall_denominator'], d['usual']['recall_denominator']), 'metrics': ' recall '},
            {'name': 'recall_denominator', 'value': nullif(d['given']['recall_denominator'], d['usual']['recall_denominator']), 'metrics': ' f1 '},
            {'name': 'cutoff', 'value': nullif(d['given']['rr_cutoff'], d['usual']['rr_cutoff']), 'metrics': ' rr '},
            {'name': 'ideal', 'value': nullif(d['given']['ideal'], d['usual']['ideal']), 'metrics': ' ndcg idcg '},
            {'name': 'ideal', 'value': case when d['zero_ideal'] = 'skip' then nullif(d['given']['ideal'], d['usual']['ideal']) end, 'metrics': ' recall precision ap hit rr bpref cg dcg err f1 fn fp hits mean_precision r_precision rbp tn tp '},
            {'name': 'users', 'value': nullif(d['given']['users'], 'truth'), 'metrics': null},
            {'name': 'truth_window', 'value': nullif(d['given']['truth_window'], case when m['of_apart'] then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end), 'metrics': null},
            {'name': 'judged_only', 'value': nullif(d['given']['judged_only'], 'false'), 'metrics': null},
            {'name': 'no_recs', 'value': nullif(d['given']['no_recs'], case when m['of_apart'] then d['usual_apart']['no_recs'] else d['usual']['no_recs'] end), 'metrics': null},
            {'name': 'rank_by', 'value': nullif(d['given']['rank_by'], d['usual']['rank_by']), 'metrics': null},
            {'name': 'duplicates', 'value': nullif(d['given']['duplicates'], case when m['of_apart'] then d['usual_apart']['duplicates'] else d['usual']['duplicates'] end), 'metrics': null},
            {'name': 'ties', 'value': nullif(d['given']['ties'], case when m['of_apart'] then d['usual_apart']['ties'] else d['usual']['ties'] end), 'metrics': null}
        ]
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    said := list_transform(
        d['described'],
        lambda m: struct_insert(m, name_with_options := recsql.label(m['metric'], d['like'], m['differing']))
    )
))
.list_transform(lambda d: struct_insert(
    d,
    measures := list_transform(
        d['said'],
        lambda m: struct_insert(m, label := '''' || recsql.content(m['name_with_options']) || '''')
    )
))
.list_transform(lambda d: struct_insert(
    d,
    fault_of_whole := list_transform(
        list_filter(d['measures'], lambda c: c['named'] and list_contains(c['ks'], 1000000000000000000) and (c['metric'] = 'mean_precision' or c['metric'] = 'ap' and c['ap_denominator'] = 'k' or c['metric'] = 'f1' and c['precision_denominator'] = 'k' or c['metric'] = 'precision' and c['precision_denominator'] = 'k' or coalesce(c['metric'] in ('idcg', 'ndcg'), false) and d['ideal'] = 'constant')),
        lambda c: coalesce(cast(c['metric'] as varchar), 'NULL') || ': ' || coalesce(cast(case when c['metric'] in ('mean_precision') then c['metric'] when c['metric'] = 'ndcg' and d['ideal'] = 'constant' then 'ideal = constant' when c['metric'] = 'precision' and c['precision_denominator'] = 'k' then 'precision_denominator = k' when c['metric'] = 'ap' and c['ap_denominator'] = 'k' then 'ap_denominator = k' when c['metric'] = 'f1' and c['precision_denominator'] = 'k' then 'precision_denominator = k' when c['metric'] = 'idcg' and d['ideal'] = 'constant' then 'ideal = constant' else c['metric'] end as varchar), 'NULL') || ' needs a cut-off, and the whole list has none; give one such as 10'
    )[1],
    columns := list_transform(
        list_filter(
            list_transform(d['measures'], lambda c: struct_insert(
                c,
                at := list_filter(c['ks'], lambda x: x < 1000000000000000000 or not (c['metric'] = 'mean_precision' or c['metric'] = 'ap' and c['ap_denominator'] = 'k' or c['metric'] = 'f1' and c['precision_denominator'] = 'k' or c['metric'] = 'precision' and c['precision_denominator'] = 'k' or coalesce(c['metric'] in ('idcg', 'ndcg'), false) and d['ideal'] = 'constant'))
            )),
            lambda c: len(c['at']) > 0
        ),
        lambda c, i: struct_insert(c, place := i, ks_text := array_to_string(c['at'], ', '))
    )
))
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], d['fault_of_whole']),
    'source_recs': d['source_recs'],
    'name_recs': d['name_recs'],
    'source_truth': d['source_truth'],
    'name_truth': d['name_truth'],
    'source_users': d['source_users'],
    'name_users': d['name_users'],
    'protocol': d['protocol'],
    'discount': d['discount'],
    'discount_p': d['discount_p'],
    'gain': d['gain'],
    'gain_map': d['gain_map'],
    'zero_ideal': d['zero_ideal'],
    'relevant': d['relevant'],
    'relevance_threshold': d['relevance_threshold'],
    'no_truth': d['no_truth'],
    'err_max_grade': d['err_max_grade'],
    'rbp_p': d['rbp_p'],
    'catalog_size': d['catalog_size'],
    'ideal': d['ideal'],
    'users': d['users'],
    'truth_window': d['truth_window'],
    'judged_only': d['judged_only'],
    'no_recs': d['no_recs'],
    'rank_by': d['rank_by'],
    'duplicates': d['duplicates'],
    'ties': d['ties'],
    'several': d['several'],
    'metrics': list_transform(d['metrics'], lambda m: {'metric': m['metric']}),
    'columns': list_transform(d['columns'], lambda c: {
        'ap_denominator': c['ap_denominator'],
        'bpref_empty': c['bpref_empty'],
        'err_normalize': c['err_normalize'],
        'beta': c['beta'],
        'f1_average': c['f1_average'],
        'precision_denominator': c['precision_denominator'],
        'r_precision_cut': c['r_precision_cut'],
        'rbp_normalize': c['rbp_normalize'],
        'recall_denominator': c['recall_denominator'],
        'rr_cutoff': c['rr_cutoff'],
        'metric': c['metric'],
        'name': c['name'],
        'label': c['label'],
        'shown': c['shown'],
        'place': c['place'],
        'ks_text': c['ks_text'],
        'made_of': c['made_of']
    }),
    'all_ks': list_sort(list_distinct(flatten(list_transform(d['columns'], lambda c: c['at']))), 'ASC'),
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
.list_transform(lambda d: struct_insert(
    d,
    cutoffs := recsql.indented(recsql.cutoffs_text(d['all_ks'])),
    depth := d['all_ks'][-1],
    deepest := coalesce(list_max(list_filter(d['all_ks'], lambda x: x < 1000000000000000000)), 0),
    uncut := list_contains(d['all_ks'], 1000000000000000000)
))
.list_transform(lambda d: struct_insert(
    d,
    zero_without_hits := not len(list_filter(d['columns'], lambda c: not (coalesce(c['metric'] in ('recall', 'precision', 'ap', 'hit', 'cg', 'dcg', 'err', 'hits', 'mean_precision', 'rbp', 'tp'), false) or c['metric'] = 'ndcg' and (d['zero_ideal'] = 'zero' or coalesce(d['gain'] in ('linear', 'binary', 'exp2'), false) and d['relevant'] = 'positive' and coalesce(d['ideal'] in ('truth', 'truth_uncut', 'constant'), false) and coalesce(d['truth_window'] in ('all', 'rank'), false) and (d['relevance_threshold'] is null or cast(d['relevance_threshold'] as double) > 0)) or c['metric'] = 'rr' and c['rr_cutoff'] = 'k' or c['metric'] = 'f1' and c['f1_average'] = 'per_user' or c['metric'] = 'r_precision' and c['r_precision_cut'] = 'k'))) > 0,
    needs_lengths := d['no_truth'] = 'one_if_both_empty' or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fp', 'tn'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'achievable_returned' or c['metric'] = 'f1' and c['precision_denominator'] = 'returned' or c['metric'] = 'precision' and c['precision_denominator'] = 'returned' or c['metric'] = 'rbp' and c['rbp_normalize'] = 'achievable')) > 0 or (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'truth_returned',
    needs_returned := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fp', 'tn'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'achievable_returned' or c['metric'] = 'f1' and c['precision_denominator'] = 'returned' or c['metric'] = 'precision' and c['precision_denominator'] = 'returned' or c['metric'] = 'rbp' and c['rbp_normalize'] = 'achievable')) > 0 or (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'truth_returned',
    needs_listed := d['no_truth'] = 'one_if_both_empty',
    needs_ideal_stop := len(list_filter(d['columns'], lambda c: c['metric'] = 'err' and c['err_normalize'] = 'ideal')) > 0,
    needs_ideals := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and coalesce(d['ideal'] in ('truth', 'truth_uncut', 'truth_returned'), false) and d['truth_window'] <> 'k' or len(list_filter(d['columns'], lambda c: c['metric'] = 'err' and c['err_normalize'] = 'ideal')) > 0,
    needs_hits_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'hit')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'cg')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('dcg', 'ndcg'), false))) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fn', 'tn'), false))) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'err')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('f1', 'f1', 'fp', 'hits', 'precision', 'recall', 'tp'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'hits')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'k')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rbp')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'ap')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'mean_precision')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'k')) > 0,
    needs_hits_of_list := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'candidates' or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'list')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'none')) > 0,
    needs_splits_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'ap' and c['ap_denominator'] = 'hits' and coalesce(d['ties'] in ('expected', 'best', 'worst'), false))) > 0,
    needs_whole_list := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'candidates' or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'list')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'none')) > 0 or coalesce(d['duplicates'] in ('first', 'last'), false),
    needs_ranks := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fp', 'tn'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'achievable_returned' or c['metric'] = 'f1' and c['precision_denominator'] = 'returned' or c['metric'] = 'precision' and c['precision_denominator'] = 'returned' or c['metric'] = 'rbp' and c['rbp_normalize'] = 'achievable')) > 0 or (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'truth_returned',
    needs_preferences := len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0,
    needs_entries := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and (d['ideal'] = 'truth_as_given' or d['truth_window'] = 'k' and coalesce(d['ideal'] in ('truth', 'truth_uncut', 'truth_returned'), false)),
    needs_readings := len(list_filter(d['columns'], lambda c: c['metric'] = 'err')) > 0,
    needs_harmonics := len(list_filter(d['columns'], lambda c: c['metric'] = 'mean_precision')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'ap' and c['ap_denominator'] = 'hits' and coalesce(d['ties'] in ('expected', 'best', 'worst'), false))) > 0,
    needs_discounts := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] <> 'truth_as_given',
    needs_truth_rank := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'truth_as_given' or coalesce(d['truth_window'] in ('k', 'rank'), false),
    needs_any_hit := len(list_filter(d['columns'], lambda c: c['metric'] = 'hit')) > 0,
    needs_cg := len(list_filter(d['columns'], lambda c: c['metric'] = 'cg')) > 0,
    needs_dcg := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('dcg', 'ndcg'), false))) > 0,
    needs_distinct_hits := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fn', 'tn'), false))) > 0,
    needs_expected_stop := len(list_filter(d['columns'], lambda c: c['metric'] = 'err')) > 0,
    needs_hits := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('f1', 'f1', 'fp', 'hits', 'precision', 'recall', 'tp'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'hits')) > 0,
    needs_hits_to_r := len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'k')) > 0,
    needs_persistent_gain := len(list_filter(d['columns'], lambda c: c['metric'] = 'rbp')) > 0,
    needs_precision_sum := len(list_filter(d['columns'], lambda c: c['metric'] = 'ap')) > 0,
    needs_precision_total := len(list_filter(d['columns'], lambda c: c['metric'] = 'mean_precision')) > 0,
    needs_reciprocal_rank := len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'k')) > 0,
    needs_candidate_gains := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'candidates',
    needs_hits_anywhere := len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0,
    needs_hits_to_r_anywhere := len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'list')) > 0,
    needs_preceded := len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0,
    needs_reciprocal_rank_anywhere := len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'none')) > 0,
    needs_split_precision := len(list_filter(d['columns'], lambda c: c['metric'] = 'ap' and c['ap_denominator'] = 'hits' and coalesce(d['ties'] in ('expected', 'best', 'worst'), false))) > 0,
    needs_idcg := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip',
    needs_not_relevant := len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0,
    needs_relevant := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('bpref', 'f1', 'fn', 'r_precision', 'recall', 'tn'), false) or c['metric'] = 'ap' and coalesce(c['ap_denominator'] in ('achievable', 'relevant', 'achievable_returned'), false) or c['metric'] = 'precision' and c['precision_denominator'] = 'achievable' or c['metric'] = 'rbp' and c['rbp_normalize'] = 'achievable')) > 0 or d['zero_ideal'] = 'skip' or not coalesce(d['no_truth'] in ('skip', 'error'), false) or d['users'] = 'union',
    needs_gains := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'candidates' or len(list_filter(d['columns'], lambda c: c['metric'] = 'cg')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('dcg', 'ndcg'), false))) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'err')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip' or len(list_filter(d['columns'], lambda c: c['metric'] = 'err' and c['err_normalize'] = 'ideal')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rbp')) > 0
))
.list_transform(lambda d: struct_insert(
    d,
    any_order := d['rank_by'] is distinct from 'score' and d['rank_by'] is distinct from 'rank',
    bounds := coalesce(d['ties'] in ('best', 'worst'), false),
    by_rank := d['rank_by'] is distinct from 'score',
    by_score := d['rank_by'] is distinct from 'rank',
    closed := coalesce(d['duplicates'] in ('first', 'last'), false),
    each_apart := d['needs_whole_list'] or coalesce(d['ties'] in ('expected', 'best', 'worst'), false),
    expected := d['ties'] = 'expected',
    fixed := d['users'] = 'table',
    folded := coalesce(d['duplicates'] in ('first', 'last', 'set'), false),
    gains_of_one := d['truth_window'] <> 'k' and not d['needs_ideal_stop'] and d['gain'] = 'binary',
    grouped := not (d['zero_without_hits'] and d['users'] = 'truth' and coalesce(d['no_truth'] in ('skip', 'zero', 'zero_below_threshold', 'error'), false) and coalesce(d['zero_ideal'] in ('null', 'zero', 'one'), false)),
    hits_read := d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k'],
    ideals := d['needs_ideals'] and not (d['truth_window'] <> 'k' and not d['needs_ideal_stop'] and d['gain'] = 'binary'),
    in_order := d['truth_window'] = 'k' or d['ideal'] = 'truth_as_given',
    judged_alone := d['judged_only'] = 'true',
    lengths_count := d['needs_returned'] or d['needs_listed'],
    lists_read := d['needs_lengths'] or d['no_recs'] = 'skip' or d['users'] = 'intersection' or coalesce(d['no_truth'] in ('zero', 'one', 'one_if_both_empty'), false) or d['users'] = 'union',
    owners_count := coalesce(d['no_truth'] in ('zero', 'one', 'one_if_both_empty'), false) or d['users'] = 'union',
    plain_population := d['users'] = 'truth' and d['no_recs'] = 'zero' and coalesce(d['no_truth'] in ('skip', 'error'), false),
    ranked_read := d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k'] or d['needs_ranks'],
    ranks_counted := d['rank_by'] is not distinct from 'score' and (d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k']) and not d['needs_ranks'] and not d['needs_preferences'] and not d['judged_only'] = 'true' and d['duplicates'] <> 'last' and d['ties'] <> 'error' and not (coalesce(d['ties'] in ('expected', 'best', 'worst'), false) and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false)) and coalesce(d['ties'] in ('item_asc', 'item_desc'), false) and coalesce(d['duplicates'] in ('error', 'hole', 'count', 'set'), false),
    ranks_of_hits := d['rank_by'] is not distinct from 'score' and (d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k']) and not d['needs_ranks'] and not d['needs_preferences'] and not d['judged_only'] = 'true' and d['duplicates'] <> 'last' and d['ties'] <> 'error' and not (coalesce(d['ties'] in ('expected', 'best', 'worst'), false) and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false)),
    recommended_read := d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k'],
    served_alone := d['no_recs'] = 'skip' or d['users'] = 'intersection',
    sparse := d['zero_without_hits'] and d['users'] = 'truth' and coalesce(d['no_truth'] in ('skip', 'zero', 'zero_below_threshold', 'error'), false) and coalesce(d['zero_ideal'] in ('null', 'zero', 'one'), false),
    truthless := coalesce(d['no_truth'] in ('zero', 'zero_below_threshold', 'one', 'one_if_both_empty'), false) or d['users'] = 'union',
    unordered := coalesce(d['ties'] in ('expected', 'best', 'worst'), false)
))
.list_transform(lambda d: struct_insert(
    d,
    has_given_users := d['fixed'],
    has_judged := d['needs_preferences'] or d['judged_alone'] and (d['ranked_read'] or d['lists_read']),
    has_judged_recs := d['judged_alone'] and (d['ranked_read'] or d['lists_read']),
    has_likely_hits := d['ranks_of_hits'],
    has_floors := d['ranks_of_hits'],
    has_counted := d['ranks_counted'],
    has_contenders := d['ranks_of_hits'],
    has_scored := d['by_score'] and d['ranked_read'],
    has_ranked := d['ranked_read'],
    has_recommended := d['recommended_read'],
    has_relevant := d['hits_read'] or d['ideals'] or d['needs_entries'],
    has_entries := d['needs_entries'],
    has_examples := d['ideals'],
    has_ideals := d['ideals'],
    has_possible_hits := d['hits_read'],
    has_found := d['hits_read'],
    has_placed := d['hits_read'] and d['bounds'],
    has_tied_hits := d['hits_read'] and d['expected'],
    has_hits := d['hits_read'],
    has_hits_in_force := d['needs_hits_at_k'] or d['needs_splits_at_k'],
    has_readings := d['needs_readings'],
    has_harmonics := d['needs_harmonics'],
    has_hits_at_k := d['needs_hits_at_k'],
    has_rejected := d['needs_preferences'],
    has_rejections := d['needs_preferences'],
    has_preferences := d['needs_preferences'],
    has_hits_of_list := d['needs_hits_of_list'],
    has_splits := d['needs_splits_at_k'],
    has_splits_at_k := d['needs_splits_at_k'],
    has_list_ranks := d['by_rank'] or d['lists_read'] and not d['folded'] and not d['judged_alone'],
    has_lists := d['lists_read'],
    has_gaps := d['needs_ranks'],
    has_candidates := not d['plain_population'],
    has_members := not d['plain_population'],
    has_first_hits := d['grouped'],
    has_alike := d['grouped'],
    has_discounts := d['needs_discounts'],
    has_unbroken := d['by_rank'],
    has_unproven := d['by_rank'],
    has_rank_bands := d['by_rank'],
    has_doubtful_recs := d['by_rank'],
    has_repeated_ranks := d['by_rank']
))
.list_transform(lambda d: struct_insert(
    d,
    measured := list_transform(d['columns'], lambda c: struct_insert(c, natural := recsql.indented(recsql.indented(case when c['metric'] = 'ndcg' then case when d['zero_ideal'] = 'zero' then 'coalesce(s.dcg / nullif(s.idcg, 0e0), 0e0)' when d['zero_ideal'] = 'one' then 'coalesce(s.dcg / nullif(s.idcg, 0e0), 1e0)' else 's.dcg / nullif(s.idcg, 0e0)' end when c['metric'] = 'recall' then concat('coalesce(', case when c['recall_denominator'] = 'relevant' then 's.hits / cast(nullif(s.relevant, 0) as double)' else 's.hits / cast(nullif(least(s.k, s.relevant), 0) as double)' end, ', 0e0)') when c['metric'] = 'precision' then concat('coalesce(', case when c['precision_denominator'] = 'k' then 's.hits / cast(s.k as double)' when c['precision_denominator'] = 'returned' then 's.hits / cast(nullif(s.returned, 0) as double)' else 's.hits / cast(nullif(least(s.k, s.relevant), 0) as double)' end, ', 0e0)') when c['metric'] = 'ap' then concat('coalesce(', case when c['ap_denominator'] = 'achievable' then 's.precision_sum / nullif(least(s.k, s.relevant), 0)' when c['ap_denominator'] = 'relevant' then 's.precision_sum / nullif(s.relevant, 0)' when c['ap_denominator'] = 'achievable_returned' then 's.precision_sum / nullif(least(s.relevant, s.returned), 0)' when c['ap_denominator'] = 'k' then 's.precision_sum / nullif(s.k, 0)' when d['unordered'] then 'coalesce(s.split_precision, s.precision_sum / nullif(s.hits, 0))' else 's.precision_sum / nullif(s.hits, 0)' end, ', 0e0)') when c['metric'] = 'hit' then 's.any_hit' when c['metric'] = 'rr' then concat('coalesce(', case when c['rr_cutoff'] = 'k' then 's.reciprocal_rank' else 's.reciprocal_rank_anywhere' end, ', 0e0)') when c['metric'] = 'bpref' then case when c['bpref_empty'] = 'one' then '(s.hits_anywhere - coalesce(s.preceded / cast(nullif(least(s.not_relevant, s.relevant), 0) as double), 0e0)) / cast(nullif(s.relevant, 0) as double)' else $$case
    when s.hits_anywhere = 0 then 0e0
    else (s.hits_anywhere - s.preceded / cast(nullif(least(s.not_relevant, s.relevant), 0) as double)) / cast(nullif(s.relevant, 0) as double)
end$$ end when c['metric'] = 'cg' then 's.cg' when c['metric'] = 'dcg' then 's.dcg' when c['metric'] = 'err' then concat('coalesce(', case when c['err_normalize'] = 'ideal' then 's.expected_stop / nullif(s.ideal_stop, 0e0)' else 's.expected_stop' end, ', 0e0)') when c['metric'] = 'f1' then concat('coalesce((1 + power(cast(', c['beta'], $$ as double), 2)) / (
    power(cast($$, c['beta'], ' as double), 2) / nullif(coalesce(', case when c['recall_denominator'] = 'relevant' then 's.hits / cast(nullif(s.relevant, 0) as double)' else 's.hits / cast(nullif(least(s.k, s.relevant), 0) as double)' end, $$, 0e0), 0e0)
    + 1 / nullif(coalesce($$, case when c['precision_denominator'] = 'k' then 's.hits / cast(s.k as double)' when c['precision_denominator'] = 'returned' then 's.hits / cast(nullif(s.returned, 0) as double)' else 's.hits / cast(nullif(least(s.k, s.relevant), 0) as double)' end, $$, 0e0), 0e0)
), 0e0)$$) when c['metric'] = 'fn' then 'cast(s.relevant - s.distinct_hits as double)' when c['metric'] = 'fp' then 'cast(s.returned - s.hits as double)' when c['metric'] = 'hits' then 'cast(s.hits as double)' when c['metric'] = 'idcg' then 's.idcg' when c['metric'] = 'mean_precision' then 'coalesce(s.precision_total / s.k, 0e0)' when c['metric'] = 'r_precision' then concat('coalesce(', case when c['r_precision_cut'] = 'k' then 's.hits_to_r / cast(nullif(s.relevant, 0) as double)' else 's.hits_to_r_anywhere / cast(nullif(s.relevant, 0) as double)' end, ', 0e0)') when c['metric'] = 'rbp' then concat('coalesce(', case when c['rbp_normalize'] = 'none' then concat('(1 - cast(', d['rbp_p'], ' as double)) * s.persistent_gain') else concat($$s.persistent_gain / nullif(
    coalesce(
        (1 - power(cast($$, d['rbp_p'], ' as double), least(s.relevant, s.returned))) / nullif(1 - cast(', d['rbp_p'], $$ as double), 0e0),
        least(s.relevant, s.returned)
    ),
    0e0
)$$) end, ', 0e0)') when c['metric'] = 'tn' then concat($$case
    when $$, d['catalog_size'], $$ >= s.returned + s.relevant - s.distinct_hits
        then cast($$, d['catalog_size'], $$ - (s.returned + s.relevant - s.distinct_hits) as double)
    when $$, d['catalog_size'], $$ < s.returned + s.relevant - s.distinct_hits
        then error(
            'catalog_size: '
            || coalesce(cast($$, d['catalog_size'], $$ as varchar), 'NULL')
            || ' is too small; user '
            || coalesce(regexp_replace(cast(s.user_id as varchar), '^$', ''''''), 'NULL')
            || ' alone has '
            || coalesce(cast(cast(s.returned + s.relevant - s.distinct_hits as bigint) as varchar), 'NULL')
            || ' items in list and truth'
        )
end$$) when c['metric'] = 'tp' then 'cast(s.hits as double)' else '' end))))
))
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            $$with
$$,
            recsql.step_given_recs(d),
            recsql.step_given_truth(d),
            case when d['has_given_users'] then recsql.step_given_users(d) else '' end,
            recsql.step_cutoffs(d),
            case when d['has_judged'] then recsql.step_judged(d) else '' end,
            case when d['has_judged_recs'] then recsql.step_judged_recs(d) else '' end,
            recsql.step_fingerprints(d),
            case when d['has_likely_hits'] then recsql.step_likely_hits(d) else '' end,
            case when d['has_floors'] then recsql.step_floors(d) else '' end,
            case when d['has_counted'] then recsql.step_counted(d) else '' end,
            case when d['has_contenders'] then recsql.step_contenders(d) else '' end,
            case when d['has_scored'] then recsql.step_scored(d) else '' end,
            case when d['has_ranked'] then recsql.step_ranked(d) else '' end,
            case when d['has_recommended'] then recsql.step_recommended(d) else '' end,
            recsql.step_suspects(d),
            recsql.step_repeaters(d),
            recsql.step_folded(d),
            case when d['has_relevant'] then recsql.step_relevant(d) else '' end,
            recsql.step_users(d),
            case when d['has_entries'] then recsql.step_entries(d) else '' end,
            case when d['has_examples'] then recsql.step_examples(d) else '' end,
            case when d['has_ideals'] then recsql.step_ideals(d) else '' end,
            case when d['has_possible_hits'] then recsql.step_possible_hits(d) else '' end,
            case when d['has_found'] then recsql.step_found(d) else '' end,
            case when d['has_placed'] then recsql.step_placed(d) else '' end,
            case when d['has_tied_hits'] then recsql.step_tied_hits(d) else '' end,
            case when d['has_hits'] then recsql.step_hits(d) else '' end,
            case when d['has_hits_in_force'] then recsql.step_hits_in_force(d) else '' end,
            case when d['has_readings'] then recsql.step_readings(d) else '' end,
            case when d['has_harmonics'] then recsql.step_harmonics(d) else '' end,
            case when d['has_hits_at_k'] then recsql.step_hits_at_k(d) else '' end,
            case when d['has_rejected'] then recsql.step_rejected(d) else '' end,
            case when d['has_rejections'] then recsql.step_rejections(d) else '' end,
            case when d['has_preferences'] then recsql.step_preferences(d) else '' end,
            case when d['has_hits_of_list'] then recsql.step_hits_of_list(d) else '' end,
            case when d['has_splits'] then recsql.step_splits(d) else '' end,
            case when d['has_splits_at_k'] then recsql.step_splits_at_k(d) else '' end,
            case when d['has_list_ranks'] then recsql.step_list_ranks(d) else '' end,
            case when d['has_lists'] then recsql.step_lists(d) else '' end,
            case when d['has_gaps'] then recsql.step_gaps(d) else '' end,
            recsql.step_models(d),
            case when d['has_candidates'] then recsql.step_candidates(d) else '' end,
            case when d['has_members'] then recsql.step_members(d) else '' end,
            recsql.step_population(d),
            case when d['has_first_hits'] then recsql.step_first_hits(d) else '' end,
            case when d['has_alike'] then recsql.step_alike(d) else '' end,
            recsql.step_users_at_k(d),
            case when d['has_discounts'] then recsql.step_discounts(d) else '' end,
            recsql.step_at_k(d),
            recsql.step_per_user(d),
            recsql.step_totals(d),
            recsql.step_headcount(d),
            recsql.step_census(d),
            recsql.step_means(d),
            recsql.step_asked(d),
            recsql.step_summary(d),
            case when d['has_unbroken'] then recsql.step_unbroken(d) else '' end,
            case when d['has_unproven'] then recsql.step_unproven(d) else '' end,
            case when d['has_rank_bands'] then recsql.step_rank_bands(d) else '' end,
            case when d['has_doubtful_recs'] then recsql.step_doubtful_recs(d) else '' end,
            case when d['has_repeated_ranks'] then recsql.step_repeated_ranks(d) else '' end,
            recsql.step_problems(d),
            concat($$

select s.model, s.metric, $$, case when d['uncut'] then 'cast(nullif(s.k, 1000000000000000000) as integer) as k' else 's.k' end, $$, s.value, s.users
from summary as s
where (select count(error(p.message)) from problems as p) = 0
order by s.model asc nulls first, s.place asc, s.k asc$$)
        )
    end
});

comment on macro recsql.evaluate_calls is 'the queries that evaluate joins, each with its call';

-- the queries that per_user joins, each with its call
create or replace macro recsql.per_user_calls(
    recs, truth, k := [5, 10, 20], metrics := null, "like" := null, protocol := 'any', discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, no_truth := null, ap_denominator := null, bpref_empty := null, err_normalize := 'none',
    err_max_grade := 4, beta := 1, precision_denominator := null, r_precision_cut := null, rbp_p := null,
    rbp_normalize := 'none', recall_denominator := null, rr_cutoff := null, catalog_size := null, ideal := null,
    users := 'truth', truth_window := null, judged_only := 'false', no_recs := null, rank_by := null,
    duplicates := null, ties := null
) as
flatten(
    [{
        'source_recs': recsql.content(recsql.relation(recs)),
        'name_recs': recsql.content(recs),
        'source_truth': recsql.content(recsql.relation(truth)),
        'name_truth': recsql.content(truth),
        'source_users': recsql.content(recsql.relation(users)),
        'name_users': recsql.content(users),
        'ks': recsql.ks(k),
        'like': lower(cast("like" as varchar)),
        'names': recsql.metric_names(),
        'known': ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'bpref', 'cg', 'dcg', 'err', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'r_precision', 'rbp', 'tn', 'tp'],
        'given': {
            'protocol': lower(cast(protocol as varchar)),
            'discount': lower(cast(discount as varchar)),
            'discount_p': recsql.number(discount_p),
            'gain': lower(cast(gain as varchar)),
            'gain_map': recsql.pairs(gain_map),
            'zero_ideal': lower(cast(zero_ideal as varchar)),
            'relevant': lower(cast(relevant as varchar)),
            'relevance_threshold': recsql.number(relevance_threshold),
            'no_truth': lower(cast(no_truth as varchar)),
            'ap_denominator': lower(cast(ap_denominator as varchar)),
            'bpref_empty': lower(cast(bpref_empty as varchar)),
            'err_normalize': lower(cast(err_normalize as varchar)),
            'err_max_grade': recsql.number(err_max_grade),
            'beta': recsql.number(beta),
            'precision_denominator': lower(cast(precision_denominator as varchar)),
            'r_precision_cut': lower(cast(r_precision_cut as varchar)),
            'rbp_p': recsql.number(rbp_p),
            'rbp_normalize': lower(cast(rbp_normalize as varchar)),
            'recall_denominator': lower(cast(recall_denominator as varchar)),
            'rr_cutoff': lower(cast(rr_cutoff as varchar)),
            'catalog_size': recsql.number(catalog_size),
            'ideal': lower(cast(ideal as varchar)),
            'users': case when lower(users) in ('truth', 'intersection', 'union') then lower(users) when users is not null then 'table' end,
            'truth_window': lower(cast(truth_window as varchar)),
            'judged_only': lower(cast(judged_only as varchar)),
            'no_recs': lower(cast(no_recs as varchar)),
            'rank_by': lower(cast(rank_by as varchar)),
            'duplicates': lower(cast(duplicates as varchar)),
            'ties': lower(cast(ties as varchar))
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
            'discount': case when d['like'] = 'lenskit' then 'jk2002' else 'log2p1' end,
            'gain': case when d['like'] in ('cornac', 'hivemall', 'jurity', 'lenskit', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'spark') then 'binary' when d['like'] = 'elliot' then 'exp2_shifted' else 'linear' end,
            'zero_ideal': case when d['like'] in ('ir_measures', 'lenskit', 'ranx', 'sklearn', 'spark', 'torchmetrics', 'trec_eval') then 'zero' else 'null' end,
            'relevant': case when d['like'] in ('hivemall', 'lenskit', 'pyspark_udf', 'recbole', 'recommenders', 'rectools', 'replay', 'spark') then 'present' else 'positive' end,
            'relevance_threshold': case when d['like'] = 'cornac' then '1' when d['like'] = 'elliot' then '0' else null end,
            'no_truth': case when d['like'] in ('ir_measures', 'ranx', 'trec_eval') then 'zero_below_threshold' when d['like'] in ('lenskit', 'sklearn', 'spark', 'torchmetrics') then 'zero' else 'skip' end,
            'ap_denominator': case when d['like'] in ('cornac', 'evidently', 'ir_measures', 'ranx', 'rectools', 'trec_eval') then 'relevant' when d['like'] in ('hivemall', 'torchmetrics') then 'hits' when d['like'] = 'lenskit' then 'achievable_returned' else 'achievable' end,
            'bpref_empty': case when d['like'] = 'ranx' then 'null' else 'one' end,
            'precision_denominator': case when d['like'] in ('evidently', 'hivemall', 'jurity', 'lenskit', 'pyspark_udf', 'returned') then 'returned' else 'k' end,
            'r_precision_cut': case when d['like'] = 'recommenders' then 'k' else 'list' end,
            'rbp_p': case when d['like'] = 'lenskit' then '0.85e0' when d['like'] = 'trec_eval' then '0.9e0' else '0.8e0' end,
            'recall_denominator': case when d['like'] = 'lenskit' then 'achievable' else 'relevant' end,
            'rr_cutoff': case when d['like'] in ('cornac', 'trec_eval') then 'none' else 'k' end,
            'ideal': case when d['like'] in ('evidently', 'sklearn', 'torchmetrics') then 'candidates' when d['like'] = 'hivemall' then 'truth_returned' when d['like'] = 'jurity' then 'truth_uncut' when d['like'] = 'rectools' then 'constant' else 'truth' end,
            'truth_window': case when d['like'] = 'pyspark_udf' then 'k' else 'all' end,
            'no_recs': case when d['like'] in ('elliot', 'hivemall', 'lenskit', 'recommenders', 'sklearn', 'torchmetrics', 'trec_eval') then 'skip' else 'zero' end,
            'rank_by': case when d['like'] in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval') then 'score' when d['like'] = 'rectools' then 'rank' else null end,
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' when d['like'] = 'replay' then 'set' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] = 'sklearn' then 'expected' else 'item_asc' end,
            'like': d['like']
        },
        usual_apart := {
            'ap_denominator': case when d['like'] in ('cornac', 'evidently', 'ir_measures', 'ranx', 'rectools', 'trec_eval') then 'relevant' when d['like'] in ('hivemall', 'torchmetrics', 'pyspark_udf') then 'hits' when d['like'] = 'lenskit' then 'achievable_returned' else 'achievable' end,
            'truth_window': case when d['like'] = 'pyspark_udf' then 'rank' else 'all' end,
            'no_recs': case when d['like'] in ('elliot', 'hivemall', 'lenskit', 'sklearn', 'torchmetrics', 'trec_eval', 'jurity') then 'skip' else 'zero' end,
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'replay', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] in ('sklearn', 'torchmetrics') then 'expected' else 'item_asc' end,
            'like': d['like']
        }
    ))
    .list_transform(lambda d: struct_insert(d, available := list_filter(['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'rbp', case when not (d['given']['catalog_size'] is null) then 'tn' end, 'tp'], lambda m: m is not null)))
    .list_transform(lambda d: struct_insert(d, asked := recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr'], d['available'], d['like'], d['names'])))
    .list_transform(lambda d: struct_insert(
        d,
        fault := coalesce(
            recsql.fault([['protocol', coalesce(d['given']['protocol'], 'any')], ['discount', coalesce(d['given']['discount'], 'log2p1')], ['gain', coalesce(d['given']['gain'], 'linear')], ['zero_ideal', coalesce(d['given']['zero_ideal'], 'null')], ['relevant', coalesce(d['given']['relevant'], 'positive')], ['no_truth', coalesce(d['given']['no_truth'], 'skip')], ['ap_denominator', coalesce(d['given']['ap_denominator'], 'achievable')], ['bpref_empty', coalesce(d['given']['bpref_empty'], 'one')], ['err_normalize', coalesce(d['given']['err_normalize'], 'none')], ['precision_denominator', coalesce(d['given']['precision_denominator'], 'k')], ['r_precision_cut', coalesce(d['given']['r_precision_cut'], 'list')], ['rbp_normalize', coalesce(d['given']['rbp_normalize'], 'none')], ['recall_denominator', coalesce(d['given']['recall_denominator'], 'relevant')], ['rr_cutoff', coalesce(d['given']['rr_cutoff'], 'k')], ['ideal', coalesce(d['given']['ideal'], 'truth')], ['truth_window', coalesce(d['given']['truth_window'], 'all')], ['judged_only', coalesce(d['given']['judged_only'], 'false')], ['no_recs', coalesce(d['given']['no_recs'], 'zero')], ['rank_by', coalesce(d['given']['rank_by'], 'rank')], ['duplicates', coalesce(d['given']['duplicates'], 'error')], ['ties', coalesce(d['given']['ties'], 'item_asc')], ['like', coalesce(d['like'], 'cornac')]], [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)], ['err_max_grade', cast(err_max_grade as varchar)], ['beta', cast(beta as varchar)], ['rbp_p', cast(rbp_p as varchar)], ['catalog_size', cast(catalog_size as varchar)]]),
            case when recs is null then 'recs: NULL is not a table; give the name of a table or a file' end,
            case when truth is null then 'truth: NULL is not a table; give the name of a table or a file' end,
            case when d['given']['discount_p'] is not null and d['given']['discount_p'] is distinct from '0.8e0' and coalesce(d['given']['discount'], d['usual']['discount']) not in ('geometric') then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out' end,
            case when d['given']['gain_map'] is not null and d['given']['gain_map'] is distinct from null and coalesce(d['given']['gain'], d['usual']['gain']) not in ('map') then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out' end,
            recsql.unknown_metric(d['asked'], d['known']),
            case when len(d['asked']) = 0 then 'metrics: the list is empty; name a metric, pass ''all'', or leave metrics out for the default ones' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'bpref')) > 0 and coalesce(d['given']['ties'], case when false then d['usual_apart']['ties'] else d['usual']['ties'] end) in ('expected') then 'bpref can''t be computed with ties = ''expected''; choose another value, or leave bpref out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'bpref')) > 0 and coalesce(d['given']['truth_window'], case when false then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end) in ('k') then 'bpref can''t be computed with truth_window = ''k''; choose another value, or leave bpref out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'bpref')) > 0 and coalesce(d['given']['truth_window'], case when false then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end) in ('rank') then 'bpref can''t be computed with truth_window = ''rank''; choose another value, or leave bpref out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'err')) > 0 and coalesce(d['given']['ties'], case when false then d['usual_apart']['ties'] else d['usual']['ties'] end) in ('expected') then 'err can''t be computed with ties = ''expected''; choose another value, or leave err out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'err')) > 0 and coalesce(d['given']['err_normalize'], 'none') in ('ideal') and coalesce(d['given']['truth_window'], case when false then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end) in ('k') then 'err can''t be computed with err_normalize = ''ideal'' and truth_window = ''k''; choose another value, or leave err out' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'tn')) > 0 and d['given']['catalog_size'] is null then 'tn needs the option catalog_size' end
        ),
        metrics := recsql.grouped(d['asked'], d['ks']),
        apart := case
            when d['like'] = 'jurity' and (d['given']['no_recs'] is null) then ['ap', 'precision']
            when d['like'] = 'pyspark_udf' and (d['given']['truth_window'] is null) then ['ap']
            when d['like'] = 'recommenders' and (d['given']['no_recs'] is null) then ['ndcg']
            when d['like'] = 'replay' and (d['given']['duplicates'] is null) then ['ap', 'ndcg']
            when d['like'] = 'torchmetrics' and (d['given']['ties'] is null) then ['ndcg']
            else cast([] as varchar[])
        end
    ))
    .list_transform(lambda d: list_transform(
        list_filter(
            case when list_contains(d['apart'], d['metrics'][1]['metric']) then [true, false] else [false, true] end,
            lambda a: len(d['metrics']) = 0 and not a or len(list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = a)) > 0
        ),
        lambda a: struct_insert(
            d,
            is_apart := a,
            several := len(list_distinct(list_transform(d['metrics'], lambda m: list_contains(d['apart'], m['metric'])))) > 1
        )
    ))
)
.list_transform(lambda d: struct_insert(
    d,
    protocol := coalesce(d['given']['protocol'], 'any'),
    discount := coalesce(d['given']['discount'], d['usual']['discount']),
    discount_p := coalesce(d['given']['discount_p'], '0.8e0'),
    gain := coalesce(d['given']['gain'], d['usual']['gain']),
    gain_map := d['given']['gain_map'],
    zero_ideal := coalesce(d['given']['zero_ideal'], d['usual']['zero_ideal']),
    relevant := coalesce(d['given']['relevant'], d['usual']['relevant']),
    relevance_threshold := coalesce(d['given']['relevance_threshold'], d['usual']['relevance_threshold']),
    no_truth := coalesce(d['given']['no_truth'], d['usual']['no_truth']),
    err_max_grade := coalesce(d['given']['err_max_grade'], '4'),
    rbp_p := coalesce(d['given']['rbp_p'], d['usual']['rbp_p']),
    catalog_size := d['given']['catalog_size'],
    ideal := coalesce(d['given']['ideal'], d['usual']['ideal']),
    users := coalesce(d['given']['users'], 'truth'),
    truth_window := coalesce(d['given']['truth_window'], case when d['is_apart'] then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end),
    judged_only := coalesce(d['given']['judged_only'], 'false'),
    no_recs := coalesce(d['given']['no_recs'], case when d['is_apart'] then d['usual_apart']['no_recs'] else d['usual']['no_recs'] end),
    rank_by := case d['given']['rank_by'] when 'position' then 'rank' else d['given']['rank_by'] end,
    duplicates := coalesce(d['given']['duplicates'], case when d['is_apart'] then d['usual_apart']['duplicates'] else d['usual']['duplicates'] end),
    ties := coalesce(d['given']['ties'], case when d['is_apart'] then d['usual_apart']['ties'] else d['usual']['ties'] end),
    prefers_score := d['like'] in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval')
))
.list_transform(lambda d: struct_insert(
    d,
    of_pipeline := list_transform(
        list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = d['is_apart']),
        lambda m: struct_insert(
            m,
            name := m['metric'],
            shown := true,
            of_apart := list_contains(recsql.apart(d['like']), m['metric']),
            made_of := recsql.made_of(d['metrics'], m)
        )
    )
))
.list_transform(lambda d: struct_insert(d, wanted := d['of_pipeline']))
.list_transform(lambda d: struct_insert(
    d,
    described := list_transform(d['wanted'], lambda m: struct_insert(
        m,
        ap_denominator := coalesce(d['given']['ap_denominator'], case when m['of_apart'] then d['usual_apart']['ap_denominator'] else d['usual']['ap_denominator'] end),
        bpref_empty := coalesce(d['given']['bpref_empty'], d['usual']['bpref_empty']),
        err_normalize := coalesce(d['given']['err_normalize'], 'none'),
        beta := coalesce(d['given']['beta'], '1'),
        precision_denominator := coalesce(d['given']['precision_denominator'], d['usual']['precision_denominator']),
        r_precision_cut := coalesce(d['given']['r_precision_cut'], d['usual']['r_precision_cut']),
        rbp_normalize := coalesce(d['given']['rbp_normalize'], 'none'),
        recall_denominator := coalesce(d['given']['recall_denominator'], d['usual']['recall_denominator']),
        rr_cutoff := coalesce(d['given']['rr_cutoff'], d['usual']['rr_cutoff']),
        differing := [
            {'name': 'discount', 'value': nullif(d['given']['discount'], d['usual']['discount']), 'metrics': ' ndcg dcg idcg '},
            {'name': 'discount', 'value': case when d['zero_ideal'] = 'skip' then nullif(d['given']['discount'], d['usual']['discount']) end, 'metrics': ' recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp '},
            {'name': 'discount_p', 'value': recsql.unusual(d['given']['discount_p'], '0.8e0'), 'metrics': ' ndcg dcg idcg '},
            {'name': 'discount_p', 'value': case when d['zero_ideal'] = 'skip' then recsql.unusual(d['given']['discount_p'], '0.8e0') end, 'metrics': ' recall precision ap hit rr bpref cg err f1 fn fp hits mean_precision r_precision rbp tn tp '},
            {'name': 'gain', 'value': nullif(d['given']['gain'], d['usual']['gain']), 'metrics': ' ndcg cg dcg err idcg rbp '},
            {'name': 'gain', 'value': case when d['zero_ideal'] = 'skip' then nullif(d['given']['gain'], d['usual']['gain']) end, 'metrics': ' recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp '},
            {'name': 'gain_map', 'value': d['given']['gain_map'], 'metrics': ' ndcg cg dcg err idcg rbp '},
            {'name': 'gain_map', 'value': case when d['zero_ideal'] = 'skip' then d['given']['gain_map'] end, 'metrics': ' recall precision ap hit rr bpref f1 fn fp hits mean_precision r_precision tn tp '},
            {'name': 'zero_ideal', 'value': nullif(d['given']['zero_ideal'], d['usual']['zero_ideal']), 'metrics': null},
            {'name': 'relevant', 'value': nullif(d['given']['relevant'], d['usual']['relevant']), 'metrics': null},
            {'name': 'relevance_threshold', 'value': recsql.unusual(d['given']['relevance_threshold'], d['usual']['relevance_threshold']), 'metrics': null},
            {'name': 'no_truth', 'value': nullif(d['given']['no_truth'], d['usual']['no_truth']), 'metrics': null},
            {'name': 'denominator', 'value': nullif(d['given']['ap_denominator'], case when m['of_apart'] then d['usual_apart']['ap_denominator'] else d['usual']['ap_denominator'] end), 'metrics': ' ap '},
            {'name': 'empty', 'value': nullif(d['given']['bpref_empty'], d['usual']['bpref_empty']), 'metrics': ' bpref '},
            {'name': 'normalize', 'value': nullif(d['given']['err_normalize'], 'none'), 'metrics': ' err '},
            {'name': 'max_grade', 'value': recsql.unusual(d['given']['err_max_grade'], '4'), 'metrics': ' err '},
            {'name': 'beta', 'value': recsql.unusual(d['given']['beta'], '1'), 'metrics': ' f1 '},
            {'name': 'denominator', 'value': nullif(d['given']['precision_denominator'], d['usual']['precision_denominator']), 'metrics': ' precision '},
            {'name': 'precision_denominator', 'value': nullif(d['given']['precision_denominator'], d['usual']['precision_denominator']), 'metrics': ' f1 '},
            {'name': 'cut', 'value': nullif(d['given']['r_precision_cut'], d['usual']['r_precision_cut']), 'metrics': ' r_precision '},
            {'name': 'p', 'value': recsql.unusual(d['given']['rbp_p'], d['usual']['rbp_p']), 'metrics': ' rbp '},
            {'name': 'normalize', 'value': nullif(d['given']['rbp_normalize'], 'none'), 'metrics': ' rbp '},
            {'name': 'denominator', 'value': nullif(d['given']['recall_denominator'], d['usual']['recall_denominator']), 'metrics': ' recall '},
            {'name': 'recall_denominator', 'value': nullif(d['given']['recall_denominator'], d['usual']['recall_denominator']), 'metrics': ' f1 '},
            {'name': 'cutoff', 'value': nullif(d['given']['rr_cutoff'], d['usual']['rr_cutoff']), 'metrics': ' rr '},
            {'name': 'ideal', 'value': nullif(d['given']['ideal'], d['usual']['ideal']), 'metrics': ' ndcg idcg '},
            {'name': 'ideal', 'value': case when d['zero_ideal'] = 'skip' then nullif(d['given']['ideal'], d['usual']['ideal']) end, 'metrics': ' recall precision ap hit rr bpref cg dcg err f1 fn fp hits mean_precision r_precision rbp tn tp '},
            {'name': 'users', 'value': nullif(d['given']['users'], 'truth'), 'metrics': null},
            {'name': 'truth_window', 'value': nullif(d['given']['truth_window'], case when m['of_apart'] then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end), 'metrics': null},
            {'name': 'judged_only', 'value': nullif(d['given']['judged_only'], 'false'), 'metrics': null},
            {'name': 'no_recs', 'value': nullif(d['given']['no_recs'], case when m['of_apart'] then d['usual_apart']['no_recs'] else d['usual']['no_recs'] end), 'metrics': null},
            {'name': 'rank_by', 'value': nullif(d['given']['rank_by'], d['usual']['rank_by']), 'metrics': null},
            {'name': 'duplicates', 'value': nullif(d['given']['duplicates'], case when m['of_apart'] then d['usual_apart']['duplicates'] else d['usual']['duplicates'] end), 'metrics': null},
            {'name': 'ties', 'value': nullif(d['given']['ties'], case when m['of_apart'] then d['usual_apart']['ties'] else d['usual']['ties'] end), 'metrics': null}
        ]
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    said := list_transform(
        d['described'],
        lambda m: struct_insert(m, name_with_options := recsql.label(m['metric'], d['like'], m['differing']))
    )
))
.list_transform(lambda d: struct_insert(
    d,
    measures := list_transform(
        d['said'],
        lambda m: struct_insert(m, label := '''' || recsql.content(m['name_with_options']) || '''')
    )
))
.list_transform(lambda d: struct_insert(
    d,
    fault_of_whole := list_transform(
        list_filter(d['measures'], lambda c: c['named'] and list_contains(c['ks'], 1000000000000000000) and (c['metric'] = 'mean_precision' or c['metric'] = 'ap' and c['ap_denominator'] = 'k' or c['metric'] = 'f1' and c['precision_denominator'] = 'k' or c['metric'] = 'precision' and c['precision_denominator'] = 'k' or coalesce(c['metric'] in ('idcg', 'ndcg'), false) and d['ideal'] = 'constant')),
        lambda c: coalesce(cast(c['metric'] as varchar), 'NULL') || ': ' || coalesce(cast(case when c['metric'] in ('mean_precision') then c['metric'] when c['metric'] = 'ndcg' and d['ideal'] = 'constant' then 'ideal = constant' when c['metric'] = 'precision' and c['precision_denominator'] = 'k' then 'precision_denominator = k' when c['metric'] = 'ap' and c['ap_denominator'] = 'k' then 'ap_denominator = k' when c['metric'] = 'f1' and c['precision_denominator'] = 'k' then 'precision_denominator = k' when c['metric'] = 'idcg' and d['ideal'] = 'constant' then 'ideal = constant' else c['metric'] end as varchar), 'NULL') || ' needs a cut-off, and the whole list has none; give one such as 10'
    )[1],
    columns := list_transform(
        list_filter(
            list_transform(d['measures'], lambda c: struct_insert(
                c,
                at := list_filter(c['ks'], lambda x: x < 1000000000000000000 or not (c['metric'] = 'mean_precision' or c['metric'] = 'ap' and c['ap_denominator'] = 'k' or c['metric'] = 'f1' and c['precision_denominator'] = 'k' or c['metric'] = 'precision' and c['precision_denominator'] = 'k' or coalesce(c['metric'] in ('idcg', 'ndcg'), false) and d['ideal'] = 'constant'))
            )),
            lambda c: len(c['at']) > 0
        ),
        lambda c, i: struct_insert(c, place := i, ks_text := array_to_string(c['at'], ', '))
    )
))
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], d['fault_of_whole']),
    'source_recs': d['source_recs'],
    'name_recs': d['name_recs'],
    'source_truth': d['source_truth'],
    'name_truth': d['name_truth'],
    'source_users': d['source_users'],
    'name_users': d['name_users'],
    'protocol': d['protocol'],
    'discount': d['discount'],
    'discount_p': d['discount_p'],
    'gain': d['gain'],
    'gain_map': d['gain_map'],
    'zero_ideal': d['zero_ideal'],
    'relevant': d['relevant'],
    'relevance_threshold': d['relevance_threshold'],
    'no_truth': d['no_truth'],
    'err_max_grade': d['err_max_grade'],
    'rbp_p': d['rbp_p'],
    'catalog_size': d['catalog_size'],
    'ideal': d['ideal'],
    'users': d['users'],
    'truth_window': d['truth_window'],
    'judged_only': d['judged_only'],
    'no_recs': d['no_recs'],
    'rank_by': d['rank_by'],
    'duplicates': d['duplicates'],
    'ties': d['ties'],
    'several': d['several'],
    'metrics': list_transform(d['metrics'], lambda m: {'metric': m['metric']}),
    'columns': list_transform(d['columns'], lambda c: {
        'ap_denominator': c['ap_denominator'],
        'bpref_empty': c['bpref_empty'],
        'err_normalize': c['err_normalize'],
        'beta': c['beta'],
        'precision_denominator': c['precision_denominator'],
        'r_precision_cut': c['r_precision_cut'],
        'rbp_normalize': c['rbp_normalize'],
        'recall_denominator': c['recall_denominator'],
        'rr_cutoff': c['rr_cutoff'],
        'metric': c['metric'],
        'name': c['name'],
        'label': c['label'],
        'shown': c['shown'],
        'place': c['place'],
        'ks_text': c['ks_text'],
        'made_of': c['made_of']
    }),
    'all_ks': list_sort(list_distinct(flatten(list_transform(d['columns'], lambda c: c['at']))), 'ASC'),
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
.list_transform(lambda d: struct_insert(
    d,
    cutoffs := recsql.indented(recsql.cutoffs_text(d['all_ks'])),
    depth := d['all_ks'][-1],
    deepest := coalesce(list_max(list_filter(d['all_ks'], lambda x: x < 1000000000000000000)), 0),
    uncut := list_contains(d['all_ks'], 1000000000000000000)
))
.list_transform(lambda d: struct_insert(
    d,
    zero_without_hits := not len(list_filter(d['columns'], lambda c: not (coalesce(c['metric'] in ('recall', 'precision', 'ap', 'hit', 'cg', 'dcg', 'err', 'hits', 'mean_precision', 'rbp', 'tp'), false) or c['metric'] = 'ndcg' and (d['zero_ideal'] = 'zero' or coalesce(d['gain'] in ('linear', 'binary', 'exp2'), false) and d['relevant'] = 'positive' and coalesce(d['ideal'] in ('truth', 'truth_uncut', 'constant'), false) and coalesce(d['truth_window'] in ('all', 'rank'), false) and (d['relevance_threshold'] is null or cast(d['relevance_threshold'] as double) > 0)) or c['metric'] = 'rr' and c['rr_cutoff'] = 'k' or c['metric'] = 'f1' or c['metric'] = 'r_precision' and c['r_precision_cut'] = 'k'))) > 0,
    needs_returned := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fp', 'tn'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'achievable_returned' or c['metric'] = 'f1' and c['precision_denominator'] = 'returned' or c['metric'] = 'precision' and c['precision_denominator'] = 'returned' or c['metric'] = 'rbp' and c['rbp_normalize'] = 'achievable')) > 0 or (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'truth_returned',
    needs_listed := d['no_truth'] = 'one_if_both_empty',
    needs_ideal_stop := len(list_filter(d['columns'], lambda c: c['metric'] = 'err' and c['err_normalize'] = 'ideal')) > 0,
    needs_ideals := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and coalesce(d['ideal'] in ('truth', 'truth_uncut', 'truth_returned'), false) and d['truth_window'] <> 'k' or len(list_filter(d['columns'], lambda c: c['metric'] = 'err' and c['err_normalize'] = 'ideal')) > 0,
    needs_hits_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'hit')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'cg')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('dcg', 'ndcg'), false))) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fn', 'tn'), false))) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'err')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('f1', 'f1', 'fp', 'hits', 'precision', 'recall', 'tp'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'hits')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'k')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rbp')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'ap')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'mean_precision')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'k')) > 0,
    needs_hits_of_list := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'candidates' or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'list')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'none')) > 0,
    needs_splits_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'ap' and c['ap_denominator'] = 'hits' and coalesce(d['ties'] in ('expected', 'best', 'worst'), false))) > 0,
    needs_whole_list := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'candidates' or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'list')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'none')) > 0 or coalesce(d['duplicates'] in ('first', 'last'), false),
    needs_ranks := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fp', 'tn'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'achievable_returned' or c['metric'] = 'f1' and c['precision_denominator'] = 'returned' or c['metric'] = 'precision' and c['precision_denominator'] = 'returned' or c['metric'] = 'rbp' and c['rbp_normalize'] = 'achievable')) > 0 or (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'truth_returned',
    needs_preferences := len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0,
    needs_entries := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and (d['ideal'] = 'truth_as_given' or d['truth_window'] = 'k' and coalesce(d['ideal'] in ('truth', 'truth_uncut', 'truth_returned'), false)),
    needs_readings := len(list_filter(d['columns'], lambda c: c['metric'] = 'err')) > 0,
    needs_harmonics := len(list_filter(d['columns'], lambda c: c['metric'] = 'mean_precision')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'ap' and c['ap_denominator'] = 'hits' and coalesce(d['ties'] in ('expected', 'best', 'worst'), false))) > 0,
    needs_discounts := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] <> 'truth_as_given',
    needs_truth_rank := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'truth_as_given' or coalesce(d['truth_window'] in ('k', 'rank'), false),
    needs_any_hit := len(list_filter(d['columns'], lambda c: c['metric'] = 'hit')) > 0,
    needs_cg := len(list_filter(d['columns'], lambda c: c['metric'] = 'cg')) > 0,
    needs_dcg := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('dcg', 'ndcg'), false))) > 0,
    needs_distinct_hits := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('fn', 'tn'), false))) > 0,
    needs_expected_stop := len(list_filter(d['columns'], lambda c: c['metric'] = 'err')) > 0,
    needs_hits := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('f1', 'f1', 'fp', 'hits', 'precision', 'recall', 'tp'), false) or c['metric'] = 'ap' and c['ap_denominator'] = 'hits')) > 0,
    needs_hits_to_r := len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'k')) > 0,
    needs_persistent_gain := len(list_filter(d['columns'], lambda c: c['metric'] = 'rbp')) > 0,
    needs_precision_sum := len(list_filter(d['columns'], lambda c: c['metric'] = 'ap')) > 0,
    needs_precision_total := len(list_filter(d['columns'], lambda c: c['metric'] = 'mean_precision')) > 0,
    needs_reciprocal_rank := len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'k')) > 0,
    needs_candidate_gains := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'candidates',
    needs_hits_anywhere := len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0,
    needs_hits_to_r_anywhere := len(list_filter(d['columns'], lambda c: c['metric'] = 'r_precision' and c['r_precision_cut'] = 'list')) > 0,
    needs_preceded := len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0,
    needs_reciprocal_rank_anywhere := len(list_filter(d['columns'], lambda c: c['metric'] = 'rr' and c['rr_cutoff'] = 'none')) > 0,
    needs_split_precision := len(list_filter(d['columns'], lambda c: c['metric'] = 'ap' and c['ap_denominator'] = 'hits' and coalesce(d['ties'] in ('expected', 'best', 'worst'), false))) > 0,
    needs_idcg := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip',
    needs_not_relevant := len(list_filter(d['columns'], lambda c: c['metric'] = 'bpref')) > 0,
    needs_gains := (len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip') and d['ideal'] = 'candidates' or len(list_filter(d['columns'], lambda c: c['metric'] = 'cg')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('dcg', 'ndcg'), false))) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'err')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('idcg', 'ndcg'), false))) > 0 or d['zero_ideal'] = 'skip' or len(list_filter(d['columns'], lambda c: c['metric'] = 'err' and c['err_normalize'] = 'ideal')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'rbp')) > 0
))
.list_transform(lambda d: struct_insert(
    d,
    any_order := d['rank_by'] is distinct from 'score' and d['rank_by'] is distinct from 'rank',
    bounds := coalesce(d['ties'] in ('best', 'worst'), false),
    by_rank := d['rank_by'] is distinct from 'score',
    by_score := d['rank_by'] is distinct from 'rank',
    closed := coalesce(d['duplicates'] in ('first', 'last'), false),
    each_apart := d['needs_whole_list'] or coalesce(d['ties'] in ('expected', 'best', 'worst'), false),
    expected := d['ties'] = 'expected',
    fixed := d['users'] = 'table',
    folded := coalesce(d['duplicates'] in ('first', 'last', 'set'), false),
    gains_of_one := d['truth_window'] <> 'k' and not d['needs_ideal_stop'] and d['gain'] = 'binary',
    hits_read := d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k'],
    ideals := d['needs_ideals'] and not (d['truth_window'] <> 'k' and not d['needs_ideal_stop'] and d['gain'] = 'binary'),
    in_order := d['truth_window'] = 'k' or d['ideal'] = 'truth_as_given',
    judged_alone := d['judged_only'] = 'true',
    lengths_count := d['needs_returned'] or d['needs_listed'],
    owners_count := coalesce(d['no_truth'] in ('zero', 'one', 'one_if_both_empty'), false) or d['users'] = 'union',
    plain_population := d['users'] = 'truth' and d['no_recs'] = 'zero' and coalesce(d['no_truth'] in ('skip', 'error'), false),
    ranked_read := d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k'] or d['needs_ranks'],
    ranks_counted := d['rank_by'] is not distinct from 'score' and (d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k']) and not d['needs_ranks'] and not d['needs_preferences'] and not d['judged_only'] = 'true' and d['duplicates'] <> 'last' and d['ties'] <> 'error' and not (coalesce(d['ties'] in ('expected', 'best', 'worst'), false) and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false)) and coalesce(d['ties'] in ('item_asc', 'item_desc'), false) and coalesce(d['duplicates'] in ('error', 'hole', 'count', 'set'), false),
    ranks_of_hits := d['rank_by'] is not distinct from 'score' and (d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k']) and not d['needs_ranks'] and not d['needs_preferences'] and not d['judged_only'] = 'true' and d['duplicates'] <> 'last' and d['ties'] <> 'error' and not (coalesce(d['ties'] in ('expected', 'best', 'worst'), false) and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false)),
    recommended_read := d['needs_hits_at_k'] or d['needs_hits_of_list'] or d['needs_splits_at_k'],
    served_alone := d['no_recs'] = 'skip' or d['users'] = 'intersection',
    truthless := coalesce(d['no_truth'] in ('zero', 'zero_below_threshold', 'one', 'one_if_both_empty'), false) or d['users'] = 'union',
    unordered := coalesce(d['ties'] in ('expected', 'best', 'worst'), false)
))
.list_transform(lambda d: struct_insert(
    d,
    has_given_users := d['fixed'],
    has_judged := d['needs_preferences'] or d['judged_alone'],
    has_judged_recs := d['judged_alone'],
    has_likely_hits := d['ranks_of_hits'],
    has_floors := d['ranks_of_hits'],
    has_counted := d['ranks_counted'],
    has_contenders := d['ranks_of_hits'],
    has_scored := d['by_score'] and d['ranked_read'],
    has_ranked := d['ranked_read'],
    has_recommended := d['recommended_read'],
    has_relevant := d['hits_read'] or d['ideals'] or d['needs_entries'],
    has_entries := d['needs_entries'],
    has_examples := d['ideals'],
    has_ideals := d['ideals'],
    has_possible_hits := d['hits_read'],
    has_found := d['hits_read'],
    has_placed := d['hits_read'] and d['bounds'],
    has_tied_hits := d['hits_read'] and d['expected'],
    has_hits := d['hits_read'],
    has_hits_in_force := d['needs_hits_at_k'] or d['needs_splits_at_k'],
    has_readings := d['needs_readings'],
    has_harmonics := d['needs_harmonics'],
    has_hits_at_k := d['needs_hits_at_k'],
    has_rejected := d['needs_preferences'],
    has_rejections := d['needs_preferences'],
    has_preferences := d['needs_preferences'],
    has_hits_of_list := d['needs_hits_of_list'],
    has_splits := d['needs_splits_at_k'],
    has_splits_at_k := d['needs_splits_at_k'],
    has_list_ranks := d['by_rank'] or not d['folded'] and not d['judged_alone'],
    has_gaps := d['needs_ranks'],
    has_candidates := not d['plain_population'],
    has_members := not d['plain_population'],
    has_discounts := d['needs_discounts'],
    has_unbroken := d['by_rank'],
    has_unproven := d['by_rank'],
    has_rank_bands := d['by_rank'],
    has_doubtful_recs := d['by_rank'],
    has_repeated_ranks := d['by_rank']
))
.list_transform(lambda d: struct_insert(
    d,
    measured := list_transform(d['columns'], lambda c: struct_insert(c, natural := recsql.indented(recsql.indented(case when c['metric'] = 'ndcg' then case when d['zero_ideal'] = 'zero' then 'coalesce(s.dcg / nullif(s.idcg, 0e0), 0e0)' when d['zero_ideal'] = 'one' then 'coalesce(s.dcg / nullif(s.idcg, 0e0), 1e0)' else 's.dcg / nullif(s.idcg, 0e0)' end when c['metric'] = 'recall' then concat('coalesce(', case when c['recall_denominator'] = 'relevant' then 's.hits / cast(nullif(s.relevant, 0) as double)' else 's.hits / cast(nullif(least(s.k, s.relevant), 0) as double)' end, ', 0e0)') when c['metric'] = 'precision' then concat('coalesce(', case when c['precision_denominator'] = 'k' then 's.hits / cast(s.k as double)' when c['precision_denominator'] = 'returned' then 's.hits / cast(nullif(s.returned, 0) as double)' else 's.hits / cast(nullif(least(s.k, s.relevant), 0) as double)' end, ', 0e0)') when c['metric'] = 'ap' then concat('coalesce(', case when c['ap_denominator'] = 'achievable' then 's.precision_sum / nullif(least(s.k, s.relevant), 0)' when c['ap_denominator'] = 'relevant' then 's.precision_sum / nullif(s.relevant, 0)' when c['ap_denominator'] = 'achievable_returned' then 's.precision_sum / nullif(least(s.relevant, s.returned), 0)' when c['ap_denominator'] = 'k' then 's.precision_sum / nullif(s.k, 0)' when d['unordered'] then 'coalesce(s.split_precision, s.precision_sum / nullif(s.hits, 0))' else 's.precision_sum / nullif(s.hits, 0)' end, ', 0e0)') when c['metric'] = 'hit' then 's.any_hit' when c['metric'] = 'rr' then concat('coalesce(', case when c['rr_cutoff'] = 'k' then 's.reciprocal_rank' else 's.reciprocal_rank_anywhere' end, ', 0e0)') when c['metric'] = 'bpref' then case when c['bpref_empty'] = 'one' then '(s.hits_anywhere - coalesce(s.preceded / cast(nullif(least(s.not_relevant, s.relevant), 0) as double), 0e0)) / cast(nullif(s.relevant, 0) as double)' else $$case
    when s.hits_anywhere = 0 then 0e0
    else (s.hits_anywhere - s.preceded / cast(nullif(least(s.not_relevant, s.relevant), 0) as double)) / cast(nullif(s.relevant, 0) as double)
end$$ end when c['metric'] = 'cg' then 's.cg' when c['metric'] = 'dcg' then 's.dcg' when c['metric'] = 'err' then concat('coalesce(', case when c['err_normalize'] = 'ideal' then 's.expected_stop / nullif(s.ideal_stop, 0e0)' else 's.expected_stop' end, ', 0e0)') when c['metric'] = 'f1' then concat('coalesce((1 + power(cast(', c['beta'], $$ as double), 2)) / (
    power(cast($$, c['beta'], ' as double), 2) / nullif(coalesce(', case when c['recall_denominator'] = 'relevant' then 's.hits / cast(nullif(s.relevant, 0) as double)' else 's.hits / cast(nullif(least(s.k, s.relevant), 0) as double)' end, $$, 0e0), 0e0)
    + 1 / nullif(coalesce($$, case when c['precision_denominator'] = 'k' then 's.hits / cast(s.k as double)' when c['precision_denominator'] = 'returned' then 's.hits / cast(nullif(s.returned, 0) as double)' else 's.hits / cast(nullif(least(s.k, s.relevant), 0) as double)' end, $$, 0e0), 0e0)
), 0e0)$$) when c['metric'] = 'fn' then 'cast(s.relevant - s.distinct_hits as double)' when c['metric'] = 'fp' then 'cast(s.returned - s.hits as double)' when c['metric'] = 'hits' then 'cast(s.hits as double)' when c['metric'] = 'idcg' then 's.idcg' when c['metric'] = 'mean_precision' then 'coalesce(s.precision_total / s.k, 0e0)' when c['metric'] = 'r_precision' then concat('coalesce(', case when c['r_precision_cut'] = 'k' then 's.hits_to_r / cast(nullif(s.relevant, 0) as double)' else 's.hits_to_r_anywhere / cast(nullif(s.relevant, 0) as double)' end, ', 0e0)') when c['metric'] = 'rbp' then concat('coalesce(', case when c['rbp_normalize'] = 'none' then concat('(1 - cast(', d['rbp_p'], ' as double)) * s.persistent_gain') else concat($$s.persistent_gain / nullif(
    coalesce(
        (1 - power(cast($$, d['rbp_p'], ' as double), least(s.relevant, s.returned))) / nullif(1 - cast(', d['rbp_p'], $$ as double), 0e0),
        least(s.relevant, s.returned)
    ),
    0e0
)$$) end, ', 0e0)') when c['metric'] = 'tn' then concat($$case
    when $$, d['catalog_size'], $$ >= s.returned + s.relevant - s.distinct_hits
        then cast($$, d['catalog_size'], $$ - (s.returned + s.relevant - s.distinct_hits) as double)
    when $$, d['catalog_size'], $$ < s.returned + s.relevant - s.distinct_hits
        then error(
            'catalog_size: '
            || coalesce(cast($$, d['catalog_size'], $$ as varchar), 'NULL')
            || ' is too small; user '
            || coalesce(regexp_replace(cast(s.user_id as varchar), '^$', ''''''), 'NULL')
            || ' alone has '
            || coalesce(cast(cast(s.returned + s.relevant - s.distinct_hits as bigint) as varchar), 'NULL')
            || ' items in list and truth'
        )
end$$) when c['metric'] = 'tp' then 'cast(s.hits as double)' else '' end))))
))
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            $$with
$$,
            recsql.step_given_recs(d),
            recsql.step_given_truth(d),
            case when d['has_given_users'] then recsql.step_given_users(d) else '' end,
            recsql.step_cutoffs(d),
            case when d['has_judged'] then recsql.step_judged(d) else '' end,
            case when d['has_judged_recs'] then recsql.step_judged_recs(d) else '' end,
            recsql.step_fingerprints(d),
            case when d['has_likely_hits'] then recsql.step_likely_hits(d) else '' end,
            case when d['has_floors'] then recsql.step_floors(d) else '' end,
            case when d['has_counted'] then recsql.step_counted(d) else '' end,
            case when d['has_contenders'] then recsql.step_contenders(d) else '' end,
            case when d['has_scored'] then recsql.step_scored(d) else '' end,
            case when d['has_ranked'] then recsql.step_ranked(d) else '' end,
            case when d['has_recommended'] then recsql.step_recommended(d) else '' end,
            recsql.step_suspects(d),
            recsql.step_repeaters(d),
            recsql.step_folded(d),
            case when d['has_relevant'] then recsql.step_relevant(d) else '' end,
            recsql.step_users(d),
            case when d['has_entries'] then recsql.step_entries(d) else '' end,
            case when d['has_examples'] then recsql.step_examples(d) else '' end,
            case when d['has_ideals'] then recsql.step_ideals(d) else '' end,
            case when d['has_possible_hits'] then recsql.step_possible_hits(d) else '' end,
            case when d['has_found'] then recsql.step_found(d) else '' end,
            case when d['has_placed'] then recsql.step_placed(d) else '' end,
            case when d['has_tied_hits'] then recsql.step_tied_hits(d) else '' end,
            case when d['has_hits'] then recsql.step_hits(d) else '' end,
            case when d['has_hits_in_force'] then recsql.step_hits_in_force(d) else '' end,
            case when d['has_readings'] then recsql.step_readings(d) else '' end,
            case when d['has_harmonics'] then recsql.step_harmonics(d) else '' end,
            case when d['has_hits_at_k'] then recsql.step_hits_at_k(d) else '' end,
            case when d['has_rejected'] then recsql.step_rejected(d) else '' end,
            case when d['has_rejections'] then recsql.step_rejections(d) else '' end,
            case when d['has_preferences'] then recsql.step_preferences(d) else '' end,
            case when d['has_hits_of_list'] then recsql.step_hits_of_list(d) else '' end,
            case when d['has_splits'] then recsql.step_splits(d) else '' end,
            case when d['has_splits_at_k'] then recsql.step_splits_at_k(d) else '' end,
            case when d['has_list_ranks'] then recsql.step_list_ranks(d) else '' end,
            recsql.step_lists(d),
            case when d['has_gaps'] then recsql.step_gaps(d) else '' end,
            recsql.step_models(d),
            case when d['has_candidates'] then recsql.step_candidates(d) else '' end,
            case when d['has_members'] then recsql.step_members(d) else '' end,
            recsql.step_population__per_user(d),
            recsql.step_users_at_k__per_user(d),
            case when d['has_discounts'] then recsql.step_discounts(d) else '' end,
            recsql.step_at_k__per_user(d),
            recsql.step_per_user__per_user(d),
            case when d['has_unbroken'] then recsql.step_unbroken(d) else '' end,
            case when d['has_unproven'] then recsql.step_unproven(d) else '' end,
            case when d['has_rank_bands'] then recsql.step_rank_bands(d) else '' end,
            case when d['has_doubtful_recs'] then recsql.step_doubtful_recs(d) else '' end,
            case when d['has_repeated_ranks'] then recsql.step_repeated_ranks(d) else '' end,
            recsql.step_problems__per_user(d),
            concat($$

select
    s.model,
    s.user_id,
    $$, case when d['uncut'] and not d['several'] then 'cast(nullif(s.k, 1000000000000000000) as integer) as k' else 's.k' end, $$,
    s.list_length,
    s.relevant$$, array_to_string(list_transform(d['measured'], lambda c: case when c['shown'] then concat($$,
    s.$$, c['name'], case when c['name'] <> c['name'] then concat(' as ', c['name']) else '' end) else '' end), ''), $$
from per_user as s
where
    (select count(error(p.message)) from problems as p) = 0
$$, case when d['zero_ideal'] = 'skip' then $$    and s.is_counted
$$ else '' end, case when not d['several'] then $$order by s.model asc nulls first, s.user_id asc, s.k asc
$$ else '' end)
        )
    end
});

comment on macro recsql.per_user_calls is 'the queries that per_user joins, each with its call';

-- the queries that item_metrics joins, each with its call
create or replace macro recsql.item_metrics_calls(
    recs, k := [5, 10, 20], metrics := null, "like" := null, discount := null, discount_p := 0.8e0,
    coverage_denominator := null, coverage_restrict := null, entropy_scope := null, entropy_base := null,
    entropy_normalize := null, gini_population := null, gini_divide := null, gini_orientation := null,
    gini_weight := 'count', novelty_base := null, novelty_unseen := null, novelty_divide := 'returned',
    novelty_mean := null, novelty_log := '2', novelty_normalize := 'none', popularity_base := null,
    popularity_unseen := null, popularity_normalize := 'none', catalog_size := null, items := null, smoothing := 0,
    judged_only := 'false', rank_by := null, duplicates := null, ties := null, train := null
) as
flatten(
    [{
        'source_recs': recsql.content(recsql.relation(recs)),
        'name_recs': recsql.content(recs),
        'source_items': recsql.content(recsql.relation(items)),
        'name_items': recsql.content(items),
        'source_train': recsql.content(recsql.relation(train)),
        'name_train': recsql.content(train),
        'ks': recsql.ks(k),
        'like': lower(cast("like" as varchar)),
        'names': recsql.metric_names(),
        'known': ['coverage', 'entropy', 'gini', 'novelty', 'popularity'],
        'given': {
            'discount': lower(cast(discount as varchar)),
            'discount_p': recsql.number(discount_p),
            'coverage_denominator': lower(cast(coverage_denominator as varchar)),
            'coverage_restrict': lower(cast(coverage_restrict as varchar)),
            'entropy_scope': lower(cast(entropy_scope as varchar)),
            'entropy_base': lower(cast(entropy_base as varchar)),
            'entropy_normalize': lower(cast(entropy_normalize as varchar)),
            'gini_population': lower(cast(gini_population as varchar)),
            'gini_divide': lower(cast(gini_divide as varchar)),
            'gini_orientation': lower(cast(gini_orientation as varchar)),
            'gini_weight': lower(cast(gini_weight as varchar)),
            'novelty_base': lower(cast(novelty_base as varchar)),
            'novelty_unseen': lower(cast(novelty_unseen as varchar)),
            'novelty_divide': lower(cast(novelty_divide as varchar)),
            'novelty_mean': lower(cast(novelty_mean as varchar)),
            'novelty_log': lower(cast(novelty_log as varchar)),
            'novelty_normalize': lower(cast(novelty_normalize as varchar)),
            'popularity_base': lower(cast(popularity_base as varchar)),
            'popularity_unseen': lower(cast(popularity_unseen as varchar)),
            'popularity_normalize': lower(cast(popularity_normalize as varchar)),
            'catalog_size': recsql.number(catalog_size),
            'items': case when items is not null then 'table' end,
            'smoothing': recsql.number(smoothing),
            'judged_only': lower(cast(judged_only as varchar)),
            'rank_by': lower(cast(rank_by as varchar)),
            'duplicates': lower(cast(duplicates as varchar)),
            'ties': lower(cast(ties as varchar)),
            'train': case when train is not null then 'table' end
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
            'discount': case when d['like'] = 'lenskit' then 'jk2002' else 'log2p1' end,
            'coverage_denominator': case when d['like'] in ('elliot', 'rectools') then 'count' when d['like'] in ('evidently', 'recommenders', 'replay') then 'train' else 'catalog' end,
            'coverage_restrict': case when d['like'] in ('recommenders', 'rectools') then 'false' else 'true' end,
            'entropy_scope': case when d['like'] = 'elliot' then 'list' else 'items' end,
            'entropy_base': case when d['like'] = 'recbole' then 'e' else '2' end,
            'entropy_normalize': case when d['like'] = 'recbole' then 'distinct' else 'none' end,
            'gini_population': case when d['like'] = 'evidently' then 'recommended' else 'catalog' end,
            'gini_divide': case when d['like'] in ('elliot', 'evidently') then 'n_minus_1' else 'n' end,
            'gini_orientation': case when d['like'] = 'elliot' then 'equality' else 'inequality' end,
            'novelty_base': case when d['like'] = 'recommenders' then 'interactions' else 'users' end,
            'novelty_unseen': case when d['like'] = 'evidently' then 'skip' when d['like'] = 'recommenders' then 'zero' else 'one' end,
            'novelty_mean': case when d['like'] = 'recommenders' then 'rows' else 'lists' end,
            'popularity_base': case when d['like'] in ('elliot', 'evidently') then 'users' else 'interactions' end,
            'popularity_unseen': case when d['like'] = 'elliot' then 'error' when d['like'] = 'evidently' then 'skip' else 'zero' end,
            'rank_by': case when d['like'] in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval') then 'score' when d['like'] = 'rectools' then 'rank' else null end,
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' when d['like'] = 'replay' then 'set' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] = 'sklearn' then 'expected' else 'item_asc' end,
            'like': d['like']
        },
        usual_apart := {
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'replay', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] in ('sklearn', 'torchmetrics') then 'expected' else 'item_asc' end,
            'like': d['like']
        }
    ))
    .list_transform(lambda d: struct_insert(d, available := list_filter([case when not (coalesce(d['given']['coverage_denominator'], d['usual']['coverage_denominator']) in ('catalog') and d['given']['items'] is null and d['given']['train'] is null and d['given']['catalog_size'] is null) then 'coverage' end, 'entropy', case when not (coalesce(d['given']['gini_population'], d['usual']['gini_population']) in ('catalog') and d['given']['items'] is null and d['given']['train'] is null and d['given']['catalog_size'] is null) then 'gini' end], lambda m: m is not null)))
    .list_transform(lambda d: struct_insert(d, asked := recsql.asked(metrics, ['coverage', 'entropy', 'gini'], d['available'], d['like'], d['names'])))
    .list_transform(lambda d: struct_insert(
        d,
        fault := coalesce(
            recsql.fault([['discount', coalesce(d['given']['discount'], 'log2p1')], ['coverage_denominator', coalesce(d['given']['coverage_denominator'], 'catalog')], ['coverage_restrict', coalesce(d['given']['coverage_restrict'], 'true')], ['entropy_scope', coalesce(d['given']['entropy_scope'], 'items')], ['entropy_base', coalesce(d['given']['entropy_base'], '2')], ['entropy_normalize', coalesce(d['given']['entropy_normalize'], 'none')], ['gini_population', coalesce(d['given']['gini_population'], 'catalog')], ['gini_divide', coalesce(d['given']['gini_divide'], 'n')], ['gini_orientation', coalesce(d['given']['gini_orientation'], 'inequality')], ['gini_weight', coalesce(d['given']['gini_weight'], 'count')], ['novelty_base', coalesce(d['given']['novelty_base'], 'users')], ['novelty_unseen', coalesce(d['given']['novelty_unseen'], 'one')], ['novelty_divide', coalesce(d['given']['novelty_divide'], 'returned')], ['novelty_mean', coalesce(d['given']['novelty_mean'], 'lists')], ['novelty_log', coalesce(d['given']['novelty_log'], '2')], ['novelty_normalize', coalesce(d['given']['novelty_normalize'], 'none')], ['popularity_base', coalesce(d['given']['popularity_base'], 'users')], ['popularity_unseen', coalesce(d['given']['popularity_unseen'], 'zero')], ['popularity_normalize', coalesce(d['given']['popularity_normalize'], 'none')], ['judged_only', coalesce(d['given']['judged_only'], 'false')], ['rank_by', coalesce(d['given']['rank_by'], 'rank')], ['duplicates', coalesce(d['given']['duplicates'], 'error')], ['ties', coalesce(d['given']['ties'], 'item_asc')], ['like', coalesce(d['like'], 'cornac')]], [['discount_p', cast(discount_p as varchar)], ['catalog_size', cast(catalog_size as varchar)], ['smoothing', cast(smoothing as varchar)]]),
            case when recs is null then 'recs: NULL is not a table; give the name of a table or a file' end,
            case when d['given']['discount_p'] is not null and d['given']['discount_p'] is distinct from '0.8e0' and coalesce(d['given']['discount'], d['usual']['discount']) not in ('geometric') then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out' end,
            case when d['given']['novelty_divide'] is not null and d['given']['novelty_divide'] is distinct from 'returned' and coalesce(d['given']['novelty_mean'], d['usual']['novelty_mean']) not in ('lists') then 'novelty_divide: it applies only if novelty_mean = ''lists''; set that as well, or leave novelty_divide out' end,
            case when d['given']['novelty_log'] is not null and d['given']['novelty_log'] is distinct from '2' and coalesce(d['given']['novelty_normalize'], 'none') not in ('none') then 'novelty_log: it applies only if novelty_normalize = ''none''; set that as well, or leave novelty_log out' end,
            case when d['given']['novelty_normalize'] is not null and d['given']['novelty_normalize'] is distinct from 'none' and coalesce(d['given']['novelty_base'], d['usual']['novelty_base']) not in ('users') then 'novelty_normalize: it applies only if novelty_base = ''users''; set that as well, or leave novelty_normalize out' end,
            case when d['given']['smoothing'] is not null and d['given']['smoothing'] is distinct from '0' and coalesce(d['given']['entropy_scope'], d['usual']['entropy_scope']) not in ('category') then 'smoothing: it applies only if entropy_scope = ''category''; set that as well, or leave smoothing out' end,
            recsql.unknown_metric(d['asked'], d['known']),
            case when len(d['asked']) = 0 then 'metrics: the list is empty; name a metric, pass ''all'', or leave metrics out for the default ones' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'coverage')) > 0 and coalesce(d['given']['coverage_denominator'], d['usual']['coverage_denominator']) in ('catalog') and d['given']['items'] is null and d['given']['train'] is null and d['given']['catalog_size'] is null then 'coverage needs the option items or train or catalog_size' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'coverage')) > 0 and coalesce(d['given']['coverage_denominator'], d['usual']['coverage_denominator']) in ('train') and d['given']['train'] is null then 'coverage needs the option train' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'entropy')) > 0 and coalesce(d['given']['entropy_normalize'], d['usual']['entropy_normalize']) in ('log_catalog') and d['given']['items'] is null and d['given']['train'] is null and d['given']['catalog_size'] is null then 'entropy needs the option items or train or catalog_size' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'entropy')) > 0 and coalesce(d['given']['entropy_scope'], d['usual']['entropy_scope']) in ('category') and d['given']['items'] is null then 'entropy needs the option items' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'gini')) > 0 and coalesce(d['given']['gini_population'], d['usual']['gini_population']) in ('catalog') and d['given']['items'] is null and d['given']['train'] is null and d['given']['catalog_size'] is null then 'gini needs the option items or train or catalog_size' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'novelty')) > 0 and d['given']['train'] is null then 'novelty needs the option train' end,
            case when len(list_filter(d['asked'], lambda m: m['metric'] = 'popularity')) > 0 and d['given']['train'] is null then 'popularity needs the option train' end
        ),
        metrics := recsql.grouped(d['asked'], d['ks']),
        apart := cast([] as varchar[])
    ))
    .list_transform(lambda d: list_transform(
        list_filter(
            case when list_contains(d['apart'], d['metrics'][1]['metric']) then [true, false] else [false, true] end,
            lambda a: len(d['metrics']) = 0 and not a or len(list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = a)) > 0
        ),
        lambda a: struct_insert(
            d,
            is_apart := a,
            several := len(list_distinct(list_transform(d['metrics'], lambda m: list_contains(d['apart'], m['metric'])))) > 1
        )
    ))
)
.list_transform(lambda d: struct_insert(
    d,
    discount := coalesce(d['given']['discount'], d['usual']['discount']),
    discount_p := coalesce(d['given']['discount_p'], '0.8e0'),
    novelty_base := coalesce(d['given']['novelty_base'], d['usual']['novelty_base']),
    novelty_unseen := coalesce(d['given']['novelty_unseen'], d['usual']['novelty_unseen']),
    popularity_base := coalesce(d['given']['popularity_base'], d['usual']['popularity_base']),
    popularity_unseen := coalesce(d['given']['popularity_unseen'], d['usual']['popularity_unseen']),
    catalog_size := d['given']['catalog_size'],
    items := d['given']['items'],
    smoothing := coalesce(d['given']['smoothing'], '0'),
    judged_only := coalesce(d['given']['judged_only'], 'false'),
    rank_by := case d['given']['rank_by'] when 'position' then 'rank' else d['given']['rank_by'] end,
    duplicates := coalesce(d['given']['duplicates'], case when d['is_apart'] then d['usual_apart']['duplicates'] else d['usual']['duplicates'] end),
    ties := coalesce(d['given']['ties'], case when d['is_apart'] then d['usual_apart']['ties'] else d['usual']['ties'] end),
    train := d['given']['train'],
    prefers_score := d['like'] in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval')
))
.list_transform(lambda d: struct_insert(
    d,
    of_pipeline := list_transform(
        list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = d['is_apart']),
        lambda m: struct_insert(
            m,
            name := m['metric'],
            shown := true,
            of_apart := list_contains(recsql.apart(d['like']), m['metric']),
            made_of := recsql.made_of(d['metrics'], m)
        )
    )
))
.list_transform(lambda d: struct_insert(d, wanted := d['of_pipeline']))
.list_transform(lambda d: struct_insert(
    d,
    described := list_transform(d['wanted'], lambda m: struct_insert(
        m,
        coverage_denominator := coalesce(d['given']['coverage_denominator'], d['usual']['coverage_denominator']),
        coverage_restrict := coalesce(d['given']['coverage_restrict'], d['usual']['coverage_restrict']),
        entropy_scope := coalesce(d['given']['entropy_scope'], d['usual']['entropy_scope']),
        entropy_base := coalesce(d['given']['entropy_base'], d['usual']['entropy_base']),
        entropy_normalize := coalesce(d['given']['entropy_normalize'], d['usual']['entropy_normalize']),
        gini_population := coalesce(d['given']['gini_population'], d['usual']['gini_population']),
        gini_divide := coalesce(d['given']['gini_divide'], d['usual']['gini_divide']),
        gini_orientation := coalesce(d['given']['gini_orientation'], d['usual']['gini_orientation']),
        gini_weight := coalesce(d['given']['gini_weight'], 'count'),
        novelty_divide := coalesce(d['given']['novelty_divide'], 'returned'),
        novelty_mean := coalesce(d['given']['novelty_mean'], d['usual']['novelty_mean']),
        novelty_log := coalesce(d['given']['novelty_log'], '2'),
        novelty_normalize := coalesce(d['given']['novelty_normalize'], 'none'),
        popularity_normalize := coalesce(d['given']['popularity_normalize'], 'none'),
        differing := [
            {'name': 'discount', 'value': nullif(d['given']['discount'], d['usual']['discount']), 'metrics': ' gini '},
            {'name': 'discount_p', 'value': recsql.unusual(d['given']['discount_p'], '0.8e0'), 'metrics': ' gini '},
            {'name': 'denominator', 'value': nullif(d['given']['coverage_denominator'], d['usual']['coverage_denominator']), 'metrics': ' coverage '},
            {'name': 'restrict', 'value': nullif(d['given']['coverage_restrict'], d['usual']['coverage_restrict']), 'metrics': ' coverage '},
            {'name': 'scope', 'value': nullif(d['given']['entropy_scope'], d['usual']['entropy_scope']), 'metrics': ' entropy '},
            {'name': 'base', 'value': nullif(d['given']['entropy_base'], d['usual']['entropy_base']), 'metrics': ' entropy '},
            {'name': 'normalize', 'value': nullif(d['given']['entropy_normalize'], d['usual']['entropy_normalize']), 'metrics': ' entropy '},
            {'name': 'population', 'value': nullif(d['given']['gini_population'], d['usual']['gini_population']), 'metrics': ' gini '},
            {'name': 'divide', 'value': nullif(d['given']['gini_divide'], d['usual']['gini_divide']), 'metrics': ' gini '},
            {'name': 'orientation', 'value': nullif(d['given']['gini_orientation'], d['usual']['gini_orientation']), 'metrics': ' gini '},
            {'name': 'weight', 'value': nullif(d['given']['gini_weight'], 'count'), 'metrics': ' gini '},
            {'name': 'base', 'value': nullif(d['given']['novelty_base'], d['usual']['novelty_base']), 'metrics': ' novelty '},
            {'name': 'unseen', 'value': nullif(d['given']['novelty_unseen'], d['usual']['novelty_unseen']), 'metrics': ' novelty '},
            {'name': 'divide', 'value': nullif(d['given']['novelty_divide'], 'returned'), 'metrics': ' novelty '},
            {'name': 'mean', 'value': nullif(d['given']['novelty_mean'], d['usual']['novelty_mean']), 'metrics': ' novelty '},
            {'name': 'log', 'value': nullif(d['given']['novelty_log'], '2'), 'metrics': ' novelty '},
            {'name': 'normalize', 'value': nullif(d['given']['novelty_normalize'], 'none'), 'metrics': ' novelty '},
            {'name': 'base', 'value': nullif(d['given']['popularity_base'], d['usual']['popularity_base']), 'metrics': ' popularity '},
            {'name': 'unseen', 'value': nullif(d['given']['popularity_unseen'], d['usual']['popularity_unseen']), 'metrics': ' popularity '},
            {'name': 'normalize', 'value': nullif(d['given']['popularity_normalize'], 'none'), 'metrics': ' popularity '},
            {'name': 'smoothing', 'value': recsql.unusual(d['given']['smoothing'], '0'), 'metrics': ' entropy '},
            {'name': 'judged_only', 'value': nullif(d['given']['judged_only'], 'false'), 'metrics': null},
            {'name': 'rank_by', 'value': nullif(d['given']['rank_by'], d['usual']['rank_by']), 'metrics': null},
            {'name': 'duplicates', 'value': nullif(d['given']['duplicates'], case when m['of_apart'] then d['usual_apart']['duplicates'] else d['usual']['duplicates'] end), 'metrics': null},
            {'name': 'ties', 'value': nullif(d['given']['ties'], case when m['of_apart'] then d['usual_apart']['ties'] else d['usual']['ties'] end), 'metrics': null}
        ]
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    said := list_transform(
        d['described'],
        lambda m: struct_insert(m, name_with_options := recsql.label(m['metric'], d['like'], m['differing']))
    )
))
.list_transform(lambda d: struct_insert(
    d,
    measures := list_transform(
        d['said'],
        lambda m: struct_insert(m, label := '''' || recsql.content(m['name_with_options']) || '''')
    )
))
.list_transform(lambda d: struct_insert(
    d,
    fault_of_whole := list_transform(
        list_filter(d['measures'], lambda c: c['named'] and list_contains(c['ks'], 1000000000000000000) and (c['metric'] = 'novelty' and c['novelty_mean'] = 'lists' and c['novelty_divide'] = 'k')),
        lambda c: coalesce(cast(c['metric'] as varchar), 'NULL') || ': ' || coalesce(cast(case when c['metric'] = 'novelty' and c['novelty_divide'] = 'k' then 'novelty_divide = k' else c['metric'] end as varchar), 'NULL') || ' needs a cut-off, and the whole list has none; give one such as 10'
    )[1],
    columns := list_transform(
        list_filter(
            list_transform(d['measures'], lambda c: struct_insert(
                c,
                at := list_filter(c['ks'], lambda x: x < 1000000000000000000 or not (c['metric'] = 'novelty' and c['novelty_mean'] = 'lists' and c['novelty_divide'] = 'k'))
            )),
            lambda c: len(c['at']) > 0
        ),
        lambda c, i: struct_insert(c, place := i, ks_text := array_to_string(c['at'], ', '))
    )
))
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], d['fault_of_whole']),
    'source_recs': d['source_recs'],
    'name_recs': d['name_recs'],
    'source_items': d['source_items'],
    'name_items': d['name_items'],
    'source_train': d['source_train'],
    'name_train': d['name_train'],
    'discount': d['discount'],
    'discount_p': d['discount_p'],
    'novelty_base': d['novelty_base'],
    'novelty_unseen': d['novelty_unseen'],
    'popularity_base': d['popularity_base'],
    'popularity_unseen': d['popularity_unseen'],
    'catalog_size': d['catalog_size'],
    'items': d['items'],
    'smoothing': d['smoothing'],
    'judged_only': d['judged_only'],
    'rank_by': d['rank_by'],
    'duplicates': d['duplicates'],
    'ties': d['ties'],
    'train': d['train'],
    'several': d['several'],
    'metrics': list_transform(d['metrics'], lambda m: {'metric': m['metric']}),
    'columns': list_transform(d['columns'], lambda c: {
        'coverage_denominator': c['coverage_denominator'],
        'coverage_restrict': c['coverage_restrict'],
        'entropy_scope': c['entropy_scope'],
        'entropy_base': c['entropy_base'],
        'entropy_normalize': c['entropy_normalize'],
        'gini_population': c['gini_population'],
        'gini_divide': c['gini_divide'],
        'gini_orientation': c['gini_orientation'],
        'gini_weight': c['gini_weight'],
        'novelty_divide': c['novelty_divide'],
        'novelty_mean': c['novelty_mean'],
        'novelty_log': c['novelty_log'],
        'novelty_normalize': c['novelty_normalize'],
        'popularity_normalize': c['popularity_normalize'],
        'metric': c['metric'],
        'name': c['name'],
        'label': c['label'],
        'shown': c['shown'],
        'place': c['place'],
        'ks_text': c['ks_text'],
        'made_of': c['made_of']
    }),
    'all_ks': list_sort(list_distinct(flatten(list_transform(d['columns'], lambda c: c['at']))), 'ASC'),
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
.list_transform(lambda d: struct_insert(
    d,
    cutoffs := recsql.indented(recsql.cutoffs_text(d['all_ks'])),
    depth := d['all_ks'][-1],
    deepest := coalesce(list_max(list_filter(d['all_ks'], lambda x: x < 1000000000000000000)), 0),
    uncut := list_contains(d['all_ks'], 1000000000000000000)
))
.list_transform(lambda d: struct_insert(
    d,
    needs_whole_list := coalesce(d['duplicates'] in ('first', 'last'), false),
    needs_catalog_count := len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_denominator'] = 'catalog' or c['metric'] = 'entropy' and c['entropy_normalize'] = 'log_catalog' or c['metric'] = 'gini' and c['gini_population'] = 'catalog')) > 0,
    needs_catalog := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'exposure')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'exposure')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'items' and c['entropy_normalize'] = 'log_catalog')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_restrict'] = 'true' and c['coverage_denominator'] <> 'train' or c['metric'] = 'entropy' and c['entropy_scope'] = 'list' and c['entropy_normalize'] = 'log_catalog' or c['metric'] = 'gini' and c['gini_population'] = 'catalog')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_denominator'] = 'catalog' or c['metric'] = 'entropy' and c['entropy_normalize'] = 'log_catalog' or c['metric'] = 'gini' and c['gini_population'] = 'catalog')) > 0 and not d['catalog_size'] is null or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'count')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'count')) > 0,
    needs_train := len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_restrict'] = 'true' and c['coverage_denominator'] = 'train')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_denominator'] = 'train')) > 0,
    needs_items_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'items' and c['entropy_normalize'] = 'log_catalog')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_restrict'] = 'true' and c['coverage_denominator'] <> 'train' or c['metric'] = 'entropy' and c['entropy_scope'] = 'list' and c['entropy_normalize'] = 'log_catalog' or c['metric'] = 'gini' and c['gini_population'] = 'catalog')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_denominator'] = 'catalog' or c['metric'] = 'entropy' and c['entropy_normalize'] = 'log_catalog' or c['metric'] = 'gini' and c['gini_population'] = 'catalog')) > 0 and not d['catalog_size'] is null or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'count')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'count')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_restrict'] = 'false' or c['metric'] = 'entropy' and (c['entropy_normalize'] = 'distinct' or c['entropy_scope'] = 'list' and c['entropy_normalize'] = 'log_catalog') or c['metric'] = 'gini' and c['gini_population'] = 'recommended')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'items' and c['entropy_normalize'] <> 'log_catalog')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'count')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'count')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_restrict'] = 'true' and c['coverage_denominator'] = 'train')) > 0,
    needs_exposures_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'exposure')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'exposure')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'exposure')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'exposure')) > 0,
    needs_lists_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'list')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'list')) > 0,
    needs_popularities_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'lists' and c['novelty_divide'] = 'returned')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'popularity')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'rows')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'lists')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and (c['novelty_mean'] = 'rows' or c['novelty_divide'] = 'k'))) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'popularity')) > 0,
    needs_novelties := len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'lists' and c['novelty_divide'] = 'returned')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'rows')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'lists')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and (c['novelty_mean'] = 'rows' or c['novelty_divide'] = 'k'))) > 0,
    needs_popularities := len(list_filter(d['columns'], lambda c: c['metric'] = 'popularity')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'popularity')) > 0,
    needs_categories_at_k := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'category')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'category')) > 0,
    needs_exposures := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'exposure')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'exposure')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'exposure')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'exposure')) > 0,
    needs_catalog_information := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'items' and c['entropy_normalize'] = 'log_catalog')) > 0,
    needs_catalog_items := len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_restrict'] = 'true' and c['coverage_denominator'] <> 'train' or c['metric'] = 'entropy' and c['entropy_scope'] = 'list' and c['entropy_normalize'] = 'log_catalog' or c['metric'] = 'gini' and c['gini_population'] = 'catalog')) > 0 or len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_denominator'] = 'catalog' or c['metric'] = 'entropy' and c['entropy_normalize'] = 'log_catalog' or c['metric'] = 'gini' and c['gini_population'] = 'catalog')) > 0 and not d['catalog_size'] is null,
    needs_catalog_place_sum := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'count')) > 0,
    needs_catalog_recommendations := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'count')) > 0,
    needs_distinct_items := len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_restrict'] = 'false' or c['metric'] = 'entropy' and (c['entropy_normalize'] = 'distinct' or c['entropy_scope'] = 'list' and c['entropy_normalize'] = 'log_catalog') or c['metric'] = 'gini' and c['gini_population'] = 'recommended')) > 0,
    needs_information := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'items' and c['entropy_normalize'] <> 'log_catalog')) > 0,
    needs_place_sum := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'count')) > 0,
    needs_recommendations := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'count')) > 0,
    needs_train_items := len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_restrict'] = 'true' and c['coverage_denominator'] = 'train')) > 0,
    needs_catalog_exposure := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'exposure')) > 0,
    needs_catalog_exposure_place_sum := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'catalog' and c['gini_weight'] = 'exposure')) > 0,
    needs_exposure := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'exposure')) > 0,
    needs_exposure_place_sum := len(list_filter(d['columns'], lambda c: c['metric'] = 'gini' and c['gini_population'] = 'recommended' and c['gini_weight'] = 'exposure')) > 0,
    needs_list_information := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'list')) > 0,
    needs_lists := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'list')) > 0,
    needs_category_information := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'category')) > 0,
    needs_category_lists := len(list_filter(d['columns'], lambda c: c['metric'] = 'entropy' and c['entropy_scope'] = 'category')) > 0,
    needs_mean_novelty := len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'lists' and c['novelty_divide'] = 'returned')) > 0,
    needs_mean_popularity := len(list_filter(d['columns'], lambda c: c['metric'] = 'popularity')) > 0,
    needs_novelty_items := len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'rows')) > 0,
    needs_novelty_lists := len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_mean'] = 'lists')) > 0,
    needs_novelty_total := len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and (c['novelty_mean'] = 'rows' or c['novelty_divide'] = 'k'))) > 0,
    needs_popularity_lists := len(list_filter(d['columns'], lambda c: c['metric'] = 'popularity')) > 0,
    needs_catalog_size := len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_denominator'] = 'catalog' or c['metric'] = 'entropy' and c['entropy_normalize'] = 'log_catalog' or c['metric'] = 'gini' and c['gini_population'] = 'catalog')) > 0,
    needs_highest_popularity := len(list_filter(d['columns'], lambda c: c['metric'] = 'popularity' and c['popularity_normalize'] = 'max')) > 0,
    needs_train_popularity := len(list_filter(d['columns'], lambda c: c['metric'] = 'popularity' and c['popularity_normalize'] = 'sum')) > 0,
    needs_train_size := len(list_filter(d['columns'], lambda c: c['metric'] = 'coverage' and c['coverage_denominator'] = 'train')) > 0,
    needs_train_users := len(list_filter(d['columns'], lambda c: c['metric'] = 'novelty' and c['novelty_normalize'] = 'log_users')) > 0
))
.list_transform(lambda d: struct_insert(
    d,
    any_order := d['rank_by'] is distinct from 'score' and d['rank_by'] is distinct from 'rank',
    bounds := coalesce(d['ties'] in ('best', 'worst'), false),
    by_rank := d['rank_by'] is distinct from 'score',
    by_score := d['rank_by'] is distinct from 'rank',
    catalog_read := d['needs_catalog_count'] and d['catalog_size'] is null or (not d['items'] is null or not d['train'] is null) and d['needs_catalog'],
    closed := coalesce(d['duplicates'] in ('first', 'last'), false),
    each_apart := d['needs_whole_list'] or coalesce(d['ties'] in ('expected', 'best', 'worst'), false),
    expected := d['ties'] = 'expected',
    folded := coalesce(d['duplicates'] in ('first', 'last', 'set'), false),
    items_counted := d['needs_items_at_k'] or d['needs_exposures_at_k'] or d['needs_lists_at_k'],
    train_counted := d['needs_popularities_at_k'],
    train_read := d['needs_train'] or (d['needs_catalog_count'] and d['catalog_size'] is null or (not d['items'] is null or not d['train'] is null) and d['needs_catalog']) and d['items'] is null,
    train_users_counted := d['needs_novelties'] and d['novelty_base'] = 'users' or d['needs_popularities'] and d['popularity_base'] = 'users',
    unordered := coalesce(d['ties'] in ('expected', 'best', 'worst'), false),
    with_catalog := not d['items'] is null or not d['train'] is null
))
.list_transform(lambda d: struct_insert(
    d,
    has_given_items := not d['items'] is null and (d['catalog_read'] or d['needs_categories_at_k']),
    has_given_train := not d['train'] is null and (d['train_read'] or d['train_counted']),
    has_scored := d['by_score'],
    has_list_ranks := d['by_rank'],
    has_bands := d['items_counted'],
    has_item_bands := d['items_counted'],
    has_item_counts := d['items_counted'],
    has_train_items := not d['train'] is null and d['train_read'],
    has_catalog := d['catalog_read'],
    has_item_frequencies := d['needs_items_at_k'],
    has_items_at_k := d['needs_items_at_k'],
    has_item_exposures := d['needs_exposures_at_k'],
    has_exposures_at_k := d['needs_exposures_at_k'],
    has_item_information := d['needs_lists_at_k'],
    has_list_entropies := d['needs_lists_at_k'],
    has_lists_at_k := d['needs_lists_at_k'],
    has_item_categories := d['needs_categories_at_k'],
    has_category_counts := d['needs_categories_at_k'],
    has_category_entropies := d['needs_categories_at_k'],
    has_categories_at_k := d['needs_categories_at_k'],
    has_train_counts := d['train_counted'],
    has_train_totals := d['train_counted'] and d['needs_novelties'],
    has_item_popularities := d['train_counted'],
    has_list_popularities := d['train_counted'],
    has_popularities_at_k := d['train_counted'],
    has_unbroken := d['by_rank'],
    has_unproven := d['by_rank'],
    has_rank_bands := d['by_rank'],
    has_doubtful_recs := d['by_rank'],
    has_repeated_ranks := d['by_rank']
))
.list_transform(lambda d: struct_insert(
    d,
    measured := list_transform(d['columns'], lambda c: struct_insert(c, natural := recsql.indented(recsql.indented(case when c['metric'] = 'coverage' then case when c['coverage_denominator'] = 'catalog' then concat(case when c['coverage_restrict'] = 'false' then 's.distinct_items' else case when c['coverage_denominator'] = 'train' then 's.train_items' else 's.catalog_items' end end, ' / nullif(s.catalog_size, 0)') when c['coverage_denominator'] = 'train' then concat(case when c['coverage_restrict'] = 'false' then 's.distinct_items' else case when c['coverage_denominator'] = 'train' then 's.train_items' else 's.catalog_items' end end, ' / nullif(s.train_size, 0)') else concat('cast(', case when c['coverage_restrict'] = 'false' then 's.distinct_items' else case when c['coverage_denominator'] = 'train' then 's.train_items' else 's.catalog_items' end end, ' as double)') end when c['metric'] = 'entropy' then case when c['entropy_normalize'] = 'none' then case when c['entropy_base'] = 'e' then concat(case when c['entropy_scope'] = 'list' then 's.list_information' else case when c['entropy_scope'] = 'category' then 's.category_information' else 's.information' end end, ' * ln(2e0)') else case when c['entropy_base'] = '10' then concat(case when c['entropy_scope'] = 'list' then 's.list_information' else case when c['entropy_scope'] = 'category' then 's.category_information' else 's.information' end end, ' * ln(2e0) / ln(10e0)') else case when c['entropy_scope'] = 'list' then 's.list_information' else case when c['entropy_scope'] = 'category' then 's.category_information' else 's.information' end end end end when c['entropy_normalize'] = 'distinct' then concat(case when c['entropy_base'] = 'e' then concat(case when c['entropy_scope'] = 'list' then 's.list_information' else case when c['entropy_scope'] = 'category' then 's.category_information' else 's.information' end end, ' * ln(2e0)') else case when c['entropy_base'] = '10' then concat(case when c['entropy_scope'] = 'list' then 's.list_information' else case when c['entropy_scope'] = 'category' then 's.category_information' else 's.information' end end, ' * ln(2e0) / ln(10e0)') else case when c['entropy_scope'] = 'list' then 's.list_information' else case when c['entropy_scope'] = 'category' then 's.category_information' else 's.information' end end end end, ' / nullif(s.distinct_items, 0)') when c['entropy_scope'] = 'list' then concat($$case
    when s.distinct_items = s.catalog_items
        then s.list_information
    when s.distinct_items > s.catalog_items
        then error(
            'entropy_normalize = ''log_catalog'': at k = '
            || coalesce(cast($$, case when d['uncut'] then $$coalesce(cast(nullif(s.k, 1000000000000000000) as varchar), 'all')$$ else 's.k' end, $$ as varchar), 'NULL')
            || ', '
            || coalesce(cast(s.distinct_items - s.catalog_items as varchar), 'NULL')
            || ' of the recommended items are not in the catalogue; add them to it, or leave them out of the lists'
        )
end / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)$$) when c['entropy_scope'] = 'category' then 's.category_information / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)' else 's.catalog_information / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)' end when c['metric'] = 'gini' then concat(case when c['gini_orientation'] = 'equality' then '1 - ' else '' end, '(2 * ', case when c['gini_population'] = 'catalog' then 's.catalog_' else 's.' end, case when c['gini_weight'] = 'count' then 'place_sum' else 'exposure_place_sum' end, ' / nullif(cast(', case when c['gini_population'] = 'catalog' then 's.catalog_' else 's.' end, case when c['gini_weight'] = 'count' then 'recommendations' else 'exposure' end, ' as double), 0e0) + ', case when c['gini_population'] = 'catalog' then 's.catalog_size' else 's.distinct_items' end, ' - 2 * ', case when c['gini_population'] = 'catalog' then 's.catalog_items' else 's.distinct_items' end, ' - 1) / ', case when c['gini_divide'] = 'n' then concat('nullif(', case when c['gini_population'] = 'catalog' then 's.catalog_size' else 's.distinct_items' end, ', 0)') else concat('nullif(', case when c['gini_population'] = 'catalog' then 's.catalog_size' else 's.distinct_items' end, ' - 1, 0)') end) when c['metric'] = 'novelty' then case when c['novelty_normalize'] = 'log_users' then concat(case when c['novelty_mean'] = 'rows' or c['novelty_divide'] = 'k' then concat('s.novelty_total / nullif(cast(', case when c['novelty_mean'] = 'rows' then 's.novelty_items' else 's.novelty_lists * s.k' end, ' as double), 0e0)') else 's.mean_novelty' end, ' / nullif(log2(nullif(s.train_users, 0e0)), 0e0)') when c['novelty_log'] = 'e' then concat(case when c['novelty_mean'] = 'rows' or c['novelty_divide'] = 'k' then concat('s.novelty_total / nullif(cast(', case when c['novelty_mean'] = 'rows' then 's.novelty_items' else 's.novelty_lists * s.k' end, ' as double), 0e0)') else 's.mean_novelty' end, ' * ln(2e0)') when c['novelty_log'] = '10' then concat(case when c['novelty_mean'] = 'rows' or c['novelty_divide'] = 'k' then concat('s.novelty_total / nullif(cast(', case when c['novelty_mean'] = 'rows' then 's.novelty_items' else 's.novelty_lists * s.k' end, ' as double), 0e0)') else 's.mean_novelty' end, ' * ln(2e0) / ln(10e0)') else case when c['novelty_mean'] = 'rows' or c['novelty_divide'] = 'k' then concat('s.novelty_total / nullif(cast(', case when c['novelty_mean'] = 'rows' then 's.novelty_items' else 's.novelty_lists * s.k' end, ' as double), 0e0)') else 's.mean_novelty' end end when c['metric'] = 'popularity' then case when c['popularity_normalize'] = 'sum' then 's.mean_popularity / nullif(s.train_popularity, 0e0)' when c['popularity_normalize'] = 'max' then 's.mean_popularity / nullif(s.highest_popularity, 0e0)' else 's.mean_popularity' end else '' end))))
))
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            $$with
$$,
            recsql.step_given_recs(d),
            case when d['has_given_items'] then recsql.step_given_items(d) else '' end,
            case when d['has_given_train'] then recsql.step_given_train(d) else '' end,
            recsql.step_cutoffs(d),
            case when d['has_scored'] then recsql.step_scored__item_metrics(d) else '' end,
            recsql.step_ranked__item_metrics(d),
            recsql.step_recommended(d),
            case when d['has_list_ranks'] then recsql.step_list_ranks__item_metrics(d) else '' end,
            recsql.step_models(d),
            recsql.step_listed(d),
            case when d['has_bands'] then recsql.step_bands(d) else '' end,
            case when d['has_item_bands'] then recsql.step_item_bands(d) else '' end,
            case when d['has_item_counts'] then recsql.step_item_counts(d) else '' end,
            case when d['has_train_items'] then recsql.step_train_items(d) else '' end,
            case when d['has_catalog'] then recsql.step_catalog(d) else '' end,
            case when d['has_item_frequencies'] then recsql.step_item_frequencies(d) else '' end,
            case when d['has_items_at_k'] then recsql.step_items_at_k(d) else '' end,
            case when d['has_item_exposures'] then recsql.step_item_exposures(d) else '' end,
            case when d['has_exposures_at_k'] then recsql.step_exposures_at_k(d) else '' end,
            case when d['has_item_information'] then recsql.step_item_information(d) else '' end,
            case when d['has_list_entropies'] then recsql.step_list_entropies(d) else '' end,
            case when d['has_lists_at_k'] then recsql.step_lists_at_k(d) else '' end,
            case when d['has_item_categories'] then recsql.step_item_categories(d) else '' end,
            case when d['has_category_counts'] then recsql.step_category_counts(d) else '' end,
            case when d['has_category_entropies'] then recsql.step_category_entropies(d) else '' end,
            case when d['has_categories_at_k'] then recsql.step_categories_at_k(d) else '' end,
            case when d['has_train_counts'] then recsql.step_train_counts(d) else '' end,
            case when d['has_train_totals'] then recsql.step_train_totals(d) else '' end,
            case when d['has_item_popularities'] then recsql.step_item_popularities(d) else '' end,
            case when d['has_list_popularities'] then recsql.step_list_popularities(d) else '' end,
            case when d['has_popularities_at_k'] then recsql.step_popularities_at_k(d) else '' end,
            recsql.step_run_at_k(d),
            recsql.step_per_run(d),
            recsql.step_asked(d),
            recsql.step_summary__item_metrics(d),
            case when d['has_unbroken'] then recsql.step_unbroken(d) else '' end,
            case when d['has_unproven'] then recsql.step_unproven(d) else '' end,
            case when d['has_rank_bands'] then recsql.step_rank_bands(d) else '' end,
            case when d['has_doubtful_recs'] then recsql.step_doubtful_recs(d) else '' end,
            case when d['has_repeated_ranks'] then recsql.step_repeated_ranks(d) else '' end,
            recsql.step_problems__item_metrics(d),
            concat($$

select s.model, s.metric, $$, case when d['uncut'] then 'cast(nullif(s.k, 1000000000000000000) as integer) as k' else 's.k' end, $$, s.value, s.users
from summary as s
where (select count(error(p.message)) from problems as p) = 0
order by s.model asc nulls first, s.place asc, s.k asc$$)
        )
    end
});

comment on macro recsql.item_metrics_calls is 'the queries that item_metrics joins, each with its call';

-- the queries that rating_metrics joins, each with its call
create or replace macro recsql.rating_metrics_calls(
    predictions, metrics := null, "like" := null, missing := 'skip', ratings := null, mean := 'micro'
) as
flatten(
    [{
        'source_predictions': recsql.content(recsql.relation(predictions)),
        'name_predictions': recsql.content(predictions),
        'source_ratings': recsql.content(recsql.relation(ratings)),
        'name_ratings': recsql.content(ratings),
        'like': lower(cast("like" as varchar)),
        'names': recsql.metric_names(),
        'known': ['explained_variance', 'mae', 'mse', 'r2', 'rmse'],
        'given': {
            'missing': lower(cast(missing as varchar)),
            'ratings': case when ratings is not null then 'table' end,
            'mean': lower(cast(mean as varchar))
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
            'like': d['like']
        },
        usual_apart := {
            'like': d['like']
        }
    ))
    .list_transform(lambda d: struct_insert(d, available := list_filter(['explained_variance', 'mae', 'mse', 'r2', 'rmse'], lambda m: m is not null)))
    .list_transform(lambda d: struct_insert(d, asked := recsql.asked(metrics, ['explained_variance', 'mae', 'mse', 'r2', 'rmse'], d['available'], d['like'], d['names'])))
    .list_transform(lambda d: struct_insert(
        d,
        fault := coalesce(
            recsql.fault([['missing', coalesce(d['given']['missing'], 'skip')], ['mean', coalesce(d['given']['mean'], 'micro')], ['like', coalesce(d['like'], 'cornac')]], []),
            case when predictions is null then 'predictions: NULL is not a table; give the name of a table or a file' end,
            recsql.unknown_metric(d['asked'], d['known']),
            case when len(d['asked']) = 0 then 'metrics: the list is empty; name a metric, pass ''all'', or leave metrics out for the default ones' end
        ),
        metrics := recsql.grouped(d['asked'], cast([] as bigint[])),
        apart := cast([] as varchar[])
    ))
    .list_transform(lambda d: list_transform(
        list_filter(
            case when list_contains(d['apart'], d['metrics'][1]['metric']) then [true, false] else [false, true] end,
            lambda a: len(d['metrics']) = 0 and not a or len(list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = a)) > 0
        ),
        lambda a: struct_insert(
            d,
            is_apart := a,
            several := len(list_distinct(list_transform(d['metrics'], lambda m: list_contains(d['apart'], m['metric'])))) > 1
        )
    ))
)
.list_transform(lambda d: struct_insert(
    d,
    missing := coalesce(d['given']['missing'], 'skip'),
    ratings := d['given']['ratings'],
    mean := coalesce(d['given']['mean'], 'micro'),
    prefers_score := false
))
.list_transform(lambda d: struct_insert(
    d,
    of_pipeline := list_transform(
        list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = d['is_apart']),
        lambda m: struct_insert(
            m,
            name := m['metric'],
            shown := true,
            of_apart := list_contains(recsql.apart(d['like']), m['metric']),
            made_of := recsql.made_of(d['metrics'], m)
        )
    )
))
.list_transform(lambda d: struct_insert(d, wanted := d['of_pipeline']))
.list_transform(lambda d: struct_insert(
    d,
    described := list_transform(d['wanted'], lambda m: struct_insert(
        m,
        differing := [
            {'name': 'mean', 'value': nullif(d['given']['mean'], 'micro'), 'metrics': null}
        ]
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    said := list_transform(
        d['described'],
        lambda m: struct_insert(m, name_with_options := recsql.label(m['metric'], d['like'], m['differing']))
    )
))
.list_transform(lambda d: struct_insert(
    d,
    measures := list_transform(
        d['said'],
        lambda m: struct_insert(m, label := '''' || recsql.content(m['name_with_options']) || '''')
    )
))
.list_transform(lambda d: struct_insert(
    d,
    fault_of_whole := cast(null as varchar),
    columns := list_transform(d['measures'], lambda c, i: struct_insert(c, at := c['ks'], place := i, ks_text := ''))
))
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], d['fault_of_whole']),
    'source_predictions': d['source_predictions'],
    'name_predictions': d['name_predictions'],
    'source_ratings': d['source_ratings'],
    'name_ratings': d['name_ratings'],
    'missing': d['missing'],
    'ratings': d['ratings'],
    'mean': d['mean'],
    'several': d['several'],
    'metrics': list_transform(d['metrics'], lambda m: {'metric': m['metric']}),
    'columns': list_transform(d['columns'], lambda c: {
        'metric': c['metric'],
        'name': c['name'],
        'label': c['label'],
        'shown': c['shown'],
        'place': c['place'],
        'ks_text': c['ks_text'],
        'made_of': c['made_of']
    }),
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
.list_transform(lambda d: struct_insert(
    d,
    needs_means := len(list_filter(d['columns'], lambda c: c['metric'] = 'explained_variance')) > 0 or len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('explained_variance', 'r2'), false))) > 0,
    needs_absolute_error := len(list_filter(d['columns'], lambda c: c['metric'] = 'mae')) > 0,
    needs_error_variance := len(list_filter(d['columns'], lambda c: c['metric'] = 'explained_variance')) > 0,
    needs_pairs := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('mae', 'mse', 'r2', 'rmse'), false))) > 0,
    needs_rating_variance := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('explained_variance', 'r2'), false))) > 0,
    needs_squared_error := len(list_filter(d['columns'], lambda c: coalesce(c['metric'] in ('mse', 'r2', 'rmse'), false))) > 0
))
.list_transform(lambda d: struct_insert(
    d,
    by_user := d['mean'] = 'users',
    ratings_apart := not d['ratings'] is null
))
.list_transform(lambda d: struct_insert(
    d,
    has_given_ratings := d['ratings_apart'],
    has_centres := d['needs_means']
))
.list_transform(lambda d: struct_insert(
    d,
    measured := list_transform(d['columns'], lambda c: struct_insert(c, natural := recsql.indented(recsql.indented(case when c['metric'] = 'explained_variance' then '1 - s.error_variance / nullif(s.rating_variance, 0e0)' when c['metric'] = 'mae' then 's.absolute_error / nullif(s.pairs, 0)' when c['metric'] = 'mse' then 's.squared_error / nullif(s.pairs, 0)' when c['metric'] = 'r2' then '1 - s.squared_error / nullif(s.pairs * s.rating_variance, 0e0)' when c['metric'] = 'rmse' then 'sqrt(s.squared_error / nullif(s.pairs, 0))' else '' end))))
))
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            $$with
$$,
            recsql.step_given_predictions(d),
            case when d['has_given_ratings'] then recsql.step_given_ratings(d) else '' end,
            recsql.step_pairs(d),
            case when d['has_centres'] then recsql.step_centres(d) else '' end,
            recsql.step_rating_errors(d),
            recsql.step_rating_metrics(d),
            recsql.step_rating_counts(d),
            recsql.step_rating_means(d),
            recsql.step_asked(d),
            recsql.step_rating_summary(d),
            recsql.step_problems__rating_metrics(d),
            $$

select s.model, s.metric, s.value, n.pairs, s.users, n.missing, n.unmatched_predictions, n.unmatched_ratings
from rating_summary as s
inner join rating_counts as n on n.model is not distinct from s.model
where (select count(error(p.message)) from problems as p) = 0
order by s.model asc nulls first, s.place asc$$
        )
    end
});

comment on macro recsql.rating_metrics_calls is 'the queries that rating_metrics joins, each with its call';

-- the queries that hits joins, each with its call
create or replace macro recsql.hits_calls(
    recs, truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, truth_window := null, judged_only := 'false', rank_by := null,
    duplicates := null, ties := null
) as
flatten(
    [{
        'source_recs': recsql.content(recsql.relation(recs)),
        'name_recs': recsql.content(recs),
        'source_truth': recsql.content(recsql.relation(truth)),
        'name_truth': recsql.content(truth),
        'ks': [recsql.cutoff(cast(k as varchar))],
        'like': lower(cast("like" as varchar)),
        'given': {
            'discount': lower(cast(discount as varchar)),
            'discount_p': recsql.number(discount_p),
            'gain': lower(cast(gain as varchar)),
            'gain_map': recsql.pairs(gain_map),
            'relevant': lower(cast(relevant as varchar)),
            'relevance_threshold': recsql.number(relevance_threshold),
            'truth_window': lower(cast(truth_window as varchar)),
            'judged_only': lower(cast(judged_only as varchar)),
            'rank_by': lower(cast(rank_by as varchar)),
            'duplicates': lower(cast(duplicates as varchar)),
            'ties': lower(cast(ties as varchar))
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
            'discount': case when d['like'] = 'lenskit' then 'jk2002' else 'log2p1' end,
            'gain': case when d['like'] in ('cornac', 'hivemall', 'jurity', 'lenskit', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'spark') then 'binary' when d['like'] = 'elliot' then 'exp2_shifted' else 'linear' end,
            'relevant': case when d['like'] in ('hivemall', 'lenskit', 'pyspark_udf', 'recbole', 'recommenders', 'rectools', 'replay', 'spark') then 'present' else 'positive' end,
            'relevance_threshold': case when d['like'] = 'cornac' then '1' when d['like'] = 'elliot' then '0' else null end,
            'truth_window': case when d['like'] = 'pyspark_udf' then 'k' else 'all' end,
            'rank_by': case when d['like'] in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval') then 'score' when d['like'] = 'rectools' then 'rank' else null end,
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' when d['like'] = 'replay' then 'set' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] = 'sklearn' then 'expected' else 'item_asc' end,
            'like': d['like']
        },
        usual_apart := {
            'truth_window': case when d['like'] = 'pyspark_udf' then 'rank' else 'all' end,
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'replay', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] in ('sklearn', 'torchmetrics') then 'expected' else 'item_asc' end,
            'like': d['like']
        }
    ))
    .list_transform(lambda d: struct_insert(
        d,
        fault := coalesce(
            recsql.fault([['discount', coalesce(d['given']['discount'], 'log2p1')], ['gain', coalesce(d['given']['gain'], 'linear')], ['relevant', coalesce(d['given']['relevant'], 'positive')], ['truth_window', coalesce(d['given']['truth_window'], 'all')], ['judged_only', coalesce(d['given']['judged_only'], 'false')], ['rank_by', coalesce(d['given']['rank_by'], 'rank')], ['duplicates', coalesce(d['given']['duplicates'], 'error')], ['ties', coalesce(d['given']['ties'], 'item_asc')], ['like', coalesce(d['like'], 'cornac')]], [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)]]),
            case when recs is null then 'recs: NULL is not a table; give the name of a table or a file' end,
            case when truth is null then 'truth: NULL is not a table; give the name of a table or a file' end,
            case when d['given']['discount_p'] is not null and d['given']['discount_p'] is distinct from '0.8e0' and coalesce(d['given']['discount'], d['usual']['discount']) not in ('geometric') then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out' end,
            case when d['given']['gain_map'] is not null and d['given']['gain_map'] is distinct from null and coalesce(d['given']['gain'], d['usual']['gain']) not in ('map') then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out' end
        )
    ))
    .list_transform(lambda d: [struct_insert(d, is_apart := false)])
)
.list_transform(lambda d: struct_insert(
    d,
    discount := coalesce(d['given']['discount'], d['usual']['discount']),
    discount_p := coalesce(d['given']['discount_p'], '0.8e0'),
    gain := coalesce(d['given']['gain'], d['usual']['gain']),
    gain_map := d['given']['gain_map'],
    relevant := coalesce(d['given']['relevant'], d['usual']['relevant']),
    relevance_threshold := coalesce(d['given']['relevance_threshold'], d['usual']['relevance_threshold']),
    truth_window := coalesce(d['given']['truth_window'], case when d['is_apart'] then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end),
    judged_only := coalesce(d['given']['judged_only'], 'false'),
    rank_by := case d['given']['rank_by'] when 'position' then 'rank' else d['given']['rank_by'] end,
    duplicates := coalesce(d['given']['duplicates'], case when d['is_apart'] then d['usual_apart']['duplicates'] else d['usual']['duplicates'] end),
    ties := coalesce(d['given']['ties'], case when d['is_apart'] then d['usual_apart']['ties'] else d['usual']['ties'] end),
    prefers_score := d['like'] in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval')
))
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], null),
    'source_recs': d['source_recs'],
    'name_recs': d['name_recs'],
    'source_truth': d['source_truth'],
    'name_truth': d['name_truth'],
    'discount': d['discount'],
    'discount_p': d['discount_p'],
    'gain': d['gain'],
    'gain_map': d['gain_map'],
    'relevant': d['relevant'],
    'relevance_threshold': d['relevance_threshold'],
    'truth_window': d['truth_window'],
    'judged_only': d['judged_only'],
    'rank_by': d['rank_by'],
    'duplicates': d['duplicates'],
    'ties': d['ties'],
    'all_ks': list_sort(list_distinct(d['ks']), 'ASC'),
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
.list_transform(lambda d: struct_insert(
    d,
    cutoffs := recsql.indented(recsql.cutoffs_text(d['all_ks'])),
    depth := d['all_ks'][-1],
    deepest := coalesce(list_max(list_filter(d['all_ks'], lambda x: x < 1000000000000000000)), 0),
    uncut := list_contains(d['all_ks'], 1000000000000000000)
))
.list_transform(lambda d: struct_insert(
    d,
    needs_whole_list := coalesce(d['duplicates'] in ('first', 'last'), false),
    needs_truth_rank := coalesce(d['truth_window'] in ('k', 'rank'), false)
))
.list_transform(lambda d: struct_insert(
    d,
    any_order := d['rank_by'] is distinct from 'score' and d['rank_by'] is distinct from 'rank',
    bounds := coalesce(d['ties'] in ('best', 'worst'), false),
    by_rank := d['rank_by'] is distinct from 'score',
    by_score := d['rank_by'] is distinct from 'rank',
    closed := coalesce(d['duplicates'] in ('first', 'last'), false),
    each_apart := d['needs_whole_list'] or coalesce(d['ties'] in ('expected', 'best', 'worst'), false),
    expected := d['ties'] = 'expected',
    folded := coalesce(d['duplicates'] in ('first', 'last', 'set'), false),
    gains_of_one := d['truth_window'] <> 'k' and d['gain'] = 'binary',
    in_order := d['truth_window'] = 'k',
    judged_alone := d['judged_only'] = 'true',
    unordered := coalesce(d['ties'] in ('expected', 'best', 'worst'), false)
))
.list_transform(lambda d: struct_insert(
    d,
    has_judged_recs := d['judged_alone'],
    has_scored := d['by_score'],
    has_placed := d['bounds'],
    has_tied_hits := d['expected'],
    has_list_ranks := d['by_rank'],
    has_unbroken := d['by_rank'],
    has_unproven := d['by_rank'],
    has_rank_bands := d['by_rank'],
    has_doubtful_recs := d['by_rank'],
    has_repeated_ranks := d['by_rank']
))
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            $$with
$$,
            recsql.step_given_recs(d),
            recsql.step_given_truth(d),
            recsql.step_cutoffs(d),
            recsql.step_judged(d),
            case when d['has_judged_recs'] then recsql.step_judged_recs(d) else '' end,
            recsql.step_fingerprints__hits(d),
            case when d['has_scored'] then recsql.step_scored__hits(d) else '' end,
            recsql.step_ranked__hits(d),
            recsql.step_recommended(d),
            recsql.step_suspects(d),
            recsql.step_repeaters(d),
            recsql.step_folded(d),
            recsql.step_relevant(d),
            recsql.step_possible_hits(d),
            recsql.step_found(d),
            case when d['has_placed'] then recsql.step_placed(d) else '' end,
            case when d['has_tied_hits'] then recsql.step_tied_hits(d) else '' end,
            recsql.step_hits(d),
            recsql.step_hits_in_force(d),
            case when d['has_list_ranks'] then recsql.step_list_ranks__hits(d) else '' end,
            case when d['has_unbroken'] then recsql.step_unbroken(d) else '' end,
            case when d['has_unproven'] then recsql.step_unproven(d) else '' end,
            case when d['has_rank_bands'] then recsql.step_rank_bands(d) else '' end,
            case when d['has_doubtful_recs'] then recsql.step_doubtful_recs(d) else '' end,
            case when d['has_repeated_ranks'] then recsql.step_repeated_ranks(d) else '' end,
            recsql.step_problems__hits(d),
            concat($$

select
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
        $$, case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(r.rank + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(r.rank)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(r.rank + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), r.rank - 1)') else '1e0' end, $$ as discount,
        sum(coalesce(h.gain, 0e0) * $$, case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(r.rank + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(r.rank)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(r.rank + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), r.rank - 1)') else '1e0' end, $$) over (partition by r.model, r.user_id order by r.rank asc) as dcg
    from recommended as r
    inner join cutoffs as c on c.k >= r.rank
    left join hits_in_force as h
        on h.model is not distinct from r.model and h.user_id = r.user_id and h.item_id = r.item_id and h.rank = r.rank
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
) as o
where (select count(error(p.message)) from problems as p) = 0$$)
        )
    end
});

comment on macro recsql.hits_calls is 'the queries that hits joins, each with its call';

-- the queries that ideal joins, each with its call
create or replace macro recsql.ideal_calls(
    truth, k := 10, "like" := null, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, ideal := null, truth_window := null
) as
flatten(
    [{
        'source_truth': recsql.content(recsql.relation(truth)),
        'name_truth': recsql.content(truth),
        'ks': [recsql.cutoff(cast(k as varchar))],
        'like': lower(cast("like" as varchar)),
        'given': {
            'discount': lower(cast(discount as varchar)),
            'discount_p': recsql.number(discount_p),
            'gain': lower(cast(gain as varchar)),
            'gain_map': recsql.pairs(gain_map),
            'relevant': lower(cast(relevant as varchar)),
            'relevance_threshold': recsql.number(relevance_threshold),
            'ideal': lower(cast(ideal as varchar)),
            'truth_window': lower(cast(truth_window as varchar))
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
            'discount': case when d['like'] = 'lenskit' then 'jk2002' else 'log2p1' end,
            'gain': case when d['like'] in ('cornac', 'hivemall', 'jurity', 'lenskit', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'spark') then 'binary' when d['like'] = 'elliot' then 'exp2_shifted' else 'linear' end,
            'relevant': case when d['like'] in ('hivemall', 'lenskit', 'pyspark_udf', 'recbole', 'recommenders', 'rectools', 'replay', 'spark') then 'present' else 'positive' end,
            'relevance_threshold': case when d['like'] = 'cornac' then '1' when d['like'] = 'elliot' then '0' else null end,
            'ideal': case when d['like'] in ('evidently', 'sklearn', 'torchmetrics') then 'candidates' when d['like'] = 'hivemall' then 'truth_returned' when d['like'] = 'jurity' then 'truth_uncut' when d['like'] = 'rectools' then 'constant' else 'truth' end,
            'truth_window': case when d['like'] = 'pyspark_udf' then 'k' else 'all' end,
            'like': d['like']
        },
        usual_apart := {
            'truth_window': case when d['like'] = 'pyspark_udf' then 'rank' else 'all' end,
            'like': d['like']
        }
    ))
    .list_transform(lambda d: struct_insert(
        d,
        fault := coalesce(
            recsql.fault([['discount', coalesce(d['given']['discount'], 'log2p1')], ['gain', coalesce(d['given']['gain'], 'linear')], ['relevant', coalesce(d['given']['relevant'], 'positive')], ['ideal', coalesce(d['given']['ideal'], 'truth')], ['truth_window', coalesce(d['given']['truth_window'], 'all')], ['like', coalesce(d['like'], 'cornac')]], [['discount_p', cast(discount_p as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)]]),
            case when truth is null then 'truth: NULL is not a table; give the name of a table or a file' end,
            case when d['given']['discount_p'] is not null and d['given']['discount_p'] is distinct from '0.8e0' and coalesce(d['given']['discount'], d['usual']['discount']) not in ('geometric') then 'discount_p: it applies only if discount = ''geometric''; set that as well, or leave discount_p out' end,
            case when d['given']['gain_map'] is not null and d['given']['gain_map'] is distinct from null and coalesce(d['given']['gain'], d['usual']['gain']) not in ('map') then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out' end
        )
    ))
    .list_transform(lambda d: [struct_insert(d, is_apart := false)])
)
.list_transform(lambda d: struct_insert(
    d,
    discount := coalesce(d['given']['discount'], d['usual']['discount']),
    discount_p := coalesce(d['given']['discount_p'], '0.8e0'),
    gain := coalesce(d['given']['gain'], d['usual']['gain']),
    gain_map := d['given']['gain_map'],
    relevant := coalesce(d['given']['relevant'], d['usual']['relevant']),
    relevance_threshold := coalesce(d['given']['relevance_threshold'], d['usual']['relevance_threshold']),
    ideal := coalesce(d['given']['ideal'], d['usual']['ideal']),
    truth_window := coalesce(d['given']['truth_window'], case when d['is_apart'] then d['usual_apart']['truth_window'] else d['usual']['truth_window'] end),
    prefers_score := false
))
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], null),
    'source_truth': d['source_truth'],
    'name_truth': d['name_truth'],
    'discount': d['discount'],
    'discount_p': d['discount_p'],
    'gain': d['gain'],
    'gain_map': d['gain_map'],
    'relevant': d['relevant'],
    'relevance_threshold': d['relevance_threshold'],
    'ideal': d['ideal'],
    'truth_window': d['truth_window'],
    'all_ks': list_sort(list_distinct(d['ks']), 'ASC'),
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
.list_transform(lambda d: struct_insert(
    d,
    cutoffs := recsql.indented(recsql.cutoffs_text(d['all_ks'])),
    depth := d['all_ks'][-1],
    deepest := coalesce(list_max(list_filter(d['all_ks'], lambda x: x < 1000000000000000000)), 0),
    uncut := list_contains(d['all_ks'], 1000000000000000000)
))
.list_transform(lambda d: struct_insert(
    d,
    needs_truth_rank := coalesce(d['truth_window'] in ('k', 'rank'), false)
))
.list_transform(lambda d: struct_insert(
    d,
    gains_of_one := d['truth_window'] <> 'k' and d['gain'] = 'binary',
    in_order := d['truth_window'] = 'k' or d['ideal'] = 'truth_as_given'
))
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            $$with
$$,
            recsql.step_given_truth__ideal(d),
            recsql.step_cutoffs(d),
            recsql.step_judged__ideal(d),
            recsql.step_fingerprints__ideal(d),
            recsql.step_suspects(d),
            recsql.step_repeaters(d),
            recsql.step_folded(d),
            recsql.step_relevant(d),
            recsql.step_problems__ideal(d),
            concat($$

select
    o.user_id,
    o.item_id,
    o.rank,
    o.relevance,
    o.gain,
    $$, case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(o.rank + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(o.rank)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(o.rank + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), o.rank - 1)') else '1e0' end, $$ as discount,
    sum(o.gain * $$, case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(o.rank + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(o.rank)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(o.rank + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), o.rank - 1)') else '1e0' end, $$) over (partition by o.user_id order by o.rank asc) as idcg
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
where (select count(error(p.message)) from problems as p) = 0$$)
        )
    end
});

comment on macro recsql.ideal_calls is 'the queries that ideal joins, each with its call';

-- the queries that leave_one_out joins, each with its call
create or replace macro recsql.leave_one_out_calls(
    interactions, "like" := null, order_by := 'timestamp', seed := 0, single := 'train'
) as
flatten(
    [{
        'source_interactions': recsql.content(recsql.relation(interactions)),
        'name_interactions': recsql.content(interactions),
        'like': lower(cast("like" as varchar)),
        'given': {
            'order_by': cast(order_by as varchar),
            'seed': recsql.number(seed),
            'single': lower(cast(single as varchar))
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
            'like': d['like']
        },
        usual_apart := {
            'like': d['like']
        }
    ))
    .list_transform(lambda d: struct_insert(
        d,
        fault := coalesce(
            recsql.fault([['single', coalesce(d['given']['single'], 'train')], ['like', coalesce(d['like'], 'cornac')]], [['seed', cast(seed as varchar)]]),
            case when interactions is null then 'interactions: NULL is not a table; give the name of a table or a file' end
        )
    ))
    .list_transform(lambda d: [struct_insert(d, is_apart := false)])
)
.list_transform(lambda d: struct_insert(
    d,
    order_by := coalesce(d['given']['order_by'], 'timestamp'),
    seed := coalesce(d['given']['seed'], '0'),
    single := coalesce(d['given']['single'], 'train'),
    prefers_score := false
))
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], null),
    'source_interactions': d['source_interactions'],
    'name_interactions': d['name_interactions'],
    'order_by': d['order_by'],
    'seed': d['seed'],
    'single': d['single'],
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
.list_transform(lambda d: struct_insert(
    d,
    drawn := d['order_by'] = 'hash'
))
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            $$with
$$,
            recsql.step_given_interactions(d),
            recsql.step_problems__leave_one_out(d),
            concat($$

select t.*, case
    when
        row_number() over (
            partition by t.user_id
            order by $$, case when d['drawn'] then concat($$md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast($$, d['seed'], ' as varchar))') else concat('t.', recsql.name(d['order_by'])) end, $$ desc, t.item_id desc
        ) = 1
        and $$, case when d['single'] = 'train' then 'count(*) over (partition by t.user_id) > 1' else 'true' end, $$
        then 'truth'
    else 'train'
end as part
from given_interactions as t
where (select count(error(p.message)) from problems as p) = 0$$)
        )
    end
});

comment on macro recsql.leave_one_out_calls is 'the queries that leave_one_out joins, each with its call';

-- the queries that rank_by_score joins, each with its call
create or replace macro recsql.rank_by_score_calls(
    scored, k := 100, "like" := null, judged_only := 'false', duplicates := null, ties := null
) as
flatten(
    [{
        'source_recs': recsql.content(recsql.relation(scored)),
        'name_recs': recsql.content(scored),
        'ks': [recsql.cutoff(cast(k as varchar))],
        'like': lower(cast("like" as varchar)),
        'given': {
            'judged_only': lower(cast(judged_only as varchar)),
            'duplicates': lower(cast(duplicates as varchar)),
            'ties': lower(cast(ties as varchar))
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' when d['like'] = 'replay' then 'set' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] = 'sklearn' then 'expected' else 'item_asc' end,
            'like': d['like']
        },
        usual_apart := {
            'duplicates': case when d['like'] in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'replay', 'spark') then 'count' when d['like'] in ('ir_measures', 'ranx') then 'last' when d['like'] = 'pyspark_udf' then 'hole' else 'error' end,
            'ties': case when d['like'] in ('ir_measures', 'replay', 'trec_eval') then 'item_desc' when d['like'] in ('sklearn', 'torchmetrics') then 'expected' else 'item_asc' end,
            'like': d['like']
        }
    ))
    .list_transform(lambda d: struct_insert(
        d,
        fault := coalesce(
            recsql.fault([['judged_only', coalesce(d['given']['judged_only'], 'false')], ['duplicates', coalesce(d['given']['duplicates'], 'error')], ['ties', coalesce(d['given']['ties'], 'item_asc')], ['like', coalesce(d['like'], 'cornac')]], []),
            case when scored is null then 'scored: NULL is not a table; give the name of a table or a file' end
        )
    ))
    .list_transform(lambda d: [struct_insert(d, is_apart := false)])
)
.list_transform(lambda d: struct_insert(
    d,
    judged_only := coalesce(d['given']['judged_only'], 'false'),
    duplicates := coalesce(d['given']['duplicates'], case when d['is_apart'] then d['usual_apart']['duplicates'] else d['usual']['duplicates'] end),
    ties := coalesce(d['given']['ties'], case when d['is_apart'] then d['usual_apart']['ties'] else d['usual']['ties'] end),
    prefers_score := false
))
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], null),
    'source_recs': d['source_recs'],
    'name_recs': d['name_recs'],
    'judged_only': d['judged_only'],
    'duplicates': d['duplicates'],
    'ties': d['ties'],
    'all_ks': list_sort(list_distinct(d['ks']), 'ASC'),
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
.list_transform(lambda d: struct_insert(
    d,
    cutoffs := recsql.indented(recsql.cutoffs_text(d['all_ks'])),
    depth := d['all_ks'][-1],
    deepest := coalesce(list_max(list_filter(d['all_ks'], lambda x: x < 1000000000000000000)), 0),
    uncut := list_contains(d['all_ks'], 1000000000000000000)
))
.list_transform(lambda d: struct_insert(
    d,
    needs_whole_list := coalesce(d['duplicates'] in ('first', 'last'), false)
))
.list_transform(lambda d: struct_insert(
    d,
    bounds := coalesce(d['ties'] in ('best', 'worst'), false),
    closed := coalesce(d['duplicates'] in ('first', 'last'), false),
    each_apart := d['needs_whole_list'] or coalesce(d['ties'] in ('expected', 'best', 'worst'), false),
    expected := d['ties'] = 'expected',
    folded := coalesce(d['duplicates'] in ('first', 'last', 'set'), false),
    unordered := coalesce(d['ties'] in ('expected', 'best', 'worst'), false)
))
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            $$with
$$,
            recsql.step_given_recs__rank_by_score(d),
            recsql.step_cutoffs(d),
            recsql.step_scored__rank_by_score(d),
            recsql.step_problems__rank_by_score(d),
            $$

select s.model, s.user_id, s.item_id, s.rank, s.score
from scored as s
inner join cutoffs as c on c.k >= s.rank
where (select count(error(p.message)) from problems as p) = 0$$
        )
    end
});

comment on macro recsql.rank_by_score_calls is 'the queries that rank_by_score joins, each with its call';

-- one row per row of recs, with recsql's column names
create or replace macro recsql.step_given_recs(d) as
concat($$-- one row per row of recs, with recsql's column names
given_recs as not materialized (
    select
        r.model,
        r.user_id,
        r.item_id,
        r.rank,
        r.score$$, case when d['any_order'] then concat($$,
        case when typeof(r.rank) = '"NULL"'$$, case when d['prefers_score'] then $$ or typeof(r.score) <> '"NULL"'$$ else '' end, $$ then 'score' else 'rank' end as rank_by$$) else '' end, $$
    from (
        from query_table('$$, d['source_recs'], $$')
        union all by name
        select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
        where false
    ) as r
)$$);

-- one row per row of truth, with recsql's column names
create or replace macro recsql.step_given_truth(d) as
concat($$,

-- one row per row of truth, with recsql's column names
given_truth as not materialized (
    select
        t.user_id,
        t.item_id,
        case when typeof(t.relevance) = '"NULL"' then 1e0 else try_cast(t.relevance as double) end as relevance,
        try_cast(t.rank as bigint) as rank
    from (
        from query_table('$$, d['source_truth'], $$')
        union all by name
        select null as user_id, null as item_id, null as relevance, null as rank
        where false
    ) as t
)$$);

-- one row per user in the table users
create or replace macro recsql.step_given_users(d) as
concat($$,

-- one row per user in the table users
given_users as not materialized (
    select distinct g.user_id
    from query_table('$$, d['source_users'], $$') as g
)$$);

-- one row per cut-off
create or replace macro recsql.step_cutoffs(d) as
concat($$,

-- one row per cut-off
cutoffs as (
    $$, d['cutoffs'], $$
)$$);

-- one row per user and item of the truth, with its highest relevance
create or replace macro recsql.step_judged(d) as
concat($$,

-- one row per user and item of the truth, with its highest relevance
judged as (
    select t.user_id, t.item_id, max(t.relevance) as relevance
    from given_truth as t
    where t.item_id is not null
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in $$, d['name_recs'], $$ and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in $$, d['name_truth'], $$; cast one of them to the other''s type' as message
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
)$$);

-- one row per row of recs whose item is judged, with its rank among these
create or replace macro recsql.step_judged_recs(d) as
concat($$,

-- one row per row of recs whose item is judged, with its rank among these
judged_recs as not materialized (
    select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.score$$, case when d['any_order'] then ', o.rank_by' else '' end, $$
    from (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
    $$, case when d['any_order'] then $$        r.rank_by,
    $$ else '' end, $$        j.item_id is not null as is_judged,
            -- rows with the same rank do not come before this one
            count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id order by r.rank asc)
            - count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id, r.rank) as dropped
        from given_recs as r
        left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    ) as o
    where o.is_judged
)$$);

-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
create or replace macro recsql.step_fingerprints(d) as
concat($$,

-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
fingerprints as (
    select
        t.user_id,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
    $$, case when d['ideals'] then $$    sum(hash(xor(hash(t.relevance), hash(now())))) as profile,
    $$ else '' end, $$    count(*) as stated
    from (
        select t.user_id, t.item_id$$, case when d['ideals'] then ', t.relevance' else '' end, $$
        from given_truth as t
        where $$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 't.relevance > 0' else concat('t.relevance >= ', d['relevance_threshold']) end, $$
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in $$, d['name_recs'], $$ and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in $$, d['name_truth'], $$; cast one of them to the other''s type' as message
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
        select r.user_id, r.item_id$$, case when d['ideals'] then ', null as relevance' else '' end, $$
        from given_recs as r
        where false
    ) as t
    group by t.user_id
)$$);

-- one row per possibly relevant recommended item, with its score
create or replace macro recsql.step_likely_hits(d) as
$$,

-- one row per possibly relevant recommended item, with its score
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
)$$;

-- one row per list with a possibly relevant item: the lowest score of such items; items below it need no rank
create or replace macro recsql.step_floors(d) as
concat($$,

-- one row per list with a possibly relevant item: the lowest score of such items; items below it need no rank
floors as (
    select
        r.model,
        r.user_id,
    $$, case when d['ranks_counted'] then $$    count(*) <= 3 and bit_count(bit_or(cast(1 as ubigint) << (hash(r.item_id) & 63))) = count(*) as few,
    $$ else '' end, $$    min(r.score) as score
    from likely_hits as r
    group by r.model, r.user_id
)$$);

-- one row per possibly relevant item of a list with few of them: its rank, which is the number of items that are no worse
create or replace macro recsql.step_counted(d) as
concat($$,

-- one row per possibly relevant item of a list with few of them: its rank, which is the number of items that are no worse
counted as (
    select l.model, l.user_id, l.item_id, count(*) as rank
    from likely_hits as l
    inner join floors as f on f.model is not distinct from l.model and f.user_id = l.user_id
    inner join given_recs as r on r.model is not distinct from l.model and r.user_id = l.user_id
    where f.few and (r.score > l.score or (r.score = l.score and $$, case when d['ties'] = 'item_desc' then 'r.item_id >= l.item_id' else 'r.item_id <= l.item_id' end, $$))
    group by l.model, l.user_id, l.item_id
)$$);

-- one row per row of recs that needs a rank: its score reaches the floor of its list
create or replace macro recsql.step_contenders(d) as
concat($$,

-- one row per row of recs that needs a rank: its score reaches the floor of its list
contenders as not materialized (
    select r.*
    from $$, case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end, $$ as r
    inner join floors as f on f.model is not distinct from r.model and f.user_id = r.user_id and r.score >= f.score$$, case when d['ranks_counted'] then ' and not f.few' else '' end, $$
)$$);

-- one row per scored item, ranked by its score
create or replace macro recsql.step_scored(d) as
concat($$,

-- one row per scored item, ranked by its score
scored as not materialized (
    $$, case when not d['unordered'] then concat($$select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, $$, case when d['ties'] = 'item_desc' then 'r.item_id desc' else case when d['ties'] = 'input' then 'r.rank asc, r.item_id asc' else 'r.item_id asc' end end, $$
        ) as rank
    from $$, case when d['ranks_of_hits'] then 'contenders' else case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end end, ' as r', case when d['any_order'] then $$
    where r.rank_by = 'score'$$ else '' end) else concat($$select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
        rank() over (partition by r.model, r.user_id order by r.score desc) as rank
    from (
    $$, case when d['closed'] then concat('    select r.model, r.user_id, r.item_id, ', case when d['duplicates'] = 'last' then 'min' else 'max' end, $$(r.score) as score
        from $$, case when d['ranks_of_hits'] then 'contenders' else case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end end, ' as r', case when d['any_order'] then $$
        where r.rank_by = 'score'$$ else '' end, $$
        group by r.model, r.user_id, r.item_id$$) else concat($$    select r.model, r.user_id, r.item_id, r.score
        from $$, case when d['ranks_of_hits'] then 'contenders' else case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end end, ' as r', case when d['any_order'] then $$
        where r.rank_by = 'score'$$ else '' end) end, $$
    ) as r$$) end, $$
)$$);

-- one row per row of recs, with its rank
create or replace macro recsql.step_ranked(d) as
concat($$,

-- one row per row of recs, with its rank
ranked as not materialized (
    $$, case when not d['closed'] then concat(case when d['by_rank'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.rank as last' else '' end, $$
    from $$, case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end, ' as r', case when d['any_order'] then $$
    where r.rank_by = 'rank'$$ else '' end, case when d['by_score'] then $$
    union all
    $$ else '' end) else '' end, case when d['by_score'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.last' else '' end, $$
    from scored as r$$) else '' end, case when d['ranks_counted'] then $$
    union all
    select c.model, c.user_id, c.item_id, c.rank
    from counted as c$$ else '' end) else concat('select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank', case when d['unordered'] then ', o.last - o.dropped as last' else '' end, $$
    from (
        select
            c.model,
            c.user_id,
            c.item_id,
            c.rank,
    $$, case when d['unordered'] then $$        c.last,
    $$ else '' end, $$        c.copy,
            -- rows with the same rank do not come before this one
            count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
            - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
    $$, case when d['unordered'] then $$            r.last,
    $$ else '' end, $$            row_number() over (
                    partition by r.model, r.user_id, r.item_id
                    order by $$, case when d['duplicates'] = 'last' then '-try_cast(r.rank as bigint)' else 'r.rank' end, $$ asc
                ) as copy
            from (
                $$, case when d['by_rank'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.rank as last' else '' end, $$
                from $$, case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end, ' as r', case when d['any_order'] then $$
                where r.rank_by = 'rank'$$ else '' end, case when d['by_score'] then $$
                union all
                $$ else '' end) else '' end, case when d['by_score'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.last' else '' end, $$
                from scored as r$$) else '' end, case when d['ranks_counted'] then $$
                union all
                select c.model, c.user_id, c.item_id, c.rank
                from counted as c$$ else '' end, $$
            ) as r
        ) as c
    ) as o
    where o.copy = 1$$) end, $$
)$$);

-- one row per recommended item, up to the largest cut-off
create or replace macro recsql.step_recommended(d) as
concat($$,

-- one row per recommended item, up to the largest cut-off
recommended as not materialized (
    select r.model, r.user_id, r.item_id, r.rank$$, case when d['unordered'] then ', r.last' else '' end, $$
    from ranked as r$$, case when not d['needs_whole_list'] then concat($$
    where r.rank <= $$, d['depth']) else '' end, $$
)$$);

-- one row per user who may have repeated items in the truth: the user has fewer bits than rows
create or replace macro recsql.step_suspects(d) as
$$,

-- one row per user who may have repeated items in the truth: the user has fewer bits than rows
suspects as (
    select f.user_id
    from fingerprints as f
    where greatest(bit_count(f.bits), bit_count(f.other_bits)) < f.stated
)$$;

-- one row per suspect with a repeated item in the truth
create or replace macro recsql.step_repeaters(d) as
concat($$,

-- one row per suspect with a repeated item in the truth
repeaters as (
    select t.user_id, true as repeats
    from given_truth as t
    inner join suspects as s on s.user_id = t.user_id
    where $$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 't.relevance > 0' else concat('t.relevance >= ', d['relevance_threshold']) end, $$
    group by t.user_id
    having list_unique(list(t.item_id)) < count(*)
)$$);

-- one row per repeater and relevant item, with its highest relevance
create or replace macro recsql.step_folded(d) as
concat($$,

-- one row per repeater and relevant item, with its highest relevance
folded as (
    select
        t.user_id,
        t.item_id,
    $$, case when d['needs_truth_rank'] then $$    min(t.rank) as rank,
    $$ else '' end, $$    max(t.relevance) as relevance
    from given_truth as t
    inner join repeaters as p on p.user_id = t.user_id
    where $$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 't.relevance > 0' else concat('t.relevance >= ', d['relevance_threshold']) end, $$
    group by t.user_id, t.item_id
)$$);

-- one row per user and relevant item; repeated items count once, with their highest relevance
create or replace macro recsql.step_relevant(d) as
concat($$,

-- one row per user and relevant item; repeated items count once, with their highest relevance
relevant as not materialized (
    select t.user_id, t.item_id$$, case when d['needs_truth_rank'] then ', t.rank as truth_rank' else '' end, ', ', case when d['gain'] = 'binary' then '1e0' when d['gain'] = 'exp2' then '(power(2e0, t.relevance) - 1)' when d['gain'] = 'exp2_shifted' then concat('(power(2e0, t.relevance - coalesce(', case when d['relevance_threshold'] is null then 'null' else concat(d['relevance_threshold']) end, ', 0) + 1) - 1)') when d['gain'] = 'map' then concat('coalesce(', recsql.looked_up(d['gain_map'], 't.relevance'), $$, error(
            'gain_map: no gain for relevance '
            || coalesce(cast(t.relevance as varchar), 'NULL')
            || ' of user '
            || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
            || ', item '
            || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
            || '; add one'
        ))$$) else 't.relevance' end, $$ as gain
    from (
        select t.user_id, t.item_id, t.relevance$$, case when d['needs_truth_rank'] then ', t.rank' else '' end, $$
        from given_truth as t
        left join repeaters as p on p.user_id = t.user_id
        where
            not coalesce(p.repeats, false)
            and $$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 't.relevance > 0' else concat('t.relevance >= ', d['relevance_threshold']) end, $$
        union all
        select t.user_id, t.item_id, t.relevance$$, case when d['needs_truth_rank'] then ', t.rank' else '' end, $$
        from folded as t
    ) as t
)$$);

-- one row per user with relevant items, with their number
create or replace macro recsql.step_users(d) as
concat($$,

-- one row per user with relevant items: their number, and the profile of their gains; equal gains have equal profiles
users as (
    select f.user_id, $$, case when d['ideals'] then 'f.profile, ' else '' end, $$f.stated as relevant
    from fingerprints as f
    left join repeaters as p on p.user_id = f.user_id
    where not coalesce(p.repeats, false)
    union all
    select t.user_id, $$, case when d['ideals'] then 'sum(hash(xor(hash(t.relevance), hash(now())))) as profile, ' else '' end, $$count(*) as relevant
    from folded as t
    group by t.user_id
)$$);

-- one row per user with relevant items: the gains of the items, with their ranks in the ordered truth
create or replace macro recsql.step_entries(d) as
$$,

-- one row per user with relevant items: the gains of the items, with their ranks in the ordered truth
entries as (
    select t.user_id, list({'rank': t.truth_rank, 'gain': t.gain} order by t.gain desc, t.truth_rank asc) as entries
    from relevant as t
    group by t.user_id
)$$;

-- one row per profile: one user who represents all users with this profile
create or replace macro recsql.step_examples(d) as
$$,

-- one row per profile: one user who represents all users with this profile
examples as (
    select u.profile, u.relevant, min(u.user_id) as user_id
    from users as u
    group by u.profile, u.relevant
)$$;

-- one row per user with relevant items: their gains, highest first
create or replace macro recsql.step_ideals(d) as
$$,

-- one row per profile: the gains of the relevant items, highest first
ideals as (
    select
        e.profile,
        e.relevant,
        list(t.gain order by t.gain desc) as gains
    from relevant as t
    inner join examples as e on e.user_id = t.user_id
    group by e.profile, e.relevant
)$$;

-- one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST
create or replace macro recsql.step_possible_hits(d) as
concat($$,

-- one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST
possible_hits as not materialized (
    select r.model, r.user_id, r.item_id, r.rank$$, case when d['unordered'] then ', r.last' else '' end, $$
    from (
        select r.model, r.user_id, r.item_id, r.rank$$, case when d['unordered'] then ', r.last' else '' end, $$
        from recommended as r
        union all
        select null as model, t.user_id, t.item_id, null as rank$$, case when d['unordered'] then ', null as last' else '' end, $$
        from given_truth as t
        where false
    ) as r
    inner join fingerprints as f
        on
            f.user_id = r.user_id
            and (f.bits >> (hash(r.item_id) & 63)) & 1 = 1
            and (f.other_bits >> (hash(r.item_id) >> 58)) & 1 = 1
)$$);

-- one row per list and relevant item in the list, at its best rank
create or replace macro recsql.step_found(d) as
concat($$,

-- one row per list and relevant item in the list, at its best rank
found as (
    select
        r.model,
        r.user_id,
        r.item_id,
        min(r.rank) as rank,
    $$, case when d['unordered'] then $$    min(r.last) as last,
    $$ else '' end, $$    min_by(t.gain, r.rank) as gain,
    $$, case when d['needs_truth_rank'] then $$    max(t.truth_rank) as truth_rank,
    $$ else '' end, $$    count(*) as copies
    from possible_hits as r
    inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id, r.item_id$$, case when d['duplicates'] = 'count' then ', r.rank' else '' end, $$
)$$);

-- one row per list and relevant item in the list; a tied item has its best or worst possible rank
create or replace macro recsql.step_placed(d) as
concat($$,

-- one row per list and relevant item in the list; a tied item has its best or worst possible rank
placed as (
    select
        o.model,
        o.user_id,
        o.item_id,
        $$, case when d['ties'] = 'worst' then 'o.last + 1 - o.place' else 'o.rank - 1 + o.place' end, $$ as rank,
        o.gain,
        o.copies$$, case when d['needs_truth_rank'] then ', o.truth_rank' else '' end, $$
    from (
        select
            f.model,
            f.user_id,
            f.item_id,
            f.rank,
            f.last,
            f.gain,
            f.copies,
    $$, case when d['needs_truth_rank'] then $$        f.truth_rank,
    $$ else '' end, $$        row_number() over (partition by f.model, f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
        from found as f
    ) as o
)$$);

-- one row per hit and rank that it has in some order of the tied items: the probability, and the expected values at that rank
create or replace macro recsql.step_tied_hits(d) as
concat($$,

-- one row per hit and rank that it has in some order of the tied items: the probability, and the expected values at that rank
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
        inner join (select unnest(range(1, $$, case when d['needs_whole_list'] or d['uncut'] then '(select cast(max(f.last) as bigint) from found as f)' else concat(d['depth']) end, $$ + 1)) as i) as i on i.i between b.rank and b.last
    ) as o
)$$);

-- one row per hit, numbered in list order
create or replace macro recsql.step_hits(d) as
concat($$,

-- one row per hit, numbered in list order
hits as (
    $$, case when d['expected'] then $$select
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
    from tied_hits as t$$ else concat($$select
        f.model,
        f.user_id,
        f.item_id,
        try_cast(f.rank as bigint) as rank,
    $$, case when d['needs_truth_rank'] then $$    f.truth_rank,
    $$ else '' end, $$    f.gain,
        f.copies,
        row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
    from $$, case when d['bounds'] then 'placed' else 'found' end, ' as f', case when d['truth_window'] = 'rank' then $$
    where f.truth_rank <= f.rank$$ else '' end) end, $$
)$$);

-- one row per hit and cut-off at which it counts
create or replace macro recsql.step_hits_in_force(d) as
concat($$,

-- one row per hit and cut-off at which it counts
hits_in_force as (
    $$, case when d['truth_window'] = 'k' then concat($$select
        h.model,
        h.user_id,
        h.item_id,
        c.k,
        h.rank,
        h.gain,
        row_number() over (partition by h.model, h.user_id, c.k order by h.rank asc, h.nth asc) as nth$$, case when d['expected'] then ', h.probability, h.leads' else '' end, $$
    from hits as h
    inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank)$$) else concat('select h.model, h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth', case when d['expected'] then ', h.probability, h.leads' else '' end, $$
    from hits as h
    inner join cutoffs as c on c.k >= h.rank$$) end, $$
)$$);

-- one row per hit and cut-off at which it counts, with the probability that a reader who stops at items gets there
create or replace macro recsql.step_readings(d) as
concat($$,

-- one row per hit and cut-off at which it counts, with the probability that a reader who stops at items gets there
readings as (
    select
        h.model,
        h.user_id,
        h.item_id,
        h.k,
        h.rank,
        h.gain,
        h.nth,
        coalesce(product(1 - $$, case when coalesce(d['gain'] in ('exp2', 'exp2_shifted'), false) then concat('(greatest(h.gain, 0e0) / power(2e0, ', d['err_max_grade'], '))') else concat('((power(2e0, greatest(h.gain, 0e0)) - 1) / power(2e0, ', d['err_max_grade'], '))') end, $$) over (
            partition by h.model, h.user_id, h.k
            order by h.nth asc
            rows between unbounded preceding and 1 preceding
        ), 1e0) as reached
    from hits_in_force as h
)$$);

-- one row per rank: the sum 1/1 + 1/2 + ... + 1/rank
create or replace macro recsql.step_harmonics(d) as
concat($$,

-- one row per rank: the sum 1/1 + 1/2 + ... + 1/rank
harmonics as (
    select i.i as rank, sum(coalesce(1e0 / nullif(i.i, 0), 0e0)) over (order by i.i asc) as harmonic
    from (select unnest(range(0, $$, d['deepest'], $$ + 1)) as i) as i
)$$);

-- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
create or replace macro recsql.step_hits_at_k(d) as
concat($$,

-- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
hits_at_k as (
    select
        h.model,
        h.user_id,
        h.k$$, case when d['needs_any_hit'] then concat($$,
        $$, case when d['expected'] then 'sum(try_cast(1e18 * h.leads as hugeint)) / 1e18' else '1e0' end, ' as any_hit') else '' end, case when d['needs_cg'] then concat($$,
        $$, case when d['expected'] then 'sum(try_cast(1e18 * (h.gain * h.probability) as hugeint)) / 1e18' else 'sum(try_cast(1e18 * h.gain as hugeint)) / 1e18' end, ' as cg') else '' end, case when d['needs_dcg'] then concat($$,
        sum(try_cast(1e18 * (h.gain * $$, case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(h.rank + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(h.rank)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(h.rank + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), h.rank - 1)') else '1e0' end, case when d['expected'] then ' * h.probability' else '' end, ') as hugeint)) / 1e18 as dcg') else '' end, case when d['needs_distinct_hits'] then concat($$,
        $$, case when d['expected'] then 'sum(try_cast(1e18 * h.probability as hugeint)) / 1e18' when d['duplicates'] = 'count' then 'list_unique(list(h.item_id))' else 'count(*)' end, ' as distinct_hits') else '' end, case when d['needs_expected_stop'] then concat($$,
        sum(try_cast(1e18 * (h.reached * $$, case when coalesce(d['gain'] in ('exp2', 'exp2_shifted'), false) then concat('(greatest(h.gain, 0e0) / power(2e0, ', d['err_max_grade'], '))') else concat('((power(2e0, greatest(h.gain, 0e0)) - 1) / power(2e0, ', d['err_max_grade'], '))') end, ' / nullif(h.rank, 0)) as hugeint)) / 1e18 as expected_stop') else '' end, case when d['needs_hits'] then concat($$,
        $$, case when d['expected'] then 'sum(try_cast(1e18 * h.probability as hugeint)) / 1e18' else 'count(*)' end, ' as hits') else '' end, case when d['needs_hits_to_r'] then concat($$,
        $$, case when d['expected'] then 'sum(try_cast(1e18 * (case when h.rank <= v.relevant then h.probability else 0e0 end) as hugeint)) / 1e18' else 'count(case when h.rank <= v.relevant then 1 end)' end, ' as hits_to_r') else '' end, case when d['needs_persistent_gain'] then concat($$,
        sum(try_cast(1e18 * (h.gain * power(cast($$, d['rbp_p'], ' as double), h.rank - 1)', case when d['expected'] then ' * h.probability' else '' end, ') as hugeint)) / 1e18 as persistent_gain') else '' end, case when d['needs_precision_sum'] then concat($$,
        sum(try_cast(1e18 * (h.nth / nullif(cast(h.rank as double), 0)$$, case when d['expected'] then ' * h.probability' else '' end, ') as hugeint)) / 1e18 as precision_sum') else '' end, case when d['needs_precision_total'] then concat($$,
        sum(try_cast(1e18 * ($$, case when d['expected'] then '(upto.harmonic - before.harmonic) * h.probability' else 'upto.harmonic - before.harmonic' end, ') as hugeint)) / 1e18 as precision_total') else '' end, case when d['needs_reciprocal_rank'] then concat($$,
        $$, case when d['expected'] then 'sum(try_cast(1e18 * (h.leads / nullif(h.rank, 0)) as hugeint)) / 1e18' else '1e0 / nullif(min(h.rank), 0)' end, ' as reciprocal_rank') else '' end, $$
    from $$, case when d['needs_readings'] then 'readings' else 'hits_in_force' end, $$ as h
    $$, case when d['needs_hits_to_r'] and d['needs_hits_to_r'] then $$inner join users as v on v.user_id = h.user_id
    $$ else '' end, case when d['needs_precision_total'] and d['needs_harmonics'] then $$left join harmonics as upto on upto.rank = h.k
    left join harmonics as before on before.rank = h.rank - 1
    $$ else '' end, $$group by h.model, h.user_id, h.k
)$$);

-- one row per list and item in the list that is judged not relevant, at its best rank
create or replace macro recsql.step_rejected(d) as
concat($$,

-- one row per list and item in the list that is judged not relevant, at its best rank
rejected as (
    select r.model, r.user_id, r.item_id, min($$, case when d['ties'] = 'best' then 'r.last' else 'r.rank' end, $$) as rank
    from recommended as r
    inner join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    where not ($$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 'j.relevance > 0' else concat('j.relevance >= ', d['relevance_threshold']) end, $$)
    group by r.model, r.user_id, r.item_id
)$$);

-- one row per user: the number of items that are judged not relevant
create or replace macro recsql.step_rejections(d) as
concat($$,

-- one row per user: the number of items that are judged not relevant
rejections as (
    select j.user_id, count(*) as items
    from judged as j
    where not ($$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 'j.relevance > 0' else concat('j.relevance >= ', d['relevance_threshold']) end, $$)
    group by j.user_id
)$$);

-- one row per hit: the number of items above it that are judged not relevant
create or replace macro recsql.step_preferences(d) as
$$,

-- one row per hit: the number of items above it that are judged not relevant
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
)$$;

-- one row per model, user with a hit and cut-off: the statistics of the hits in the whole list
create or replace macro recsql.step_hits_of_list(d) as
concat($$,

-- one row per model, user with a hit and cut-off: the statistics of the hits in the whole list
hits_of_list as (
    select
        h.model,
        h.user_id,
        c.k$$, case when d['needs_candidate_gains'] then concat($$,
        $$, case when d['expected'] then 'list(h.gain order by h.gain desc) filter (where h.place = 1)' else 'list(h.gain order by h.gain desc)' end, ' as candidate_gains') else '' end, case when d['needs_hits_anywhere'] then $$,
        count(*) as hits_anywhere$$ else '' end, case when d['needs_hits_to_r_anywhere'] then concat($$,
        $$, case when d['expected'] then 'sum(try_cast(1e18 * (case when h.rank <= v.relevant then h.probability else 0e0 end) as hugeint)) / 1e18' else 'count(case when h.rank <= v.relevant then 1 end)' end, ' as hits_to_r_anywhere') else '' end, case when d['needs_preceded'] then $$,
        cast(sum(least(b.above, r.relevant)) as bigint) as preceded$$ else '' end, case when d['needs_reciprocal_rank_anywhere'] then concat($$,
        $$, case when d['expected'] then 'sum(try_cast(1e18 * (h.leads / nullif(h.rank, 0)) as hugeint)) / 1e18' else '1e0 / nullif(min(h.rank), 0)' end, ' as reciprocal_rank_anywhere') else '' end, $$
    from hits as h
    cross join cutoffs as c
    $$, case when d['needs_hits_to_r_anywhere'] and d['needs_hits_to_r_anywhere'] then $$inner join users as v on v.user_id = h.user_id
    $$ else '' end, case when d['needs_preceded'] and d['needs_preferences'] then $$inner join preferences as b on b.model is not distinct from h.model and b.user_id = h.user_id and b.nth = h.nth
    inner join users as r on r.user_id = h.user_id
    $$ else '' end, case when d['truth_window'] = 'k' then $$where h.truth_rank <= c.k
    $$ else '' end, $$group by h.model, h.user_id, c.k
)$$);

-- one row per list, cut-off that separates tied items, and possible number of hits: its weight, and the sum of precisions
create or replace macro recsql.step_splits(d) as
concat($$,

-- one row per list, cut-off that separates tied items, and possible number of hits: its weight, and the sum of precisions
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
    $$, case when d['ties'] = 'best' then '        x.i + (b.before - b.first + 1) * (best.harmonic - before.harmonic) as precisions,' when d['ties'] = 'worst' then '        x.i + (b.before - b.k + x.i) * (upto.harmonic - worst.harmonic) as precisions,' else $$        x.i / cast(b.above as double) * (
                (b.before + 1 - b.first * (x.i - 1) / greatest(b.above - 1e0, 1e0)) * (upto.harmonic - before.harmonic)
                + (x.i - 1) * b.above / greatest(b.above - 1e0, 1e0)
            ) as precisions,$$ end, $$
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
        inner join (select unnest(range(0, $$, d['deepest'], $$ + 1)) as i) as x on x.i between b.together + b.above - b.items and least(b.together, b.above)
        inner join harmonics as before on before.rank = b.first - 1
        inner join harmonics as upto on upto.rank = b.k
        inner join harmonics as best on best.rank = b.first - 1 + x.i
        inner join harmonics as worst on worst.rank = b.k - x.i
    ) as w
)$$);

-- one row per model, user and cut-off that separates tied items: the statistics of the splits
create or replace macro recsql.step_splits_at_k(d) as
concat($$,

-- one row per model, user and cut-off that separates tied items: the statistics of the splits
splits_at_k as (
    select
        y.model,
        y.user_id,
        y.k,
        $$, case when d['ties'] = 'best' then 'max(coalesce(y.precision, 0e0))' when d['ties'] = 'worst' then 'min(coalesce(y.precision, 0e0))' else '(sum(try_cast(1e18 * (y.weight * coalesce(y.precision, 0e0)) as hugeint)) / 1e18) / (sum(try_cast(1e18 * y.weight as hugeint)) / 1e18)' end, $$ as split_precision
    from (
        select
            x.model,
            x.user_id,
            x.k,
            x.weight,
            (coalesce(sum(try_cast(1e18 * (h.nth / cast(h.rank as double)$$, case when d['expected'] then ' * h.probability' else '' end, $$) as hugeint)) / 1e18, 0e0) + x.precisions) / nullif(x.hits, 0) as precision
        from splits as x
        left join hits_in_force as h on h.model is not distinct from x.model and h.user_id = x.user_id and h.k = x.k and h.nth <= x.before
        group by x.model, x.user_id, x.k, x.hits, x.weight, x.precisions
    ) as y
    group by y.model, y.user_id, y.k
)$$);

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
create or replace macro recsql.step_list_ranks(d) as
concat($$,

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
    $$, case when d['lengths_count'] then concat('    max(', case when d['any_order'] then $$case when r.rank_by = 'rank' then r.rank end$$ else case when d['by_rank'] then 'r.rank' else 'null' end end, $$) as last_rank,
    $$) else '' end, case when d['by_rank'] then concat('    bit_xor(hash(xor(hash(try_cast(', case when d['any_order'] then $$case when r.rank_by = 'rank' then r.rank end$$ else case when d['by_rank'] then 'r.rank' else 'null' end end, $$ as bigint)), hash(now())))) as ranks,
    $$) else '' end, $$    count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
)$$);

-- one row per model and user with a list
create or replace macro recsql.step_lists(d) as
concat($$,

$$, case when not d['folded'] and not d['judged_alone'] then concat($$-- one row per model and user with a list
lists as (
    select n.model, n.user_id, n.returned$$, case when d['lengths_count'] then ', n.last_rank' else '' end, $$
    from list_ranks as n
)$$) else concat($$-- one row per model and user with a list
lists as (
    $$, case when d['folded'] then concat('select i.model, i.user_id, count(i.item_id) as returned', case when d['lengths_count'] and d['duplicates'] = 'set' then ', coalesce(max(i.last_rank), sum(i.copies)) as last_rank' else case when d['lengths_count'] then ', count(i.item_id) + max(i.last_rank) - sum(i.copies) as last_rank' else '' end end, $$
    from (
        select r.model, r.user_id, r.item_id, $$, case when d['judged_alone'] then 'count(r.item_id)' else 'count(*)' end, ' as copies, max(', case when d['any_order'] then $$case when r.rank_by = 'rank' then r.rank end$$ else case when d['by_rank'] then 'r.rank' else 'null' end end, $$) as last_rank
        from $$, case when d['judged_alone'] then concat($$(
            select r.model, r.user_id, r.item_id, r.rank$$, case when d['any_order'] then ', r.rank_by' else '' end, $$
            from judged_recs as r
            union all
            select distinct r.model, r.user_id, null as item_id, null as rank$$, case when d['any_order'] then ', r.rank_by' else '' end, $$
            from given_recs as r
        )$$) else 'given_recs' end, $$ as r
        group by r.model, r.user_id, r.item_id
    ) as i
    group by i.model, i.user_id$$) when d['judged_alone'] then concat('select r.model, r.user_id, count(r.item_id) as returned', case when d['lengths_count'] then concat(', max(', case when d['any_order'] then $$case when r.rank_by = 'rank' then r.rank end$$ else case when d['by_rank'] then 'r.rank' else 'null' end end, ') as last_rank') else '' end, $$
    from $$, case when d['judged_alone'] then concat($$(
        select r.model, r.user_id, r.item_id, r.rank$$, case when d['any_order'] then ', r.rank_by' else '' end, $$
        from judged_recs as r
        union all
        select distinct r.model, r.user_id, null as item_id, null as rank$$, case when d['any_order'] then ', r.rank_by' else '' end, $$
        from given_recs as r
    )$$) else 'given_recs' end, $$ as r
    group by r.model, r.user_id$$) else concat('select r.model, r.user_id, count(*) as returned', case when d['lengths_count'] then concat(', max(', case when d['any_order'] then $$case when r.rank_by = 'rank' then r.rank end$$ else case when d['by_rank'] then 'r.rank' else 'null' end end, ') as last_rank') else '' end, $$
    from given_recs as r
    group by r.model, r.user_id$$) end, $$
)$$) end);

-- one row per list whose ranks have gaps, with its ranks
create or replace macro recsql.step_gaps(d) as
concat($$,

-- one row per list whose ranks have gaps, with its ranks
gaps as (
    select i.model, i.user_id, list(i.rank) as ranks
    from (
        select r.model, r.user_id, r.item_id, min(r.rank) as rank
        from ranked as r
        inner join lists as l on l.model is not distinct from r.model and l.user_id = r.user_id
        where l.last_rank <> l.returned
        group by r.model, r.user_id, r.item_id$$, case when d['duplicates'] <> 'set' then ', r.rank' else '' end, $$
    ) as i
    group by i.model, i.user_id
)$$);

-- one row per model; one row without a name if nothing is recommended
create or replace macro recsql.step_models(d) as
$$,

-- one row per model; one row without a name if nothing is recommended
models as (
    select distinct r.model
    from given_recs as r
    union all
    select cast(null as varchar) as model
    where not exists (select 1 from given_recs as r)
)$$;

-- one row per model and user that a policy may count
create or replace macro recsql.step_candidates(d) as
concat($$,

-- one row per model and user that a policy may count
candidates as (
    select m.model, u.user_id
    from models as m
    cross join users as u$$, case when d['fixed'] then concat($$
    where coalesce((select error(g.message) from (
        select
            coalesce(cast(i.name as varchar), 'NULL')
            || ' is '
            || coalesce(cast(i.in_left as varchar), 'NULL')
            || ' in $$, d['name_recs'], $$ and '
            || coalesce(cast(i.in_right as varchar), 'NULL')
            || ' in $$, d['name_users'], $$; cast one of them to the other''s type' as message
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
    ) as g), true)$$) else '' end, case when d['truthless'] and not coalesce(d['no_truth'] in ('skip', 'error'), false) then $$
    union
    select m.model, t.user_id
    from models as m
    cross join given_truth as t$$ else '' end, case when d['owners_count'] then $$
    union
    select l.model, l.user_id
    from lists as l$$ else '' end, case when d['fixed'] and coalesce(d['no_truth'] in ('zero', 'one', 'one_if_both_empty'), false) then $$
    union
    select m.model, g.user_id
    from models as m
    cross join given_users as g$$ else '' end, $$
)$$);

-- one row per model and user that the policies count
create or replace macro recsql.step_members(d) as
concat($$,

-- one row per model and user that the policies count
members as (
    select c.model, c.user_id
    from candidates as c
    $$, case when d['served_alone'] then $$inner join lists as l on l.model is not distinct from c.model and l.user_id = c.user_id
    $$ else '' end, case when d['fixed'] then $$inner join given_users as g on g.user_id = c.user_id
    $$ else '' end, $$where c.user_id is not null
)$$);

-- one row per model and user in the mean, with the number of relevant items
create or replace macro recsql.step_population(d) as
concat($$,

-- one row per model and user in the mean, with the number of relevant items
population as not materialized (
    select
        m.model,
        $$, case when d['plain_population'] then 'u' else 'm' end, $$.user_id,
    $$, case when d['ideals'] then $$    u.profile,
    $$ else '' end, case when d['needs_entries'] then $$    e.entries,
    $$ else '' end, case when d['needs_lengths'] then $$    l.returned,
    $$ else '' end, case when d['needs_ranks'] then $$    g.ranks,
    $$ else '' end, $$    u.relevant
    $$, case when d['plain_population'] then $$from models as m
    cross join users as u$$ else $$from members as m
    left join users as u on u.user_id = m.user_id$$ end, case when d['needs_entries'] then concat($$
    left join entries as e on e.user_id = $$, case when d['plain_population'] then 'u' else 'm' end, '.user_id') else '' end, case when d['needs_lengths'] then concat($$
    left join lists as l on l.model is not distinct from m.model and l.user_id = $$, case when d['plain_population'] then 'u' else 'm' end, '.user_id') else '' end, case when d['needs_ranks'] then concat($$
    left join gaps as g on g.model is not distinct from m.model and g.user_id = $$, case when d['plain_population'] then 'u' else 'm' end, '.user_id') else '' end, $$
)$$);

-- one row per model and user in the mean: the user's columns, and the first cut-off at which the user has a hit
create or replace macro recsql.step_first_hits(d) as
concat($$,

-- one row per model and user in the mean: the user's columns, and the first cut-off at which the user has a hit
first_hits as (
    select
        u.model,
        u.user_id,
        $$, case when d['ideals'] then 'u.profile, ' else '' end, case when d['needs_entries'] then 'u.entries, ' else '' end, case when d['needs_lengths'] then 'u.returned, ' else '' end, case when d['needs_ranks'] then 'u.ranks, ' else '' end, $$u.relevant,
        $$, case when d['needs_hits_at_k'] then 'h.k' else 'null' end, $$ as first_k
    from population as u$$, case when d['needs_hits_at_k'] then $$
    left join (
        select h.model, h.user_id, min(h.k) as k
        from hits_at_k as h
        group by h.model, h.user_id
    ) as h on h.model is not distinct from u.model and h.user_id = u.user_id$$ else '' end, $$
)$$);

-- one row per model and group of users with the same number of relevant items, gains, list length and first cut-off with a hit
create or replace macro recsql.step_alike(d) as
concat($$,

-- one row per model and group of users with the same number of relevant items, gains, list length and first cut-off with a hit
alike as (
    select u.model, min(u.user_id) as user_id, $$, case when d['ideals'] then 'u.profile, ' else '' end, case when d['needs_entries'] then 'u.entries, ' else '' end, case when d['needs_lengths'] then 'u.returned, ' else '' end, case when d['needs_ranks'] then 'u.ranks, ' else '' end, $$u.relevant, u.first_k, count(*) as users
    from first_hits as u
    group by u.model, $$, case when d['ideals'] then 'u.profile, ' else '' end, case when d['needs_entries'] then 'u.entries, ' else '' end, case when d['needs_lengths'] then 'u.returned, ' else '' end, case when d['needs_ranks'] then 'u.ranks, ' else '' end, 'u.relevant, u.first_k', case when d['each_apart'] then ', u.user_id' else '' end, $$
)$$);

-- one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits
create or replace macro recsql.step_users_at_k(d) as
concat($$,

$$, case when d['grouped'] or d['sparse'] and d['needs_hits_at_k'] then concat($$-- one row per model, cut-off and user or group of alike users: the columns of the user, and the statistics of the hits
users_at_k as (
    $$, case when d['sparse'] then concat($$select
        u.model,
        u.user_id,
        h.k,
    $$, case when d['grouped'] then $$    ,
    $$ else '' end, case when d['needs_any_hit'] then $$    h.any_hit,
    $$ else '' end, case when d['needs_cg'] then $$    h.cg,
    $$ else '' end, case when d['needs_dcg'] then $$    h.dcg,
    $$ else '' end, case when d['needs_distinct_hits'] then $$    h.distinct_hits,
    $$ else '' end, case when d['needs_expected_stop'] then $$    h.expected_stop,
    $$ else '' end, case when d['needs_hits'] then $$    h.hits,
    $$ else '' end, case when d['needs_hits_to_r'] then $$    h.hits_to_r,
    $$ else '' end, case when d['needs_persistent_gain'] then $$    h.persistent_gain,
    $$ else '' end, case when d['needs_precision_sum'] then $$    h.precision_sum,
    $$ else '' end, case when d['needs_precision_total'] then $$    h.precision_total,
    $$ else '' end, case when d['needs_reciprocal_rank'] then $$    h.reciprocal_rank,
    $$ else '' end, '    ', case when d['ideals'] then 'u.profile, ' else '' end, case when d['needs_entries'] then 'u.entries, ' else '' end, case when d['needs_lengths'] then 'u.returned, ' else '' end, case when d['needs_ranks'] then 'u.ranks, ' else '' end, $$u.relevant

    from hits_at_k as h
    inner join population as u on u.model is not distinct from h.model and u.user_id = h.user_id$$) else concat(case when d['needs_hits_at_k'] then concat($$select
        u.model,
        u.user_id,
        h.k,
    $$, case when d['grouped'] then $$    1 as users,
    $$ else '' end, case when d['needs_any_hit'] then $$    h.any_hit,
    $$ else '' end, case when d['needs_cg'] then $$    h.cg,
    $$ else '' end, case when d['needs_dcg'] then $$    h.dcg,
    $$ else '' end, case when d['needs_distinct_hits'] then $$    h.distinct_hits,
    $$ else '' end, case when d['needs_expected_stop'] then $$    h.expected_stop,
    $$ else '' end, case when d['needs_hits'] then $$    h.hits,
    $$ else '' end, case when d['needs_hits_to_r'] then $$    h.hits_to_r,
    $$ else '' end, case when d['needs_persistent_gain'] then $$    h.persistent_gain,
    $$ else '' end, case when d['needs_precision_sum'] then $$    h.precision_sum,
    $$ else '' end, case when d['needs_precision_total'] then $$    h.precision_total,
    $$ else '' end, case when d['needs_reciprocal_rank'] then $$    h.reciprocal_rank,
    $$ else '' end, '    ', case when d['ideals'] then 'u.profile, ' else '' end, case when d['needs_entries'] then 'u.entries, ' else '' end, case when d['needs_lengths'] then 'u.returned, ' else '' end, case when d['needs_ranks'] then 'u.ranks, ' else '' end, $$u.relevant

    from hits_at_k as h
    inner join first_hits as u on u.model is not distinct from h.model and u.user_id = h.user_id
    union all
    $$) else '' end, $$select
        u.model,
        u.user_id,
        c.k,
    $$, case when d['grouped'] then $$    u.users,
    $$ else '' end, case when d['needs_any_hit'] then $$    null as any_hit,
    $$ else '' end, case when d['needs_cg'] then $$    null as cg,
    $$ else '' end, case when d['needs_dcg'] then $$    null as dcg,
    $$ else '' end, case when d['needs_distinct_hits'] then $$    null as distinct_hits,
    $$ else '' end, case when d['needs_expected_stop'] then $$    null as expected_stop,
    $$ else '' end, case when d['needs_hits'] then $$    null as hits,
    $$ else '' end, case when d['needs_hits_to_r'] then $$    null as hits_to_r,
    $$ else '' end, case when d['needs_persistent_gain'] then $$    null as persistent_gain,
    $$ else '' end, case when d['needs_precision_sum'] then $$    null as precision_sum,
    $$ else '' end, case when d['needs_precision_total'] then $$    null as precision_total,
    $$ else '' end, case when d['needs_reciprocal_rank'] then $$    null as reciprocal_rank,
    $$ else '' end, '    ', case when d['ideals'] then 'u.profile, ' else '' end, case when d['needs_entries'] then 'u.entries, ' else '' end, case when d['needs_lengths'] then 'u.returned, ' else '' end, case when d['needs_ranks'] then 'u.ranks, ' else '' end, $$u.relevant

    from alike as u
    inner join cutoffs as c on c.k < u.first_k or u.first_k is null$$) end, $$
)$$) else concat($$-- one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits
users_at_k as (
    select
        u.model,
        u.user_id,
        c.k,
    $$, case when d['needs_any_hit'] then $$    h.any_hit,
    $$ else '' end, case when d['needs_cg'] then $$    h.cg,
    $$ else '' end, case when d['needs_dcg'] then $$    h.dcg,
    $$ else '' end, case when d['needs_distinct_hits'] then $$    h.distinct_hits,
    $$ else '' end, case when d['needs_expected_stop'] then $$    h.expected_stop,
    $$ else '' end, case when d['needs_hits'] then $$    h.hits,
    $$ else '' end, case when d['needs_hits_to_r'] then $$    h.hits_to_r,
    $$ else '' end, case when d['needs_persistent_gain'] then $$    h.persistent_gain,
    $$ else '' end, case when d['needs_precision_sum'] then $$    h.precision_sum,
    $$ else '' end, case when d['needs_precision_total'] then $$    h.precision_total,
    $$ else '' end, case when d['needs_reciprocal_rank'] then $$    h.reciprocal_rank,
    $$ else '' end, '    ', case when d['ideals'] then 'u.profile, ' else '' end, case when d['needs_entries'] then 'u.entries, ' else '' end, case when d['needs_lengths'] then 'u.returned, ' else '' end, case when d['needs_ranks'] then 'u.ranks, ' else '' end, $$u.relevant
    from population as u
    cross join cutoffs as c$$, case when d['needs_hits_at_k'] then $$
    left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k$$ else '' end, $$
)$$) end);

-- a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list
create or replace macro recsql.step_discounts(d) as
concat($$,

-- a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list
discounts as (
    select list($$, case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(n.i + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(n.i)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(n.i + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), n.i - 1)') else '1e0' end, $$ order by n.i asc) as weights
    from (select unnest(range(1, $$, case when d['ideal'] = 'constant' then concat(d['deepest']) when d['ideal'] = 'truth_uncut' then '(select max(u.relevant) from users as u)' when d['ideal'] = 'candidates' then case when d['uncut'] then concat('least(', d['depth'], ', (select max(n.hits) from (select count(*) as hits from hits as h group by h.model, h.user_id) as n))') else concat(d['depth']) end else concat('least(', d['depth'], ', (select max(u.relevant) from users as u))') end, $$ + 1)) as i) as n
)$$);

-- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
create or replace macro recsql.step_at_k(d) as
concat($$,

-- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
at_k as (
    select
        u.model,
        u.user_id,
    $$, case when d['grouped'] then $$    u.users,
    $$ else '' end, '    u.k', case when d['needs_any_hit'] then $$,
        coalesce(u.any_hit, 0e0) as any_hit$$ else '' end, case when d['needs_cg'] then $$,
        coalesce(u.cg, 0e0) as cg$$ else '' end, case when d['needs_dcg'] then $$,
        coalesce(u.dcg, 0e0) as dcg$$ else '' end, case when d['needs_distinct_hits'] then $$,
        coalesce(u.distinct_hits, 0) as distinct_hits$$ else '' end, case when d['needs_expected_stop'] then $$,
        coalesce(u.expected_stop, 0e0) as expected_stop$$ else '' end, case when d['needs_hits'] then $$,
        coalesce(u.hits, 0) as hits$$ else '' end, case when d['needs_hits_to_r'] then $$,
        coalesce(u.hits_to_r, 0) as hits_to_r$$ else '' end, case when d['needs_persistent_gain'] then $$,
        coalesce(u.persistent_gain, 0e0) as persistent_gain$$ else '' end, case when d['needs_precision_sum'] then $$,
        coalesce(u.precision_sum, 0e0) as precision_sum$$ else '' end, case when d['needs_precision_total'] then $$,
        coalesce(u.precision_total, 0e0) as precision_total$$ else '' end, case when d['needs_reciprocal_rank'] then $$,
        u.reciprocal_rank$$ else '' end, case when d['needs_candidate_gains'] then $$,
        w.candidate_gains$$ else '' end, case when d['needs_hits_anywhere'] then $$,
        coalesce(w.hits_anywhere, 0) as hits_anywhere$$ else '' end, case when d['needs_hits_to_r_anywhere'] then $$,
        coalesce(w.hits_to_r_anywhere, 0) as hits_to_r_anywhere$$ else '' end, case when d['needs_preceded'] then $$,
        coalesce(w.preceded, 0) as preceded$$ else '' end, case when d['needs_reciprocal_rank_anywhere'] then $$,
        w.reciprocal_rank_anywhere$$ else '' end, case when d['needs_split_precision'] then $$,
        x.split_precision$$ else '' end, case when d['needs_idcg'] then concat($$,
        coalesce($$, case when d['ideal'] = 'constant' then 'list_sum(list_slice(d.weights, 1, u.k))' when d['ideal'] = 'truth_uncut' then case when d['gains_of_one'] then 'list_sum(list_slice(d.weights, 1, coalesce(u.relevant, 0)))' else concat('list_inner_product(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', list_slice(d.weights, 1, len(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ')))') end when d['ideal'] = 'truth_returned' then case when d['gains_of_one'] then 'list_sum(list_slice(d.weights, 1, least(least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k))), coalesce(u.relevant, 0))))' else concat('list_inner_product(list_slice(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))), list_slice(d.weights, 1, len(list_slice(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))))))') end when d['ideal'] = 'candidates' then 'list_inner_product(list_slice(w.candidate_gains, 1, u.k), list_slice(d.weights, 1, len(list_slice(w.candidate_gains, 1, u.k))))' when d['ideal'] = 'truth_as_given' then concat('list_sum(list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain * ', case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(e.rank + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(e.rank)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(e.rank + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), e.rank - 1)') else '1e0' end, '))') else case when d['gains_of_one'] then 'list_sum(list_slice(d.weights, 1, least(u.k, coalesce(u.relevant, 0))))' else concat('list_inner_product(list_slice(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', 1, u.k), list_slice(d.weights, 1, len(list_slice(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', 1, u.k))))') end end, ', 0e0) as idcg') else '' end, case when d['needs_ideal_stop'] then concat($$,
        coalesce(case when len(list_slice(i.gains, 1, u.k)) > 0 then list_reduce(list_transform(list_slice(i.gains, 1, u.k), lambda g, i: {'stop': $$, case when coalesce(d['gain'] in ('exp2', 'exp2_shifted'), false) then concat('(greatest(g, 0e0) / power(2e0, ', d['err_max_grade'], '))') else concat('((power(2e0, greatest(g, 0e0)) - 1) / power(2e0, ', d['err_max_grade'], '))') end, $$ / i, 'on': 1 - $$, case when coalesce(d['gain'] in ('exp2', 'exp2_shifted'), false) then concat('(greatest(g, 0e0) / power(2e0, ', d['err_max_grade'], '))') else concat('((power(2e0, greatest(g, 0e0)) - 1) / power(2e0, ', d['err_max_grade'], '))') end, $$}), lambda a, b: {'stop': a.stop + a.on * b.stop, 'on': a.on * b.on}).stop end, 0e0) as ideal_stop$$) else '' end, case when d['needs_listed'] then $$,
        case when u.returned is null then 0 else 1 end as listed$$ else '' end, case when d['needs_not_relevant'] then $$,
        coalesce(j.items, 0) as not_relevant$$ else '' end, case when d['needs_relevant'] then $$,
        coalesce(u.relevant, 0) as relevant$$ else '' end, case when d['needs_returned'] then $$,
        coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)) as returned$$ else '' end, $$
    from users_at_k as u$$, case when d['needs_hits_of_list'] then $$
    left join hits_of_list as w on w.model is not distinct from u.model and w.user_id = u.user_id and w.k = u.k$$ else '' end, case when d['needs_splits_at_k'] then $$
    left join splits_at_k as x on x.model is not distinct from u.model and x.user_id = u.user_id and x.k = u.k$$ else '' end, case when d['needs_idcg'] and d['needs_discounts'] then $$
    cross join discounts as d$$ else '' end, case when d['needs_idcg'] and d['ideals'] or d['needs_ideal_stop'] and d['ideals'] then $$
    left join ideals as i on i.profile = u.profile and i.relevant = u.relevant$$ else '' end, case when d['needs_not_relevant'] and d['needs_preferences'] then $$
    left join rejections as j on j.user_id = u.user_id$$ else '' end, $$
)$$);

-- one row per model, cut-off and user or group of alike users: the metrics
create or replace macro recsql.step_per_user(d) as
concat($$,

-- one row per model, cut-off and user or group of alike users: the metrics
per_user as (
    select
        s.model,
        s.user_id,
    $$, case when d['grouped'] then $$    s.users,
    $$ else '' end, '    s.k', array_to_string(list_transform(d['measured'], lambda c: concat($$,
        $$, case when d['uncut'] and (c['metric'] = 'mean_precision' or c['metric'] = 'ap' and c['ap_denominator'] = 'k' or c['metric'] = 'f1' and c['precision_denominator'] = 'k' or c['metric'] = 'precision' and c['precision_denominator'] = 'k' or coalesce(c['metric'] in ('idcg', 'ndcg'), false) and d['ideal'] = 'constant') then 'case when s.k < 1000000000000000000 then ' else '' end, case when d['truthless'] then 'case when s.relevant > 0 then ' else '' end, case when d['zero_ideal'] = 'skip' then 'case when s.idcg > 0 then ' else '' end, c['natural'], case when d['zero_ideal'] = 'skip' then ' end' else '' end, case when d['truthless'] then concat(case when not coalesce(c['metric'] in ('ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'bpref', 'err', 'f1', 'mean_precision', 'r_precision'), false) then concat(' else coalesce(', c['natural'], ', 0e0)') when d['no_truth'] = 'one' then ' else 1e0' when d['no_truth'] = 'one_if_both_empty' then ' when s.listed = 0 then 1e0 else 0e0' else ' else 0e0' end, ' end') else '' end, case when d['uncut'] and (c['metric'] = 'mean_precision' or c['metric'] = 'ap' and c['ap_denominator'] = 'k' or c['metric'] = 'f1' and c['precision_denominator'] = 'k' or c['metric'] = 'precision' and c['precision_denominator'] = 'k' or coalesce(c['metric'] in ('idcg', 'ndcg'), false) and d['ideal'] = 'constant') then ' end' else '' end, ' as ', c['name'])), ''), $$
    from at_k as s
)$$);

-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
create or replace macro recsql.step_totals(d) as
concat($$,

-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
totals as (
    select
        p.model,
        p.k$$, array_to_string(list_transform(d['measured'], lambda c: concat($$,
        $$, case when d['grouped'] then concat('sum(p.users * try_cast(1e18 * p.', c['name'], ' as hugeint)) / 1e18') else concat('sum(try_cast(1e18 * p.', c['name'], ' as hugeint)) / 1e18') end, ' as ', c['name'], $$,
        $$, case when d['grouped'] then concat('cast(sum(case when p.', c['name'], ' is null then p.users else 0 end) as bigint)') else concat('count(*) - count(p.', c['name'], ')') end, ' as ', c['name'], '_missing')), ''), $$
    from per_user as p
    group by p.model, p.k
)$$);

-- one row per model with users in the mean: the number of these users
create or replace macro recsql.step_headcount(d) as
$$,

-- one row per model with users in the mean: the number of these users
headcount as (
    select u.model, count(*) as users
    from population as u
    group by u.model
)$$;

-- one row per model: the number of users in the mean
create or replace macro recsql.step_census(d) as
$$,

-- one row per model: the number of users in the mean
census as (
    select m.model, coalesce(n.users, 0) as users
    from models as m
    left join headcount as n on n.model is not distinct from m.model
)$$;

-- one row per model and cut-off: the means of the metrics over users, and the numbers of these users
create or replace macro recsql.step_means(d) as
concat($$,

-- one row per model and cut-off: the means of the metrics over users, and the numbers of these users
means as (
    select
        n.model,
        c.k$$, array_to_string(list_transform(d['measured'], lambda c: concat($$,
        $$, case when c['metric'] = 'f1' and c['f1_average'] = 'of_means' then concat('case when n.users > 0 then coalesce((1 + power(cast(', c['beta'], $$ as double), 2)) / (
            power(cast($$, c['beta'], ' as double), 2) / nullif(coalesce(t.', c['made_of'][2], ', 0e0) / nullif(n.users - coalesce(t.', c['made_of'][2], $$_missing, 0), 0), 0e0)
            + 1 / nullif(coalesce(t.$$, c['made_of'][1], ', 0e0) / nullif(n.users - coalesce(t.', c['made_of'][1], $$_missing, 0), 0), 0e0)
        ), 0e0) end$$) else concat('coalesce(t.', c['name'], ', 0e0) / nullif(n.users - coalesce(t.', c['name'], '_missing, 0), 0)') end, ' as ', c['name'], $$,
        n.users - coalesce(t.$$, c['name'], '_missing, 0) as ', c['name'], '_users')), ''), $$
    from census as n
    cross join cutoffs as c
    left join totals as t on t.model is not distinct from n.model and t.k = c.k
)$$);

-- one row per requested metric, with its place in the request
create or replace macro recsql.step_asked(d) as
concat($$,

-- one row per requested metric, with its place in the request
asked as (
    $$, array_to_string(list_transform(list_filter(d['measured'], lambda c: c['shown']), lambda c: concat(case when cast(c['place'] as double) > 1 then $$
    union all
    $$ else '' end, 'select ', c['place'], ' as place, ', c['label'], ' as metric')), ''), $$
)$$);

-- one row per model, metric and cut-off
create or replace macro recsql.step_summary(d) as
concat($$,

-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        a.metric,
        m.k,
        case a.place
    $$, array_to_string(list_transform(d['measured'], lambda c: case when c['shown'] then concat('        when ', c['place'], ' then m.', c['name'], $$
    $$) else '' end), ''), $$    end as value,
        case a.place
    $$, array_to_string(list_transform(d['measured'], lambda c: case when c['shown'] then concat('        when ', c['place'], ' then m.', c['name'], $$_users
    $$) else '' end), ''), $$    end as users,
        a.place
    from means as m
    cross join asked as a$$, case when len(list_distinct(list_transform(list_filter(d['measured'], lambda c: c['shown']), lambda c: c['ks_text']))) > 1 then concat($$
    where
        case a.place
    $$, array_to_string(list_transform(d['measured'], lambda c: case when c['shown'] then concat('        when ', c['place'], ' then m.k in (', c['ks_text'], $$)
    $$) else '' end), ''), '    end') else '' end, $$
)$$);

-- one row per length of a list: the hash of the ranks 1, 2, ... up to that length
create or replace macro recsql.step_unbroken(d) as
$$,

-- one row per length of a list: the hash of the ranks 1, 2, ... up to that length
unbroken as (
    select i.i as returned, bit_xor(hash(xor(hash(i.i), hash(now())))) over (order by i.i asc) as ranks
    from (select unnest(range(1, (select max(n.returned) from list_ranks as n) + 1)) as i) as i
)$$;

-- one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs
create or replace macro recsql.step_unproven(d) as
$$,

-- one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs
unproven as (
    select n.model, n.user_id
    from list_ranks as n
    left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
    where b.returned is null
)$$;

-- one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank
create or replace macro recsql.step_rank_bands(d) as
concat($$,

-- one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank
rank_bands as (
    select r.model, r.user_id, try_cast(r.rank as bigint) >> 6 as band
    from given_recs as r
    inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
    $$, case when d['any_order'] then $$where r.rank_by = 'rank'
    $$ else '' end, $$group by r.model, r.user_id, try_cast(r.rank as bigint) >> 6
    having bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(r.rank as bigint) & 63 as ubigint))) < count(*)
)$$);

-- one row per row of recs in a band of ranks that may have one twice
create or replace macro recsql.step_doubtful_recs(d) as
$$,

-- one row per row of recs in a band of ranks that may have one twice
doubtful_recs as not materialized (
    select r.*
    from given_recs as r
    inner join rank_bands as b
        on b.model is not distinct from r.model and b.user_id = r.user_id and b.band = try_cast(r.rank as bigint) >> 6
)$$;

-- one row per list and rank that several items have
create or replace macro recsql.step_repeated_ranks(d) as
concat($$,

-- one row per list and rank that several items have
repeated_ranks as (
    select r.model, r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
    from doubtful_recs as r
    $$, case when d['any_order'] then $$where r.rank_by = 'rank'
    $$ else '' end, $$group by r.model, r.user_id, r.rank
    having min(r.item_id) <> max(r.item_id)$$, case when d['duplicates'] = 'count' then ' or count(*) > 1' else '' end, $$
)$$);

-- {recs}: the list of user {user}{model} has {items} items, but its last rank is {rank}; give each item of a list its own rank
create or replace macro recsql.check_crowded(d) as
concat($$select
                '$$, d['name_recs'], $$: the list of user '
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
            limit 1$$);

-- {recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose how it counts with the option duplicates
create or replace macro recsql.check_duplicates(d) as
concat($$select
                '$$, d['name_recs'], $$: item '
                || coalesce(regexp_replace(cast(h.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(h.user_id as varchar), '^$', ''''''), 'NULL')
                || coalesce(cast(coalesce(' and model ' || h.model, '') as varchar), 'NULL')
                || '; list it once, or choose how it counts with the option duplicates' as message
            from hits as h
            where h.copies > 1
            order by h.user_id asc, h.item_id asc
            limit 1$$);

-- {truth}: item {item} has gain {gain} for user {user}; ties = 'best' and 'worst' need gains of at least 0
create or replace macro recsql.check_gains_below_zero(d) as
concat($$select
                '$$, d['name_truth'], $$: item '
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
            limit 1$$);

-- {truth}: item {item} has gain {gain} for user {user}; scale the relevance so that gains lie between 1e-6 and 1e9
create or replace macro recsql.check_gains_out_of_range(d) as
concat($$select
                '$$, d['name_truth'], $$: item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' has gain '
                || coalesce(cast(t.gain as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || '; scale the relevance so that gains lie between 1e-6 and 1e9' as message
            from (
                select t.user_id, t.item_id, $$, case when d['gain'] = 'binary' then '1e0' when d['gain'] = 'exp2' then '(power(2e0, t.relevance) - 1)' when d['gain'] = 'exp2_shifted' then concat('(power(2e0, t.relevance - coalesce(', case when d['relevance_threshold'] is null then 'null' else concat(d['relevance_threshold']) end, ', 0) + 1) - 1)') when d['gain'] = 'map' then concat('coalesce(', recsql.looked_up(d['gain_map'], 't.relevance'), $$, error(
                    'gain_map: no gain for relevance '
                    || coalesce(cast(t.relevance as varchar), 'NULL')
                    || ' of user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; add one'
                ))$$) else 't.relevance' end, $$ as gain
                from given_truth as t
                where $$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 't.relevance > 0' else concat('t.relevance >= ', d['relevance_threshold']) end, $$
            ) as t
            where abs(t.gain) >= 1e9 or (t.gain <> 0 and abs(t.gain) < 1e-6)
            order by t.user_id asc, t.item_id asc
            limit 1$$);

-- {truth}: item {item} has relevance {relevance} for user {user}, above the highest grade {most}; set err_max_grade to that of your scale
create or replace macro recsql.check_grades(d) as
concat($$select
                '$$, d['name_truth'], $$: item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' has relevance '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', above the highest grade '
                || coalesce(cast($$, d['err_max_grade'], $$ as varchar), 'NULL')
                || '; set err_max_grade to that of your scale' as message
            from (
                select t.user_id, t.item_id, t.relevance, $$, case when coalesce(d['gain'] in ('exp2', 'exp2_shifted'), false) then concat('(greatest(', case when d['gain'] = 'binary' then '1e0' when d['gain'] = 'exp2' then '(power(2e0, t.relevance) - 1)' when d['gain'] = 'exp2_shifted' then concat('(power(2e0, t.relevance - coalesce(', case when d['relevance_threshold'] is null then 'null' else concat(d['relevance_threshold']) end, ', 0) + 1) - 1)') when d['gain'] = 'map' then concat('coalesce(', recsql.looked_up(d['gain_map'], 't.relevance'), $$, error(
                    'gain_map: no gain for relevance '
                    || coalesce(cast(t.relevance as varchar), 'NULL')
                    || ' of user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; add one'
                ))$$) else 't.relevance' end, ', 0e0) / power(2e0, ', d['err_max_grade'], '))') else concat('((power(2e0, greatest(', case when d['gain'] = 'binary' then '1e0' when d['gain'] = 'exp2' then '(power(2e0, t.relevance) - 1)' when d['gain'] = 'exp2_shifted' then concat('(power(2e0, t.relevance - coalesce(', case when d['relevance_threshold'] is null then 'null' else concat(d['relevance_threshold']) end, ', 0) + 1) - 1)') when d['gain'] = 'map' then concat('coalesce(', recsql.looked_up(d['gain_map'], 't.relevance'), $$, error(
                    'gain_map: no gain for relevance '
                    || coalesce(cast(t.relevance as varchar), 'NULL')
                    || ' of user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; add one'
                ))$$) else 't.relevance' end, ', 0e0)) - 1) / power(2e0, ', d['err_max_grade'], '))') end, $$ as chance
                from given_truth as t
                where $$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 't.relevance > 0' else concat('t.relevance >= ', d['relevance_threshold']) end, $$
            ) as t
            where t.chance > 1 - power(2e0, -$$, d['err_max_grade'], $$)
            order by t.user_id asc, t.item_id asc
            limit 1$$);

-- {recs}: rank is {rank} for user {user}, item {item}; ties = 'input' needs the input order in the column rank
create or replace macro recsql.check_input_order(d) as
concat($$select
                '$$, d['name_recs'], $$: rank is '
                || coalesce(cast(r.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; ties = ''input'' needs the input order in the column rank' as message
            from given_recs as r
            where r.rank is null$$, case when d['any_order'] then $$ and r.rank_by = 'score'$$ else '' end, $$
            order by r.user_id asc, r.item_id asc
            limit 1$$);

-- {truth}: user {user} has {found} relevant items; protocol = 'leave_one_out' needs exactly one per user
create or replace macro recsql.check_leave_one_out(d) as
concat($$select
                '$$, d['name_truth'], $$: user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has '
                || coalesce(cast(coalesce(u.relevant, 0) as varchar), 'NULL')
                || ' relevant items; protocol = ''leave_one_out'' needs exactly one per user' as message
            from given_truth as t
            left join users as u on u.user_id = t.user_id
            where u.relevant is null or u.relevant > 1
            order by t.user_id asc
            limit 1$$);

-- ties = '{ties}' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = 'item_asc', 'item_desc', 'input' or 'error'
create or replace macro recsql.check_no_order(d) as
concat($$select
                'ties = ''$$, d['ties'], $$'' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = ''item_asc'', ''item_desc'', ''input'' or ''error''' as message$$);

-- user {user} has no relevant item in {truth}; no_truth = 'error' does not allow that
create or replace macro recsql.check_no_truth(d) as
concat($$select
                'user '
                || coalesce(regexp_replace(cast(l.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has no relevant item in $$, d['name_truth'], $$; no_truth = ''error'' does not allow that' as message
            from (
                select r.user_id from given_recs as r
                union all
                select t.user_id from given_truth as t
            ) as l
            left join users as u on u.user_id = l.user_id
            where u.user_id is null
            order by l.user_id asc
            limit 1$$);

-- no user in {truth} has a relevant item and is in the mean; check relevance, relevance_threshold, users and no_recs
create or replace macro recsql.check_nobody(d) as
concat($$select
                'no user in $$, d['name_truth'], $$ has a relevant item and is in the mean; check relevance, relevance_threshold, users and no_recs' as message
            from (select count(*) as users from population as u) as n
            where n.users = 0$$);

-- {recs}: rank is {rank} for user {user}, item {item}; ranks are whole numbers that start at 1
create or replace macro recsql.check_ranks(d) as
concat($$select
                '$$, d['name_recs'], $$: rank is '
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
            $$, case when d['any_order'] then $$    and r.rank_by = 'rank'
            $$ else '' end, $$order by r.user_id asc, r.item_id asc
            limit 1$$);

-- {recs}: there is no column {column}; {hint}it has {columns}; {way}
create or replace macro recsql.check_recs_columns(d) as
concat($$select
                '$$, d['name_recs'], $$: there is no column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || '; '
                || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                || 'it has '
                || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                || '; rename it in a view' as message
            from (
                select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
                from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
                cross join (select json_keys(to_json(g)) as columns from query_table('$$, d['source_recs'], $$') as g limit 1) as g
            ) as c
            where c.type = '"NULL"'
            order by c.name asc
            limit 1$$);

-- {recs}: {column} is NULL in a row (user_id {user}, item_id {item}, rank {rank}); leave such rows out or give them an id
create or replace macro recsql.check_recs_ids(d) as
concat($$select
                '$$, d['name_recs'], $$: '
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
            limit 1$$);

-- {truth}: relevance is {relevance} for user {user}, item {item}; give every row a number
create or replace macro recsql.check_relevance(d) as
concat($$select
                '$$, d['name_truth'], $$: relevance is '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; give every row a number' as message
            from given_truth as t
            where t.relevance is null or isnan(t.relevance + 0 * random()) or isinf(t.relevance)
            order by t.user_id asc, t.item_id asc
            limit 1$$);

-- {recs}: items {one} and {other} have the same rank {rank} in the list of user {user}{model}; number each list with row_number(), or use rank_by = 'score' and choose how equal scores count with the option ties
create or replace macro recsql.check_same_rank(d) as
concat($$select
                '$$, d['name_recs'], $$: items '
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
            limit 1$$);

-- {recs}: score is {score} for user {user}, item {item}; every score must be a finite number, not NULL or text
create or replace macro recsql.check_scores(d) as
concat($$select
                '$$, d['name_recs'], $$: score is '
                || coalesce(cast(r.score as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; every score must be a finite number, not NULL or text' as message
            from given_recs as r
            where
                (r.score is null or isnan(cast(r.score as double) + 0 * random()) or isinf(cast(r.score as double)) or typeof(r.score) in ('VARCHAR', 'BOOLEAN'))
            $$, case when d['any_order'] then $$    and r.rank_by = 'score'
            $$ else '' end, $$order by r.user_id asc, r.item_id asc
            limit 1$$);

-- {recs}: item {item} appears more than once in the list of user {user}, which ties = '{ties}' with duplicates = '{duplicates}' does not support; list it once, or use duplicates = 'first'
create or replace macro recsql.check_tied_copies(d) as
concat($$select
                '$$, d['name_recs'], $$: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', which ties = ''$$, d['ties'], $$'' with duplicates = ''$$, d['duplicates'], $$'' does not support; list it once, or use duplicates = ''first''' as message
            from scored as r
            group by r.model, r.user_id, r.item_id
            having count(*) > $$, case when d['duplicates'] = 'set' or d['expected'] and d['duplicates'] = 'count' and d['needs_distinct_hits'] then '1' else 'count(distinct r.score)' end, $$
            order by r.user_id asc, r.item_id asc
            limit 1$$);

-- {recs}: user {user} has items {one} and {other} with the same score {score}; use ties = 'item_asc' or 'item_desc', or rank the list yourself
create or replace macro recsql.check_ties(d) as
concat($$select
                '$$, d['name_recs'], $$: user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ' has items '
                || coalesce(regexp_replace(cast(min(r.item_id) as varchar), '^$', ''''''), 'NULL')
                || ' and '
                || coalesce(regexp_replace(cast(max(r.item_id) as varchar), '^$', ''''''), 'NULL')
                || ' with the same score '
                || coalesce(cast(r.score as varchar), 'NULL')
                || '; use ties = ''item_asc'' or ''item_desc'', or rank the list yourself' as message
            from scored as r
            where r.rank <= $$, d['depth'], $$ + 1
            group by r.model, r.user_id, r.score
            having count(*) > 1
            order by r.user_id asc
            limit 1$$);

-- {truth}: there is no column {column}; {hint}it has {columns}; {way}
create or replace macro recsql.check_truth_columns(d) as
concat($$select
                '$$, d['name_truth'], $$: there is no column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || '; '
                || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                || 'it has '
                || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                || '; rename it in a view' as message
            from (
                select unnest(['user_id', 'item_id']) as name, unnest(t.types) as type, g.columns
                from (select [typeof(t.user_id), typeof(t.item_id)] as types from given_truth as t limit 1) as t
                cross join (select json_keys(to_json(g)) as columns from query_table('$$, d['source_truth'], $$') as g limit 1) as g
            ) as c
            where c.type = '"NULL"'
            order by c.name asc
            limit 1$$);

-- {truth}: {column} is NULL in a row (user_id {user}, item_id {item}); leave such rows out or give them an id
create or replace macro recsql.check_truth_ids(d) as
concat($$select
                '$$, d['name_truth'], $$: '
                || coalesce(cast(case when t.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_truth as t
            where t.user_id is null or t.item_id is null
            order by t.user_id asc, t.item_id asc
            limit 1$$);

-- {truth}: rank is {rank} for user {user}, item {item}; truth_window and ideal = 'truth_as_given' need the position of each item, starting at 1, in the truth's column rank
create or replace macro recsql.check_truth_rank(d) as
concat($$select
                '$$, d['name_truth'], $$: rank is '
                || coalesce(cast(t.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; truth_window and ideal = ''truth_as_given'' need the position of each item, starting at 1, in the truth''s column rank' as message
            from given_truth as t
            where t.rank is null or t.rank < 1
            order by t.user_id asc, t.item_id asc
            limit 1$$);

-- one row if the input can't be measured: the message of the check with the lowest place
create or replace macro recsql.step_problems(d) as
concat($$,

-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    $$, case when d['has_lists'] and d['lengths_count'] then concat($$    union all
        select 7 as place, p.message
        from (
            $$, recsql.check_crowded(d), $$
        ) as p
    $$) else '' end, case when d['has_hits'] and d['duplicates'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_duplicates(d), $$
        ) as p
    $$) else '' end, case when d['has_relevant'] and d['has_found'] and d['bounds'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_gains_below_zero(d), $$
        ) as p
    $$) else '' end, case when d['needs_gains'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_gains_out_of_range(d), $$
        ) as p
    $$) else '' end, case when d['needs_readings'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_grades(d), $$
        ) as p
    $$) else '' end, case when d['ties'] = 'input' and d['by_score'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_input_order(d), $$
        ) as p
    $$) else '' end, case when d['protocol'] = 'leave_one_out' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_leave_one_out(d), $$
        ) as p
    $$) else '' end, case when d['unordered'] and d['ranked_read'] and coalesce(d['truth_window'] in ('k', 'rank'), false) then concat($$    union all
        select 1 as place, p.message
        from (
            $$, recsql.check_no_order(d), $$
        ) as p
    $$) else '' end, case when d['no_truth'] = 'error' then concat($$    union all
        select 8 as place, p.message
        from (
            $$, recsql.check_no_truth(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 9 as place, p.message
        from (
            $$, recsql.check_nobody(d), $$
        ) as p
    $$, case when d['by_rank'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_ranks(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_recs_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_recs_ids(d), $$
        ) as p
        union all
        select 4 as place, p.message
        from (
            $$, recsql.check_relevance(d), $$
        ) as p
    $$, case when d['has_repeated_ranks'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_same_rank(d), $$
        ) as p
    $$) else '' end, case when d['by_score'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_scores(d), $$
        ) as p
    $$) else '' end, case when d['has_scored'] and d['unordered'] and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false) then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_tied_copies(d), $$
        ) as p
    $$) else '' end, case when d['has_scored'] and d['ties'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_ties(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_truth_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_truth_ids(d), $$
        ) as p
    $$, case when coalesce(d['truth_window'] in ('k', 'rank'), false) or d['ideal'] = 'truth_as_given' then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_truth_rank(d), $$
        ) as p
    $$) else '' end, $$) as p
    having count(*) > 0
)$$);

-- one row per model and user in the mean, with the number of relevant items
create or replace macro recsql.step_population__per_user(d) as
concat($$,

-- one row per model and user in the mean, with the number of relevant items
population as not materialized (
    select
        m.model,
        $$, case when d['plain_population'] then 'u' else 'm' end, $$.user_id,
    $$, case when d['ideals'] then $$    u.profile,
    $$ else '' end, case when d['needs_entries'] then $$    e.entries,
    $$ else '' end, $$    l.returned,
    $$, case when d['needs_ranks'] then $$    g.ranks,
    $$ else '' end, $$    u.relevant
    $$, case when d['plain_population'] then $$from models as m
    cross join users as u$$ else $$from members as m
    left join users as u on u.user_id = m.user_id$$ end, case when d['needs_entries'] then concat($$
    left join entries as e on e.user_id = $$, case when d['plain_population'] then 'u' else 'm' end, '.user_id') else '' end, $$
    left join lists as l on l.model is not distinct from m.model and l.user_id = $$, case when d['plain_population'] then 'u' else 'm' end, '.user_id', case when d['needs_ranks'] then concat($$
    left join gaps as g on g.model is not distinct from m.model and g.user_id = $$, case when d['plain_population'] then 'u' else 'm' end, '.user_id') else '' end, $$
)$$);

-- one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits
create or replace macro recsql.step_users_at_k__per_user(d) as
concat($$,

-- one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits
users_at_k as (
    select
        u.model,
        u.user_id,
        c.k,
    $$, case when d['needs_any_hit'] then $$    h.any_hit,
    $$ else '' end, case when d['needs_cg'] then $$    h.cg,
    $$ else '' end, case when d['needs_dcg'] then $$    h.dcg,
    $$ else '' end, case when d['needs_distinct_hits'] then $$    h.distinct_hits,
    $$ else '' end, case when d['needs_expected_stop'] then $$    h.expected_stop,
    $$ else '' end, case when d['needs_hits'] then $$    h.hits,
    $$ else '' end, case when d['needs_hits_to_r'] then $$    h.hits_to_r,
    $$ else '' end, case when d['needs_persistent_gain'] then $$    h.persistent_gain,
    $$ else '' end, case when d['needs_precision_sum'] then $$    h.precision_sum,
    $$ else '' end, case when d['needs_precision_total'] then $$    h.precision_total,
    $$ else '' end, case when d['needs_reciprocal_rank'] then $$    h.reciprocal_rank,
    $$ else '' end, '    ', case when d['ideals'] then 'u.profile, ' else '' end, case when d['needs_entries'] then 'u.entries, ' else '' end, 'u.returned, ', case when d['needs_ranks'] then 'u.ranks, ' else '' end, $$u.relevant
    from population as u
    cross join cutoffs as c$$, case when d['needs_hits_at_k'] then $$
    left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k$$ else '' end, $$
)$$);

-- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
create or replace macro recsql.step_at_k__per_user(d) as
concat($$,

-- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
at_k as (
    select
        u.model,
        u.user_id,
        u.k$$, case when d['needs_any_hit'] then $$,
        coalesce(u.any_hit, 0e0) as any_hit$$ else '' end, case when d['needs_cg'] then $$,
        coalesce(u.cg, 0e0) as cg$$ else '' end, case when d['needs_dcg'] then $$,
        coalesce(u.dcg, 0e0) as dcg$$ else '' end, case when d['needs_distinct_hits'] then $$,
        coalesce(u.distinct_hits, 0) as distinct_hits$$ else '' end, case when d['needs_expected_stop'] then $$,
        coalesce(u.expected_stop, 0e0) as expected_stop$$ else '' end, case when d['needs_hits'] then $$,
        coalesce(u.hits, 0) as hits$$ else '' end, case when d['needs_hits_to_r'] then $$,
        coalesce(u.hits_to_r, 0) as hits_to_r$$ else '' end, case when d['needs_persistent_gain'] then $$,
        coalesce(u.persistent_gain, 0e0) as persistent_gain$$ else '' end, case when d['needs_precision_sum'] then $$,
        coalesce(u.precision_sum, 0e0) as precision_sum$$ else '' end, case when d['needs_precision_total'] then $$,
        coalesce(u.precision_total, 0e0) as precision_total$$ else '' end, case when d['needs_reciprocal_rank'] then $$,
        u.reciprocal_rank$$ else '' end, case when d['needs_candidate_gains'] then $$,
        w.candidate_gains$$ else '' end, case when d['needs_hits_anywhere'] then $$,
        coalesce(w.hits_anywhere, 0) as hits_anywhere$$ else '' end, case when d['needs_hits_to_r_anywhere'] then $$,
        coalesce(w.hits_to_r_anywhere, 0) as hits_to_r_anywhere$$ else '' end, case when d['needs_preceded'] then $$,
        coalesce(w.preceded, 0) as preceded$$ else '' end, case when d['needs_reciprocal_rank_anywhere'] then $$,
        w.reciprocal_rank_anywhere$$ else '' end, case when d['needs_split_precision'] then $$,
        x.split_precision$$ else '' end, case when d['needs_idcg'] then concat($$,
        coalesce($$, case when d['ideal'] = 'constant' then 'list_sum(list_slice(d.weights, 1, u.k))' when d['ideal'] = 'truth_uncut' then case when d['gains_of_one'] then 'list_sum(list_slice(d.weights, 1, coalesce(u.relevant, 0)))' else concat('list_inner_product(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', list_slice(d.weights, 1, len(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ')))') end when d['ideal'] = 'truth_returned' then case when d['gains_of_one'] then 'list_sum(list_slice(d.weights, 1, least(least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k))), coalesce(u.relevant, 0))))' else concat('list_inner_product(list_slice(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))), list_slice(d.weights, 1, len(list_slice(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))))))') end when d['ideal'] = 'candidates' then 'list_inner_product(list_slice(w.candidate_gains, 1, u.k), list_slice(d.weights, 1, len(list_slice(w.candidate_gains, 1, u.k))))' when d['ideal'] = 'truth_as_given' then concat('list_sum(list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain * ', case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(e.rank + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(e.rank)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(e.rank + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), e.rank - 1)') else '1e0' end, '))') else case when d['gains_of_one'] then 'list_sum(list_slice(d.weights, 1, least(u.k, coalesce(u.relevant, 0))))' else concat('list_inner_product(list_slice(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', 1, u.k), list_slice(d.weights, 1, len(list_slice(', case when d['truth_window'] = 'k' then 'list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)' else 'i.gains' end, ', 1, u.k))))') end end, ', 0e0) as idcg') else '' end, case when d['needs_ideal_stop'] then concat($$,
        coalesce(case when len(list_slice(i.gains, 1, u.k)) > 0 then list_reduce(list_transform(list_slice(i.gains, 1, u.k), lambda g, i: {'stop': $$, case when coalesce(d['gain'] in ('exp2', 'exp2_shifted'), false) then concat('(greatest(g, 0e0) / power(2e0, ', d['err_max_grade'], '))') else concat('((power(2e0, greatest(g, 0e0)) - 1) / power(2e0, ', d['err_max_grade'], '))') end, $$ / i, 'on': 1 - $$, case when coalesce(d['gain'] in ('exp2', 'exp2_shifted'), false) then concat('(greatest(g, 0e0) / power(2e0, ', d['err_max_grade'], '))') else concat('((power(2e0, greatest(g, 0e0)) - 1) / power(2e0, ', d['err_max_grade'], '))') end, $$}), lambda a, b: {'stop': a.stop + a.on * b.stop, 'on': a.on * b.on}).stop end, 0e0) as ideal_stop$$) else '' end, $$,
        coalesce(u.returned, 0) as list_length$$, case when d['needs_listed'] then $$,
        case when u.returned is null then 0 else 1 end as listed$$ else '' end, case when d['needs_not_relevant'] then $$,
        coalesce(j.items, 0) as not_relevant$$ else '' end, $$,
        coalesce(u.relevant, 0) as relevant$$, case when d['needs_returned'] then $$,
        coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)) as returned$$ else '' end, $$
    from users_at_k as u$$, case when d['needs_hits_of_list'] then $$
    left join hits_of_list as w on w.model is not distinct from u.model and w.user_id = u.user_id and w.k = u.k$$ else '' end, case when d['needs_splits_at_k'] then $$
    left join splits_at_k as x on x.model is not distinct from u.model and x.user_id = u.user_id and x.k = u.k$$ else '' end, case when d['needs_idcg'] and d['needs_discounts'] then $$
    cross join discounts as d$$ else '' end, case when d['needs_idcg'] and d['ideals'] or d['needs_ideal_stop'] and d['ideals'] then $$
    left join ideals as i on i.profile = u.profile and i.relevant = u.relevant$$ else '' end, case when d['needs_not_relevant'] and d['needs_preferences'] then $$
    left join rejections as j on j.user_id = u.user_id$$ else '' end, $$
)$$);

-- one row per model, cut-off and user or group of alike users: the metrics
create or replace macro recsql.step_per_user__per_user(d) as
concat($$,

-- one row per model, cut-off and user or group of alike users: the metrics
per_user as (
    select
        s.model,
        s.user_id,
    $$, case when d['zero_ideal'] = 'skip' then concat('    s.relevant = 0 or ', case when d['zero_ideal'] = 'skip' then 's.idcg > 0' else 'true' end, $$ as is_counted,
    $$) else '' end, $$    s.list_length,
        s.relevant,
        s.k$$, array_to_string(list_transform(d['measured'], lambda c: concat($$,
        $$, case when d['uncut'] and (c['metric'] = 'mean_precision' or c['metric'] = 'ap' and c['ap_denominator'] = 'k' or c['metric'] = 'f1' and c['precision_denominator'] = 'k' or c['metric'] = 'precision' and c['precision_denominator'] = 'k' or coalesce(c['metric'] in ('idcg', 'ndcg'), false) and d['ideal'] = 'constant') then 'case when s.k < 1000000000000000000 then ' else '' end, case when d['truthless'] then 'case when s.relevant > 0 then ' else '' end, case when d['zero_ideal'] = 'skip' then 'case when s.idcg > 0 then ' else '' end, c['natural'], case when d['zero_ideal'] = 'skip' then ' end' else '' end, case when d['truthless'] then concat(case when not coalesce(c['metric'] in ('ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'bpref', 'err', 'f1', 'mean_precision', 'r_precision'), false) then concat(' else coalesce(', c['natural'], ', 0e0)') when d['no_truth'] = 'one' then ' else 1e0' when d['no_truth'] = 'one_if_both_empty' then ' when s.listed = 0 then 1e0 else 0e0' else ' else 0e0' end, ' end') else '' end, case when d['uncut'] and (c['metric'] = 'mean_precision' or c['metric'] = 'ap' and c['ap_denominator'] = 'k' or c['metric'] = 'f1' and c['precision_denominator'] = 'k' or c['metric'] = 'precision' and c['precision_denominator'] = 'k' or coalesce(c['metric'] in ('idcg', 'ndcg'), false) and d['ideal'] = 'constant') then ' end' else '' end, ' as ', c['name'])), ''), $$
    from at_k as s
)$$);

-- one row if the input can't be measured: the message of the check with the lowest place
create or replace macro recsql.step_problems__per_user(d) as
concat($$,

-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    $$, case when d['lengths_count'] then concat($$    union all
        select 7 as place, p.message
        from (
            $$, recsql.check_crowded(d), $$
        ) as p
    $$) else '' end, case when d['has_hits'] and d['duplicates'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_duplicates(d), $$
        ) as p
    $$) else '' end, case when d['has_relevant'] and d['has_found'] and d['bounds'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_gains_below_zero(d), $$
        ) as p
    $$) else '' end, case when d['needs_gains'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_gains_out_of_range(d), $$
        ) as p
    $$) else '' end, case when d['needs_readings'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_grades(d), $$
        ) as p
    $$) else '' end, case when d['ties'] = 'input' and d['by_score'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_input_order(d), $$
        ) as p
    $$) else '' end, case when d['protocol'] = 'leave_one_out' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_leave_one_out(d), $$
        ) as p
    $$) else '' end, case when d['unordered'] and d['ranked_read'] and coalesce(d['truth_window'] in ('k', 'rank'), false) then concat($$    union all
        select 1 as place, p.message
        from (
            $$, recsql.check_no_order(d), $$
        ) as p
    $$) else '' end, case when d['no_truth'] = 'error' then concat($$    union all
        select 8 as place, p.message
        from (
            $$, recsql.check_no_truth(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 9 as place, p.message
        from (
            $$, recsql.check_nobody(d), $$
        ) as p
    $$, case when d['by_rank'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_ranks(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_recs_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_recs_ids(d), $$
        ) as p
        union all
        select 4 as place, p.message
        from (
            $$, recsql.check_relevance(d), $$
        ) as p
    $$, case when d['has_repeated_ranks'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_same_rank(d), $$
        ) as p
    $$) else '' end, case when d['by_score'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_scores(d), $$
        ) as p
    $$) else '' end, case when d['has_scored'] and d['unordered'] and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false) then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_tied_copies(d), $$
        ) as p
    $$) else '' end, case when d['has_scored'] and d['ties'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_ties(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_truth_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_truth_ids(d), $$
        ) as p
    $$, case when coalesce(d['truth_window'] in ('k', 'rank'), false) or d['ideal'] = 'truth_as_given' then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_truth_rank(d), $$
        ) as p
    $$) else '' end, $$) as p
    having count(*) > 0
)$$);

-- one row per catalogue item and category
create or replace macro recsql.step_given_items(d) as
concat($$,

-- one row per catalogue item and category
given_items as not materialized (
    select i.item_id, i.category
    from (
        from query_table('$$, d['source_items'], $$')
        union all by name
        select null::varchar as category where false
    ) as i
)$$);

-- one row per row of train
create or replace macro recsql.step_given_train(d) as
concat($$,

-- one row per row of train
given_train as not materialized (
    select t.user_id, t.item_id
    from (
        from query_table('$$, d['source_train'], $$')
        union all by name
        select null as user_id where false
    ) as t
)$$);

-- one row per scored item, ranked by its score
create or replace macro recsql.step_scored__item_metrics(d) as
concat($$,

-- one row per scored item, ranked by its score
scored as not materialized (
    $$, case when not d['unordered'] then concat($$select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, $$, case when d['ties'] = 'item_desc' then 'r.item_id desc' else case when d['ties'] = 'input' then 'r.rank asc, r.item_id asc' else 'r.item_id asc' end end, $$
        ) as rank
    from given_recs as r$$, case when d['any_order'] then $$
    where r.rank_by = 'score'$$ else '' end) else concat($$select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
        rank() over (partition by r.model, r.user_id order by r.score desc) as rank
    from (
    $$, case when d['closed'] then concat('    select r.model, r.user_id, r.item_id, ', case when d['duplicates'] = 'last' then 'min' else 'max' end, $$(r.score) as score
        from given_recs as r$$, case when d['any_order'] then $$
        where r.rank_by = 'score'$$ else '' end, $$
        group by r.model, r.user_id, r.item_id$$) else concat($$    select r.model, r.user_id, r.item_id, r.score
        from given_recs as r$$, case when d['any_order'] then $$
        where r.rank_by = 'score'$$ else '' end) end, $$
    ) as r$$) end, $$
)$$);

-- one row per row of recs, with its rank
create or replace macro recsql.step_ranked__item_metrics(d) as
concat($$,

-- one row per row of recs, with its rank
ranked as not materialized (
    $$, case when not d['closed'] then concat(case when d['by_rank'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.rank as last' else '' end, $$
    from given_recs as r$$, case when d['any_order'] then $$
    where r.rank_by = 'rank'$$ else '' end, case when d['by_score'] then $$
    union all
    $$ else '' end) else '' end, case when d['by_score'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.last' else '' end, $$
    from scored as r$$) else '' end) else concat('select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank', case when d['unordered'] then ', o.last - o.dropped as last' else '' end, $$
    from (
        select
            c.model,
            c.user_id,
            c.item_id,
            c.rank,
    $$, case when d['unordered'] then $$        c.last,
    $$ else '' end, $$        c.copy,
            -- rows with the same rank do not come before this one
            count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
            - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
    $$, case when d['unordered'] then $$            r.last,
    $$ else '' end, $$            row_number() over (
                    partition by r.model, r.user_id, r.item_id
                    order by $$, case when d['duplicates'] = 'last' then '-try_cast(r.rank as bigint)' else 'r.rank' end, $$ asc
                ) as copy
            from (
                $$, case when d['by_rank'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.rank as last' else '' end, $$
                from given_recs as r$$, case when d['any_order'] then $$
                where r.rank_by = 'rank'$$ else '' end, case when d['by_score'] then $$
                union all
                $$ else '' end) else '' end, case when d['by_score'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.last' else '' end, $$
                from scored as r$$) else '' end, $$
            ) as r
        ) as c
    ) as o
    where o.copy = 1$$) end, $$
)$$);

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
create or replace macro recsql.step_list_ranks__item_metrics(d) as
concat($$,

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
    $$, case when d['by_rank'] then concat('    bit_xor(hash(xor(hash(try_cast(', case when d['any_order'] then $$case when r.rank_by = 'rank' then r.rank end$$ else case when d['by_rank'] then 'r.rank' else 'null' end end, $$ as bigint)), hash(now())))) as ranks,
    $$) else '' end, $$    count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
)$$);

-- one row per recommended item of the lists that count
create or replace macro recsql.step_listed(d) as
concat($$,

-- one row per recommended item of the lists that count
listed as not materialized (
    select r.model, r.user_id, r.item_id, $$, case when coalesce(d['duplicates'] in ('hole', 'set'), false) then 'min(r.rank) as rank' else 'r.rank' end, $$
    from recommended as r$$, case when coalesce(d['duplicates'] in ('hole', 'set'), false) then $$
    group by r.model, r.user_id, r.item_id$$ else '' end, $$
)$$);

-- a single row: for each rank 1, 2, ... the smallest cut-off that includes it, up to the largest numeric cut-off
create or replace macro recsql.step_bands(d) as
concat($$,

-- a single row: for each rank 1, 2, ... the smallest cut-off that includes it, up to the largest numeric cut-off
bands as (
    select list(n.k order by n.rank asc) as cutoffs
    from (
        select i.i as rank, min(c.k) as k
        from (select unnest(range(1, $$, d['deepest'], $$ + 1)) as i) as i
        inner join cutoffs as c on c.k >= i.i
        group by i.i
    ) as n
)$$);

-- one row per model, item and cut-off (and group of users, for intervals): how often the item is in the top k, but below the next smaller cut-off
create or replace macro recsql.step_item_bands(d) as
concat($$,

-- one row per model, item and cut-off (and group of users, for intervals): how often the item is in the top k, but below the next smaller cut-off
item_bands as (
    select
        r.model,
        r.item_id,
        $$, case when d['uncut'] then 'coalesce(b.cutoffs[try_cast(r.rank as bigint)], 1000000000000000000)' else 'b.cutoffs[try_cast(r.rank as bigint)]' end, $$ as k,
    $$, case when d['needs_exposures'] then concat('    ', case when d['discount'] = 'none' then 'sum(try_cast(1e18 * 1e0 as hugeint)) / 1e18' else concat('sum(try_cast(1e18 * (', case when d['discount'] = 'log2p1' then '(1e0 / nullif(log2(r.rank + 1), 0))' when d['discount'] = 'jk2002' then '(1e0 / greatest(1e0, log2(r.rank)))' when d['discount'] = 'ln1p' then '(1e0 / nullif(ln(r.rank + 1), 0))' when d['discount'] = 'geometric' then concat('power(cast(', d['discount_p'], ' as double), r.rank - 1)') else '1e0' end, ') as hugeint)) / 1e18') end, $$ as exposure,
    $$) else '' end, $$    count(*) as times
    from listed as r
    cross join bands as b
    group by r.model, r.item_id, $$, case when d['uncut'] then 'coalesce(b.cutoffs[try_cast(r.rank as bigint)], 1000000000000000000)' else 'b.cutoffs[try_cast(r.rank as bigint)]' end, $$
)$$);

-- one row per model, cut-off and recommended item: how often it is in the top k
create or replace macro recsql.step_item_counts(d) as
concat($$,

-- one row per model, cut-off and recommended item: how often it is in the top k
item_counts as (
    select
        b.model,
        c.k,
        b.item_id,
    $$, case when d['needs_exposures'] then $$    sum(try_cast(1e18 * b.exposure as hugeint)) / 1e18 as exposure,
    $$ else '' end, $$    cast(sum(b.times) as bigint) as times
    from item_bands as b
    inner join cutoffs as c on c.k >= b.k
    group by b.model, c.k, b.item_id
)$$);

-- one row per item in train
create or replace macro recsql.step_train_items(d) as
concat($$,

-- one row per item in train
train_items as (
    select distinct t.item_id
    from given_train as t
    where t.item_id is not null
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in $$, d['name_recs'], $$ and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in $$, d['name_train'], $$; cast one of them to the other''s type' as message
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
)$$);

-- one row per item of the catalogue
create or replace macro recsql.step_catalog(d) as
concat($$,

-- one row per item of the catalogue
catalog as (
    $$, case when not d['items'] is null then concat($$select distinct i.item_id
    from given_items as i
    where i.item_id is not null
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in $$, d['name_recs'], $$ and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in $$, d['name_items'], $$; cast one of them to the other''s type' as message
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
        ) as g), true)$$) else $$select t.item_id
    from train_items as t$$ end, $$
)$$);

-- one row per model, cut-off and number of times (and group of users that is left out): how many items are recommended that often
create or replace macro recsql.step_item_frequencies(d) as
concat($$,

-- one row per model, cut-off and number of times (and group of users that is left out): how many items are recommended that often
item_frequencies as (
    select
        n.model,
        n.k,
        n.times,
        n.items,
    $$, case when d['needs_catalog'] then $$    n.catalog_items,
        sum(n.catalog_items) over (partition by n.model, n.k order by n.times asc) - n.catalog_items as catalog_below,
        cast(sum(n.times * n.catalog_items) over (partition by n.model, n.k) as double) as catalog_total,
    $$ else '' end, case when d['needs_train'] then $$    n.train_items,
    $$ else '' end, $$    sum(n.items) over (partition by n.model, n.k order by n.times asc) - n.items as below,
        cast(sum(n.times * n.items) over (partition by n.model, n.k) as double) as total
    from (
        select
            i.model,
            i.k,
            i.times,
        $$, case when d['needs_catalog'] then concat('    ', case when d['with_catalog'] then 'count(g.item_id)' else 'count(*)' end, $$ as catalog_items,
        $$) else '' end, case when d['needs_train'] then $$    count(t.item_id) as train_items,
        $$ else '' end, $$    count(*) as items
        from item_counts as i
        $$, case when d['needs_catalog'] and d['with_catalog'] then $$left join catalog as g on g.item_id = i.item_id
        $$ else '' end, case when d['needs_train'] then $$left join train_items as t on t.item_id = i.item_id
        $$ else '' end, $$group by i.model, i.k, i.times
    ) as n
)$$);

-- one row per model and cut-off: the statistics of the counts of the recommended items
create or replace macro recsql.step_items_at_k(d) as
concat($$,

-- one row per model and cut-off: the statistics of the counts of the recommended items
items_at_k as (
    select
        f.model,
        f.k$$, case when d['needs_catalog_information'] then $$,
        sum(try_cast(1e18 * (case when f.catalog_items > 0 then f.catalog_items * (f.times / f.catalog_total) * log2(f.catalog_total / f.times) end) as hugeint)) / 1e18 as catalog_information$$ else '' end, case when d['needs_catalog_items'] then $$,
        sum(f.catalog_items) as catalog_items$$ else '' end, case when d['needs_catalog_place_sum'] then $$,
        sum(f.times * (f.catalog_items * f.catalog_below + f.catalog_items * (f.catalog_items + 1) / 2e0)) as catalog_place_sum$$ else '' end, case when d['needs_catalog_recommendations'] then $$,
        sum(f.times * f.catalog_items) as catalog_recommendations$$ else '' end, case when d['needs_distinct_items'] then $$,
        sum(f.items) as distinct_items$$ else '' end, case when d['needs_information'] then $$,
        sum(try_cast(1e18 * (f.items * (f.times / f.total) * log2(f.total / f.times)) as hugeint)) / 1e18 as information$$ else '' end, case when d['needs_place_sum'] then $$,
        sum(f.times * (f.items * f.below + f.items * (f.items + 1) / 2e0)) as place_sum$$ else '' end, case when d['needs_recommendations'] then $$,
        sum(f.times * f.items) as recommendations$$ else '' end, case when d['needs_train_items'] then $$,
        sum(f.train_items) as train_items$$ else '' end, $$
    from item_frequencies as f
    group by f.model, f.k
)$$);

-- one row per model, cut-off and recommended item: its exposure, and its place in ascending order of exposure
create or replace macro recsql.step_item_exposures(d) as
concat($$,

-- one row per model, cut-off and recommended item: its exposure, and its place in ascending order of exposure
item_exposures as (
    select
        i.model,
        i.k,
        i.exposure,
        $$, case when d['with_catalog'] and d['needs_catalog'] then 'g.item_id is not null' else 'true' end, $$ as is_of_catalog,
        row_number() over (partition by i.model, i.k, $$, case when d['with_catalog'] and d['needs_catalog'] then 'g.item_id is not null' else 'true' end, $$ order by i.exposure asc, i.item_id asc) as catalog_place,
        row_number() over (partition by i.model, i.k order by i.exposure asc, i.item_id asc) as place
    from item_counts as i$$, case when d['with_catalog'] and d['needs_catalog'] then $$
    left join catalog as g on g.item_id = i.item_id$$ else '' end, $$
)$$);

-- one row per model and cut-off: the statistics of the exposure of the recommended items
create or replace macro recsql.step_exposures_at_k(d) as
concat($$,

-- one row per model and cut-off: the statistics of the exposure of the recommended items
exposures_at_k as (
    select
        x.model,
        x.k$$, case when d['needs_catalog_exposure'] then $$,
        sum(try_cast(1e18 * (case when x.is_of_catalog then x.exposure end) as hugeint)) / 1e18 as catalog_exposure$$ else '' end, case when d['needs_catalog_exposure_place_sum'] then $$,
        sum(try_cast(1e18 * (case when x.is_of_catalog then x.exposure * x.catalog_place end) as hugeint)) / 1e18 as catalog_exposure_place_sum$$ else '' end, case when d['needs_exposure'] then $$,
        sum(try_cast(1e18 * x.exposure as hugeint)) / 1e18 as exposure$$ else '' end, case when d['needs_exposure_place_sum'] then $$,
        sum(try_cast(1e18 * (x.exposure * x.place) as hugeint)) / 1e18 as exposure_place_sum$$ else '' end, $$
    from item_exposures as x
    group by x.model, x.k
)$$);

-- one row per model, cut-off and recommended item: its information in bits
create or replace macro recsql.step_item_information(d) as
$$,

-- one row per model, cut-off and recommended item: its information in bits
item_information as (
    select
        i.model,
        i.k,
        i.item_id,
        log2(sum(i.times) over (partition by i.model, i.k) / cast(i.times as double)) as information
    from item_counts as i
)$$;

-- one row per model, user and cut-off: the mean information of the items in the list
create or replace macro recsql.step_list_entropies(d) as
$$,

-- one row per model, user and cut-off: the mean information of the items in the list
list_entropies as (
    select r.model, r.user_id, i.k, sum(try_cast(1e18 * i.information as hugeint)) / 1e18 / count(i.information) as information
    from listed as r
    inner join item_information as i on i.model is not distinct from r.model and i.item_id = r.item_id and i.k >= r.rank
    group by r.model, r.user_id, i.k
)$$;

-- one row per model and cut-off: the statistics of the lists
create or replace macro recsql.step_lists_at_k(d) as
concat($$,

-- one row per model and cut-off: the statistics of the lists
lists_at_k as (
    select
        y.model,
        y.k$$, case when d['needs_list_information'] then $$,
        sum(try_cast(1e18 * y.information as hugeint)) / 1e18 / count(y.information) as list_information$$ else '' end, case when d['needs_lists'] then $$,
        count(*) as lists$$ else '' end, $$
    from list_entropies as y
    group by y.model, y.k
)$$);

-- one row per item and category of the item
create or replace macro recsql.step_item_categories(d) as
$$,

-- one row per item and category of the item
item_categories as (
    select distinct i.item_id, i.category
    from given_items as i
    where i.item_id is not null and i.category is not null
)$$;

-- one row per model, user, cut-off and category: how many items of the list have it; category is NULL for items without one
create or replace macro recsql.step_category_counts(d) as
$$,

-- one row per model, user, cut-off and category: how many items of the list have it; category is NULL for items without one
category_counts as (
    select r.model, r.user_id, c.k, g.category, count(g.category) as items
    from listed as r
    inner join cutoffs as c on c.k >= r.rank
    left join item_categories as g on g.item_id = r.item_id
    group by r.model, r.user_id, c.k, g.category
)$$;

-- one row per model, user and cut-off: the entropy of the list's categories; NULL without categories and smoothing
create or replace macro recsql.step_category_entropies(d) as
concat($$,

-- one row per model, user and cut-off: the entropy of the list's categories; NULL without categories and smoothing
category_entropies as (
    select
        n.model,
        n.user_id,
        n.k,
        sum(try_cast(1e18 * (case
            when n.items > 0 then (n.items + cast($$, d['smoothing'], ' as double)) / n.total * log2(1e0 / ((n.items + cast(', d['smoothing'], $$ as double)) / n.total))
            when n.total > 0 then 0e0
        end) as hugeint)) / 1e18
        + max(case when cast($$, d['smoothing'], ' as double) > 0 then (n.categories - n.seen) * cast(', d['smoothing'], ' as double) / n.total * log2(1e0 / (cast(', d['smoothing'], $$ as double) / n.total)) else 0e0 end) as entropy
    from (
        select
            g.model,
            g.user_id,
            g.k,
            g.items,
            a.categories,
            count(g.category) over (partition by g.model, g.user_id, g.k) as seen,
            sum(g.items) over (partition by g.model, g.user_id, g.k) + a.categories * cast($$, d['smoothing'], $$ as double) as total
        from category_counts as g
        cross join (select count(distinct i.category) as categories from item_categories as i) as a
    ) as n
    group by n.model, n.user_id, n.k
)$$);

-- one row per model and cut-off: the statistics of the categories in the lists
create or replace macro recsql.step_categories_at_k(d) as
concat($$,

-- one row per model and cut-off: the statistics of the categories in the lists
categories_at_k as (
    select
        y.model,
        y.k$$, case when d['needs_category_information'] then $$,
        sum(try_cast(1e18 * y.entropy as hugeint)) / 1e18 / count(y.entropy) as category_information$$ else '' end, case when d['needs_category_lists'] then $$,
        count(y.entropy) as category_lists$$ else '' end, $$
    from category_entropies as y
    group by y.model, y.k
)$$);

-- one row per item in train: its rows, and its users if a metric counts these; NULL if it has none
create or replace macro recsql.step_train_counts(d) as
concat($$,

-- one row per item in train: its rows, and its users if a metric counts these; NULL if it has none
train_counts as (
    select
        t.item_id,
    $$, case when d['train_users_counted'] then concat($$    nullif(count(t.user_id), 0) as users,
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
                    || ' in $$, d['name_recs'], $$ and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in $$, d['name_train'], $$; cast one of them to the other''s type' as message
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
    ) as t$$) else concat($$    count(*) as interactions
    from given_train as t
    where t.item_id is not null
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in $$, d['name_recs'], $$ and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in $$, d['name_train'], $$; cast one of them to the other''s type' as message
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
        ) as g), true)$$) end, $$
    group by t.item_id
)$$);

-- a single row: the number of rows of train, and of users if a metric counts these
create or replace macro recsql.step_train_totals(d) as
concat($$,

-- a single row: the number of rows of train, and of users if a metric counts these
train_totals as (
    select
    $$, case when d['train_users_counted'] then $$    count(distinct t.user_id) as users,
    $$ else '' end, $$    count(*) as interactions
    from given_train as t
    where t.item_id is not null
)$$);

-- one row per item in train: its self-information in bits, and its popularity
create or replace macro recsql.step_item_popularities(d) as
concat($$,

-- one row per item in train: its self-information in bits, and its popularity
item_popularities as (
    select
        t.item_id$$, case when d['needs_novelties'] then concat($$,
        log2(cast(n.$$, d['novelty_base'], ' as double) / t.', d['novelty_base'], ') as novelty') else '' end, case when d['needs_popularities'] then concat($$,
        t.$$, d['popularity_base'], ' as popularity') else '' end, $$
    from train_counts as t$$, case when d['needs_novelties'] then $$
    cross join train_totals as n$$ else '' end, $$
)$$);

-- one row per model, user and cut-off: the novelty of its items and how many have one, and their mean popularity
create or replace macro recsql.step_list_popularities(d) as
concat($$,

-- one row per model, user and cut-off: the novelty of its items and how many have one, and their mean popularity
list_popularities as (
    select
        r.model,
        r.user_id,
        c.k$$, case when d['needs_novelties'] then concat($$,
        sum(try_cast(1e18 * ($$, case when d['novelty_unseen'] = 'skip' then 'i.novelty' else concat('coalesce(i.novelty, ', case when d['novelty_unseen'] = 'one' then concat('(select log2(nullif(cast(n.', d['novelty_base'], ' as double), 0e0)) from train_totals as n)') else case when d['novelty_unseen'] = 'max' then '(select max(m.novelty) from item_popularities as m)' else '0e0' end end, ')') end, $$) as hugeint)) / 1e18 as novelty,
        $$, case when d['novelty_unseen'] = 'skip' then 'count(i.novelty)' else 'count(*)' end, ' as novelty_items') else '' end, case when d['needs_popularities'] then concat($$,
        cast(sum($$, case when d['popularity_unseen'] = 'skip' then 'i.popularity' else 'coalesce(i.popularity, 0)' end, ') as double) / nullif(', case when d['popularity_unseen'] = 'skip' then 'count(i.popularity)' else 'count(*)' end, ', 0) as popularity') else '' end, $$
    from listed as r
    inner join cutoffs as c on c.k >= r.rank
    left join item_popularities as i on i.item_id = r.item_id
    group by r.model, r.user_id, c.k
)$$);

-- one row per model and cut-off: the statistics of the novelty and popularity of the items in the lists
create or replace macro recsql.step_popularities_at_k(d) as
concat($$,

-- one row per model and cut-off: the statistics of the novelty and popularity of the items in the lists
popularities_at_k as (
    select
        y.model,
        y.k$$, case when d['needs_mean_novelty'] then $$,
        sum(try_cast(1e18 * (y.novelty / nullif(y.novelty_items, 0)) as hugeint)) / 1e18 / count(y.novelty / nullif(y.novelty_items, 0)) as mean_novelty$$ else '' end, case when d['needs_mean_popularity'] then $$,
        sum(try_cast(1e18 * y.popularity as hugeint)) / 1e18 / count(y.popularity) as mean_popularity$$ else '' end, case when d['needs_novelty_items'] then $$,
        sum(y.novelty_items) as novelty_items$$ else '' end, case when d['needs_novelty_lists'] then $$,
        count(y.novelty) as novelty_lists$$ else '' end, case when d['needs_novelty_total'] then $$,
        sum(try_cast(1e18 * y.novelty as hugeint)) / 1e18 as novelty_total$$ else '' end, case when d['needs_popularity_lists'] then $$,
        count(y.popularity) as popularity_lists$$ else '' end, $$
    from list_popularities as y
    group by y.model, y.k
)$$);

-- one row per model and cut-off: the statistics that the metrics of all lists together read
create or replace macro recsql.step_run_at_k(d) as
concat($$,

-- one row per model and cut-off: the statistics that the metrics of all lists together read
run_at_k as (
    select
        m.model,
        c.k$$, case when d['needs_catalog_information'] then $$,
        i.catalog_information$$ else '' end, case when d['needs_catalog_items'] then $$,
        coalesce(i.catalog_items, 0) as catalog_items$$ else '' end, case when d['needs_catalog_place_sum'] then $$,
        i.catalog_place_sum$$ else '' end, case when d['needs_catalog_recommendations'] then $$,
        i.catalog_recommendations$$ else '' end, case when d['needs_distinct_items'] then $$,
        coalesce(i.distinct_items, 0) as distinct_items$$ else '' end, case when d['needs_information'] then $$,
        i.information$$ else '' end, case when d['needs_place_sum'] then $$,
        i.place_sum$$ else '' end, case when d['needs_recommendations'] then $$,
        i.recommendations$$ else '' end, case when d['needs_train_items'] then $$,
        coalesce(i.train_items, 0) as train_items$$ else '' end, case when d['needs_catalog_exposure'] then $$,
        e.catalog_exposure$$ else '' end, case when d['needs_catalog_exposure_place_sum'] then $$,
        e.catalog_exposure_place_sum$$ else '' end, case when d['needs_exposure'] then $$,
        e.exposure$$ else '' end, case when d['needs_exposure_place_sum'] then $$,
        e.exposure_place_sum$$ else '' end, case when d['needs_list_information'] then $$,
        l.list_information$$ else '' end, case when d['needs_lists'] then $$,
        coalesce(l.lists, 0) as lists$$ else '' end, case when d['needs_category_information'] then $$,
        q.category_information$$ else '' end, case when d['needs_category_lists'] then $$,
        coalesce(q.category_lists, 0) as category_lists$$ else '' end, case when d['needs_mean_novelty'] then $$,
        p.mean_novelty$$ else '' end, case when d['needs_mean_popularity'] then $$,
        p.mean_popularity$$ else '' end, case when d['needs_novelty_items'] then $$,
        p.novelty_items$$ else '' end, case when d['needs_novelty_lists'] then $$,
        coalesce(p.novelty_lists, 0) as novelty_lists$$ else '' end, case when d['needs_novelty_total'] then $$,
        p.novelty_total$$ else '' end, case when d['needs_popularity_lists'] then $$,
        coalesce(p.popularity_lists, 0) as popularity_lists$$ else '' end, case when d['needs_catalog_size'] then concat($$,
        $$, case when d['catalog_size'] is null then 'cast((select count(*) from catalog as g) as double)' else concat($$case
            when coalesce(i.catalog_items, 0) > $$, d['catalog_size'], $$
                then error(
                    'catalog_size: '
                    || coalesce(cast($$, d['catalog_size'], $$ as varchar), 'NULL')
                    || ' is too small; at k = '
                    || coalesce(cast($$, case when d['uncut'] then $$coalesce(cast(nullif(c.k, 1000000000000000000) as varchar), 'all')$$ else 'c.k' end, $$ as varchar), 'NULL')
                    || ' there are '
                    || coalesce(cast(coalesce(i.catalog_items, 0) as varchar), 'NULL')
                    || ' different items'
                )
            else cast($$, d['catalog_size'], $$ as double)
        end$$) end, ' as catalog_size') else '' end, case when d['needs_highest_popularity'] then $$,
        cast((select max(i.popularity) from item_popularities as i) as double) as highest_popularity$$ else '' end, case when d['needs_train_popularity'] then $$,
        cast((select sum(i.popularity) from item_popularities as i) as double) as train_popularity$$ else '' end, case when d['needs_train_size'] then $$,
        cast((select count(*) from train_items as t) as double) as train_size$$ else '' end, case when d['needs_train_users'] then $$,
        cast((select n.users from train_totals as n) as double) as train_users$$ else '' end, $$
    from models as m
    cross join cutoffs as c$$, case when d['needs_items_at_k'] then $$
    left join items_at_k as i on i.model is not distinct from m.model and i.k = c.k$$ else '' end, case when d['needs_exposures_at_k'] then $$
    left join exposures_at_k as e on e.model is not distinct from m.model and e.k = c.k$$ else '' end, case when d['needs_lists_at_k'] then $$
    left join lists_at_k as l on l.model is not distinct from m.model and l.k = c.k$$ else '' end, case when d['needs_categories_at_k'] then $$
    left join categories_at_k as q on q.model is not distinct from m.model and q.k = c.k$$ else '' end, case when d['needs_popularities_at_k'] then $$
    left join popularities_at_k as p on p.model is not distinct from m.model and p.k = c.k$$ else '' end, $$
)$$);

-- one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists
create or replace macro recsql.step_per_run(d) as
concat($$,

-- one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists
per_run as (
    select
        s.model,
        s.k$$, array_to_string(list_transform(d['measured'], lambda c: concat($$,
        $$, c['natural'], ' as ', c['name'], $$,
        $$, case when c['metric'] = 'coverage' then 'cast(null as bigint)' when c['metric'] = 'entropy' then concat('cast(', case when c['entropy_scope'] = 'list' then 's.lists' when c['entropy_scope'] = 'category' then 's.category_lists' else 'null' end, ' as bigint)') when c['metric'] = 'gini' then 'cast(null as bigint)' when c['metric'] = 'novelty' then concat('cast(', case when c['novelty_mean'] = 'lists' then 's.novelty_lists' else 'null' end, ' as bigint)') when c['metric'] = 'popularity' then 'cast(s.popularity_lists as bigint)' else '' end, ' as ', c['name'], '_users')), ''), $$
    from run_at_k as s
)$$);

-- one row per model, metric and cut-off
create or replace macro recsql.step_summary__item_metrics(d) as
concat($$,

-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        a.metric,
        m.k,
        case a.place
    $$, array_to_string(list_transform(d['measured'], lambda c: case when c['shown'] then concat('        when ', c['place'], ' then m.', c['name'], $$
    $$) else '' end), ''), $$    end as value,
        case a.place
    $$, array_to_string(list_transform(d['measured'], lambda c: case when c['shown'] then concat('        when ', c['place'], ' then m.', c['name'], $$_users
    $$) else '' end), ''), $$    end as users,
        a.place
    from per_run as m
    cross join asked as a$$, case when len(list_distinct(list_transform(list_filter(d['measured'], lambda c: c['shown']), lambda c: c['ks_text']))) > 1 then concat($$
    where
        case a.place
    $$, array_to_string(list_transform(d['measured'], lambda c: case when c['shown'] then concat('        when ', c['place'], ' then m.k in (', c['ks_text'], $$)
    $$) else '' end), ''), '    end') else '' end, $$
)$$);

-- {items}: no item has a category; entropy_scope = 'category' needs a column category with one category per row
create or replace macro recsql.check_categories(d) as
concat($$select
                '$$, d['name_items'], $$: no item has a category; entropy_scope = ''category'' needs a column category with one category per row' as message
            from (select count(*) as categories from item_categories as i) as n
            where n.categories = 0$$);

-- {items}: category is {found}; unnest it in a view, with one category per row
create or replace macro recsql.check_category_lists(d) as
concat($$select
                '$$, d['name_items'], $$: category is '
                || coalesce(cast(typeof(i.category) as varchar), 'NULL')
                || '; unnest it in a view, with one category per row' as message
            from given_items as i
            where typeof(i.category) like '%]'
            limit 1$$);

-- {recs}: item {item} appears more than once in the list of user {user}, which ties = '{ties}' with duplicates = '{duplicates}' does not support; list it once, or use duplicates = 'first'
create or replace macro recsql.check_tied_copies__item_metrics(d) as
concat($$select
                '$$, d['name_recs'], $$: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', which ties = ''$$, d['ties'], $$'' with duplicates = ''$$, d['duplicates'], $$'' does not support; list it once, or use duplicates = ''first''' as message
            from scored as r
            group by r.model, r.user_id, r.item_id
            having count(*) > $$, case when d['duplicates'] = 'set' then '1' else 'count(distinct r.score)' end, $$
            order by r.user_id asc, r.item_id asc
            limit 1$$);

-- {train}: no row has a user; base = 'users' of novelty and popularity needs a column user_id
create or replace macro recsql.check_train_users(d) as
concat($$select
                '$$, d['name_train'], $$: no row has a user; base = ''users'' of novelty and popularity needs a column user_id' as message
            from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
            where n.interactions > 0 and n.users = 0$$);

-- popularity_unseen = 'error': item {item} in the list of user {user} is not in {train}; add it there, or choose another value
create or replace macro recsql.check_unseen_items(d) as
concat($$select
                'popularity_unseen = ''error'': item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ' is not in $$, d['name_train'], $$; add it there, or choose another value' as message
            from listed as r
            left join train_counts as t on t.item_id = r.item_id
            where t.item_id is null
            order by r.user_id asc, r.item_id asc
            limit 1$$);

-- one row if the input can't be measured: the message of the check with the lowest place
create or replace macro recsql.step_problems__item_metrics(d) as
concat($$,

-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    $$, case when d['has_item_categories'] then concat($$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_categories(d), $$
        ) as p
    $$) else '' end, case when d['has_item_categories'] then concat($$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_category_lists(d), $$
        ) as p
    $$) else '' end, case when d['ties'] = 'input' and d['by_score'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_input_order(d), $$
        ) as p
    $$) else '' end, case when d['unordered'] then concat($$    union all
        select 1 as place, p.message
        from (
            $$, recsql.check_no_order(d), $$
        ) as p
    $$) else '' end, case when d['by_rank'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_ranks(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_recs_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_recs_ids(d), $$
        ) as p
    $$, case when d['has_repeated_ranks'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_same_rank(d), $$
        ) as p
    $$) else '' end, case when d['by_score'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_scores(d), $$
        ) as p
    $$) else '' end, case when d['has_scored'] and d['unordered'] and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false) then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_tied_copies__item_metrics(d), $$
        ) as p
    $$) else '' end, case when d['has_scored'] and d['ties'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_ties(d), $$
        ) as p
    $$) else '' end, case when d['has_train_counts'] and d['train_users_counted'] then concat($$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_train_users(d), $$
        ) as p
    $$) else '' end, case when d['has_list_popularities'] and d['needs_popularities'] and d['popularity_unseen'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_unseen_items(d), $$
        ) as p
    $$) else '' end, $$) as p
    having count(*) > 0
)$$);

-- one row per row of predictions, with recsql's column names
create or replace macro recsql.step_given_predictions(d) as
concat($$-- one row per row of predictions, with recsql's column names
given_predictions as not materialized (
    select p.model, p.user_id, p.item_id, cast(p.prediction as double) as prediction, cast(p.rating as double) as rating
    from (
        from query_table('$$, d['source_predictions'], $$')
        union all by name
        select null::varchar as model, null as rating
        where false
    ) as p
)$$);

-- one row per row of ratings, with recsql's column names
create or replace macro recsql.step_given_ratings(d) as
concat($$,

-- one row per row of ratings, with recsql's column names
given_ratings as not materialized (
    select t.user_id, t.item_id, cast(t.rating as double) as rating
    from (
        from query_table('$$, d['source_ratings'], $$')
        union all by name
        select null as rating
        where false
    ) as t
)$$);

-- one row per rating with its prediction, which is NULL if it is missing
create or replace macro recsql.step_pairs(d) as
concat($$,

-- one row per rating with its prediction, which is NULL if it is missing
pairs as (
    $$, case when d['ratings_apart'] then concat($$select p.model, p.user_id, p.item_id, t.rating, p.prediction
    from given_predictions as p
    inner join given_ratings as t
        on t.user_id = p.user_id
        and t.item_id = p.item_id
        and coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in $$, d['name_predictions'], $$ and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in $$, d['name_ratings'], $$; cast one of them to the other''s type' as message
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
        ) as g), true)$$) else $$select p.model, p.user_id, p.item_id, p.rating, p.prediction
    from given_predictions as p$$ end, $$
)$$);

-- one row per model, and per user if mean = users: the means that the variances need
create or replace macro recsql.step_centres(d) as
concat($$,

-- one row per model, and per user if mean = users: the means that the variances need
centres as (
    select
        p.model,
        $$, case when d['by_user'] then 'p.user_id' else 'null' end, $$ as rater,
        case when min(p.rating) < max(p.rating) then case when max(abs(p.rating)) < 1e9 and avg(abs(p.rating)) > 1e-6 then sum(try_cast(1e18 * (case when abs(p.rating) < 1e9 then p.rating end) as hugeint)) / 1e18 else fsum(p.rating) end / count(*) else min(p.rating) end as rating,
        case when min(p.rating - p.prediction) < max(p.rating - p.prediction) then case when max(abs(p.rating - p.prediction)) < 1e9 and avg(abs(p.rating - p.prediction)) > 1e-6 then sum(try_cast(1e18 * (case when abs(p.rating - p.prediction) < 1e9 then p.rating - p.prediction end) as hugeint)) / 1e18 else fsum(p.rating - p.prediction) end / count(*) else min(p.rating - p.prediction) end as error
    from pairs as p
    where p.prediction is not null
    group by p.model$$, case when d['by_user'] then ', p.user_id' else '' end, $$
)$$);

-- one row per model, and per user if mean = users: the statistics of the pairs
create or replace macro recsql.step_rating_errors(d) as
concat($$,

-- one row per model, and per user if mean = users: the statistics of the pairs
rating_errors as (
    select
        p.model,
        $$, case when d['by_user'] then 'p.user_id' else 'null' end, $$ as rater,
    $$, case when d['needs_absolute_error'] then $$    case when max(abs(abs(p.rating - p.prediction))) < 1e9 and avg(abs(abs(p.rating - p.prediction))) > 1e-6 then sum(try_cast(1e18 * (case when abs(abs(p.rating - p.prediction)) < 1e9 then abs(p.rating - p.prediction) end) as hugeint)) / 1e18 else fsum(abs(p.rating - p.prediction)) end as absolute_error,
    $$ else '' end, case when d['needs_error_variance'] then $$    case when max(abs(power(p.rating - p.prediction - c.error, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction - c.error, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction - c.error, 2)) < 1e9 then power(p.rating - p.prediction - c.error, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction - c.error, 2)) end / nullif(count(p.prediction), 0) as error_variance,
    $$ else '' end, case when d['needs_pairs'] then $$    count(p.prediction) as pairs,
    $$ else '' end, case when d['needs_rating_variance'] then $$    case when max(abs(power(p.rating - c.rating, 2))) < 1e9 and avg(abs(power(p.rating - c.rating, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - c.rating, 2)) < 1e9 then power(p.rating - c.rating, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - c.rating, 2)) end / nullif(count(p.prediction), 0) as rating_variance,
    $$ else '' end, case when d['needs_squared_error'] then $$    case when max(abs(power(p.rating - p.prediction, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction, 2)) < 1e9 then power(p.rating - p.prediction, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction, 2)) end as squared_error,
    $$ else '' end, $$    count(distinct case when p.prediction is not null then p.user_id end) as users,
        count(p.prediction) as used,
        count(*) - count(p.prediction) as missing
    from pairs as p$$, case when d['needs_means'] then concat($$
    left join centres as c
        on
            c.model is not distinct from p.model
    $$, case when d['by_user'] then $$        and c.rater is not distinct from p.user_id
    $$ else '' end, '        and p.prediction is not null') else '' end, $$
    group by p.model$$, case when d['by_user'] then ', p.user_id' else '' end, $$
)$$);

-- one row per model, and per user if mean = users: the metrics
create or replace macro recsql.step_rating_metrics(d) as
concat($$,

-- one row per model, and per user if mean = users: the metrics
rating_metrics as (
    select
        s.model,
        s.users$$, array_to_string(list_transform(d['measured'], lambda c: concat($$,
        $$, c['natural'], ' as ', c['name'])), ''), $$
    from rating_errors as s
)$$);

-- one row per model with predictions: how many pairs were compared, and how many rows had no match
create or replace macro recsql.step_rating_counts(d) as
concat($$,

-- one row per model with predictions: how many pairs were compared, and how many rows had no match
rating_counts as (
    select
        p.model,
        coalesce(s.used, 0) as pairs,
        coalesce(s.missing, 0) as missing,
        $$, case when d['ratings_apart'] then 'p.predictions - coalesce(s.used + s.missing, 0)' else '0' end, $$ as unmatched_predictions,
        $$, case when d['ratings_apart'] then '(select count(*) from given_ratings as t) - coalesce(s.used + s.missing, 0)' else '0' end, $$ as unmatched_ratings
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
)$$);

-- one row per model with predictions: the metrics, and the number of users
create or replace macro recsql.step_rating_means(d) as
concat($$,

-- one row per model with predictions: the metrics, and the number of users
rating_means as (
    select
        n.model$$, array_to_string(list_transform(d['measured'], lambda c: concat($$,
        case when max(abs(s.$$, c['name'], ')) < 1e9 and avg(abs(s.', c['name'], ')) > 1e-6 then sum(try_cast(1e18 * (case when abs(s.', c['name'], ') < 1e9 then s.', c['name'], ' end) as hugeint)) / 1e18 else fsum(s.', c['name'], ') end / count(s.', c['name'], ') as ', c['name'], $$,
        cast(coalesce(sum(case when s.$$, c['name'], ' is not null then s.users end), 0) as bigint) as ', c['name'], '_users')), ''), $$
    from rating_counts as n
    left join rating_metrics as s on s.model is not distinct from n.model
    group by n.model
)$$);

-- one row per model and metric
create or replace macro recsql.step_rating_summary(d) as
concat($$,

-- one row per model and metric
rating_summary as (
    select
        m.model,
        a.metric,
        case a.place
    $$, array_to_string(list_transform(d['measured'], lambda c: concat('        when ', c['place'], ' then m.', c['name'], $$
    $$)), ''), $$    end as value,
        case a.place
    $$, array_to_string(list_transform(d['measured'], lambda c: concat('        when ', c['place'], ' then m.', c['name'], $$_users
    $$)), ''), $$    end as users,
        a.place
    from rating_means as m
    cross join asked as a
)$$);

-- {predictions}: prediction is NULL for user {user}, item {item}; missing = 'error' does not allow that
create or replace macro recsql.check_missing(d) as
concat($$select
                '$$, d['name_predictions'], $$: prediction is NULL for user '
                || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                || '; missing = ''error'' does not allow that' as message
            from given_predictions as p
            where p.prediction is null
            order by p.user_id asc, p.item_id asc
            limit 1$$);

-- {predictions}: no rating has a prediction; check the ids, and that not every prediction is NULL
create or replace macro recsql.check_no_pairs(d) as
concat($$select
                '$$, d['name_predictions'], $$: no rating has a prediction; check the ids, and that not every prediction is NULL' as message
            from (select sum(n.pairs) as pairs from rating_counts as n) as n
            where coalesce(n.pairs, 0) = 0$$);

-- {predictions}: {column} is NULL in a row (user_id {user}, item_id {item}); leave such rows out or give them an id
create or replace macro recsql.check_pair_ids(d) as
concat($$select
                '$$, d['name_predictions'], $$: '
                || coalesce(cast(case when p.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_predictions as p
            where p.user_id is null or p.item_id is null
            order by p.user_id asc, p.item_id asc
            limit 1$$);

-- {table}: user {user} and item {item} appear together more than once{model}; keep one row per pair to join ratings and predictions
create or replace macro recsql.check_pairs_twice(d) as
concat($$select
                coalesce(cast(t.name as varchar), 'NULL')
                || ': user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ' and item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appear together more than once'
                || coalesce(cast(coalesce(' for model ' || t.model, '') as varchar), 'NULL')
                || '; keep one row per pair to join ratings and predictions' as message
            from (
                select '$$, d['name_predictions'], $$' as name, p.model, p.user_id, p.item_id
                from given_predictions as p
                group by p.model, p.user_id, p.item_id
                having count(*) > 1
                union all
                select '$$, d['name_ratings'], $$' as name, null as model, t.user_id, t.item_id
                from given_ratings as t
                group by t.user_id, t.item_id
                having count(*) > 1
            ) as t
            order by t.name asc, t.user_id asc, t.item_id asc
            limit 1$$);

-- {predictions}: prediction is {found} for user {user}, item {item}; give a number below 1e150, or NULL for no prediction
create or replace macro recsql.check_predictions(d) as
concat($$select
                '$$, d['name_predictions'], $$: prediction is '
                || coalesce(cast(p.prediction as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                || '; give a number below 1e150, or NULL for no prediction' as message
            from given_predictions as p
            where isnan(p.prediction + 0 * random()) or abs(p.prediction) >= 1e150
            order by p.user_id asc, p.item_id asc
            limit 1$$);

-- {ratings}: {column} is NULL in a row (user_id {user}, item_id {item}); leave such rows out or give them an id
create or replace macro recsql.check_rating_ids(d) as
concat($$select
                '$$, d['name_ratings'], $$: '
                || coalesce(cast(case when t.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is NULL in a row (user_id '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item_id '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '); leave such rows out or give them an id' as message
            from given_ratings as t
            where t.user_id is null or t.item_id is null
            order by t.user_id asc, t.item_id asc
            limit 1$$);

-- {ratings}: rating is {found} for user {user}, item {item}; every rating must be a number below 1e150
create or replace macro recsql.check_ratings(d) as
concat($$select
                '$$, d['name_ratings'], $$: rating is '
                || coalesce(cast(t.rating as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; every rating must be a number below 1e150' as message
            from given_ratings as t
            where t.rating is null or isnan(t.rating + 0 * random()) or abs(t.rating) >= 1e150
            order by t.user_id asc, t.item_id asc
            limit 1$$);

-- {predictions}: rating is {found} for user {user}, item {item}; every rating must be a number below 1e150, here or in the table passed as ratings
create or replace macro recsql.check_ratings_beside(d) as
concat($$select
                '$$, d['name_predictions'], $$: rating is '
                || coalesce(cast(p.rating as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                || '; every rating must be a number below 1e150, here or in the table passed as ratings' as message
            from given_predictions as p
            where p.rating is null or isnan(p.rating + 0 * random()) or abs(p.rating) >= 1e150
            order by p.user_id asc, p.item_id asc
            limit 1$$);

-- one row if the input can't be measured: the message of the check with the lowest place
create or replace macro recsql.step_problems__rating_metrics(d) as
concat($$,

-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    $$, case when d['missing'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_missing(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_no_pairs(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_pair_ids(d), $$
        ) as p
    $$, case when d['has_given_ratings'] then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_pairs_twice(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_predictions(d), $$
        ) as p
    $$, case when d['has_given_ratings'] then concat($$    union all
        select 3 as place, p.message
        from (
            $$, recsql.check_rating_ids(d), $$
        ) as p
    $$) else '' end, case when d['has_given_ratings'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_ratings(d), $$
        ) as p
    $$) else '' end, case when not d['ratings_apart'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_ratings_beside(d), $$
        ) as p
    $$) else '' end, $$) as p
    having count(*) > 0
)$$);

-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
create or replace macro recsql.step_fingerprints__hits(d) as
concat($$,

-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
fingerprints as (
    select
        t.user_id,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
        count(*) as stated
    from (
        select t.user_id, t.item_id
        from given_truth as t
        where $$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 't.relevance > 0' else concat('t.relevance >= ', d['relevance_threshold']) end, $$
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in $$, d['name_recs'], $$ and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in $$, d['name_truth'], $$; cast one of them to the other''s type' as message
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
)$$);

-- one row per scored item, ranked by its score
create or replace macro recsql.step_scored__hits(d) as
concat($$,

-- one row per scored item, ranked by its score
scored as not materialized (
    $$, case when not d['unordered'] then concat($$select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, $$, case when d['ties'] = 'item_desc' then 'r.item_id desc' else case when d['ties'] = 'input' then 'r.rank asc, r.item_id asc' else 'r.item_id asc' end end, $$
        ) as rank
    from $$, case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end, ' as r', case when d['any_order'] then $$
    where r.rank_by = 'score'$$ else '' end) else concat($$select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
        rank() over (partition by r.model, r.user_id order by r.score desc) as rank
    from (
    $$, case when d['closed'] then concat('    select r.model, r.user_id, r.item_id, ', case when d['duplicates'] = 'last' then 'min' else 'max' end, $$(r.score) as score
        from $$, case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end, ' as r', case when d['any_order'] then $$
        where r.rank_by = 'score'$$ else '' end, $$
        group by r.model, r.user_id, r.item_id$$) else concat($$    select r.model, r.user_id, r.item_id, r.score
        from $$, case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end, ' as r', case when d['any_order'] then $$
        where r.rank_by = 'score'$$ else '' end) end, $$
    ) as r$$) end, $$
)$$);

-- one row per row of recs, with its rank
create or replace macro recsql.step_ranked__hits(d) as
concat($$,

-- one row per row of recs, with its rank
ranked as not materialized (
    $$, case when not d['closed'] then concat(case when d['by_rank'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.rank as last' else '' end, $$
    from $$, case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end, ' as r', case when d['any_order'] then $$
    where r.rank_by = 'rank'$$ else '' end, case when d['by_score'] then $$
    union all
    $$ else '' end) else '' end, case when d['by_score'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.last' else '' end, $$
    from scored as r$$) else '' end) else concat('select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank', case when d['unordered'] then ', o.last - o.dropped as last' else '' end, $$
    from (
        select
            c.model,
            c.user_id,
            c.item_id,
            c.rank,
    $$, case when d['unordered'] then $$        c.last,
    $$ else '' end, $$        c.copy,
            -- rows with the same rank do not come before this one
            count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
            - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
    $$, case when d['unordered'] then $$            r.last,
    $$ else '' end, $$            row_number() over (
                    partition by r.model, r.user_id, r.item_id
                    order by $$, case when d['duplicates'] = 'last' then '-try_cast(r.rank as bigint)' else 'r.rank' end, $$ asc
                ) as copy
            from (
                $$, case when d['by_rank'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.rank as last' else '' end, $$
                from $$, case when d['judged_only'] = 'true' then 'judged_recs' else 'given_recs' end, ' as r', case when d['any_order'] then $$
                where r.rank_by = 'rank'$$ else '' end, case when d['by_score'] then $$
                union all
                $$ else '' end) else '' end, case when d['by_score'] then concat('select r.model, r.user_id, r.item_id, r.rank', case when d['unordered'] then ', r.last' else '' end, $$
                from scored as r$$) else '' end, $$
            ) as r
        ) as c
    ) as o
    where o.copy = 1$$) end, $$
)$$);

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
create or replace macro recsql.step_list_ranks__hits(d) as
concat($$,

-- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
list_ranks as (
    select
        r.model,
        r.user_id,
    $$, case when d['by_rank'] then concat('    bit_xor(hash(xor(hash(try_cast(', case when d['any_order'] then $$case when r.rank_by = 'rank' then r.rank end$$ else case when d['by_rank'] then 'r.rank' else 'null' end end, $$ as bigint)), hash(now())))) as ranks,
    $$) else '' end, $$    count(*) as returned
    from given_recs as r
    group by r.model, r.user_id
)$$);

-- {recs}: item {item} appears more than once in the list of user {user}, which ties = '{ties}' with duplicates = '{duplicates}' does not support; list it once, or use duplicates = 'first'
create or replace macro recsql.check_tied_copies__hits(d) as
concat($$select
                '$$, d['name_recs'], $$: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', which ties = ''$$, d['ties'], $$'' with duplicates = ''$$, d['duplicates'], $$'' does not support; list it once, or use duplicates = ''first''' as message
            from scored as r
            group by r.model, r.user_id, r.item_id
            having count(*) > $$, case when d['duplicates'] = 'set' then '1' else 'count(distinct r.score)' end, $$
            order by r.user_id asc, r.item_id asc
            limit 1$$);

-- one row if the input can't be measured: the message of the check with the lowest place
create or replace macro recsql.step_problems__hits(d) as
concat($$,

-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    $$, case when d['duplicates'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_duplicates(d), $$
        ) as p
    $$) else '' end, case when d['bounds'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_gains_below_zero(d), $$
        ) as p
    $$) else '' end, case when d['ties'] = 'input' and d['by_score'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_input_order(d), $$
        ) as p
    $$) else '' end, case when d['unordered'] then concat($$    union all
        select 1 as place, p.message
        from (
            $$, recsql.check_no_order(d), $$
        ) as p
    $$) else '' end, case when d['by_rank'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_ranks(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_recs_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_recs_ids(d), $$
        ) as p
        union all
        select 4 as place, p.message
        from (
            $$, recsql.check_relevance(d), $$
        ) as p
    $$, case when d['has_repeated_ranks'] then concat($$    union all
        select 6 as place, p.message
        from (
            $$, recsql.check_same_rank(d), $$
        ) as p
    $$) else '' end, case when d['by_score'] then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_scores(d), $$
        ) as p
    $$) else '' end, case when d['has_scored'] and d['unordered'] and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false) then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_tied_copies__hits(d), $$
        ) as p
    $$) else '' end, case when d['has_scored'] and d['ties'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_ties(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_truth_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_truth_ids(d), $$
        ) as p
    $$, case when coalesce(d['truth_window'] in ('k', 'rank'), false) then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_truth_rank(d), $$
        ) as p
    $$) else '' end, $$) as p
    having count(*) > 0
)$$);

-- one row per row of truth, with recsql's column names
create or replace macro recsql.step_given_truth__ideal(d) as
concat($$-- one row per row of truth, with recsql's column names
given_truth as not materialized (
    select
        t.user_id,
        t.item_id,
        case when typeof(t.relevance) = '"NULL"' then 1e0 else try_cast(t.relevance as double) end as relevance,
        try_cast(t.rank as bigint) as rank
    from (
        from query_table('$$, d['source_truth'], $$')
        union all by name
        select null as user_id, null as item_id, null as relevance, null as rank
        where false
    ) as t
)$$);

-- one row per user and item of the truth, with its highest relevance
create or replace macro recsql.step_judged__ideal(d) as
$$,

-- one row per user and item of the truth, with its highest relevance
judged as (
    select t.user_id, t.item_id, max(t.relevance) as relevance
    from given_truth as t
    where t.item_id is not null
    group by t.user_id, t.item_id
)$$;

-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
create or replace macro recsql.step_fingerprints__ideal(d) as
concat($$,

-- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
fingerprints as (
    select
        t.user_id,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
        bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
        count(*) as stated
    from (
        select t.user_id, t.item_id
        from given_truth as t
        where $$, case when d['relevant'] = 'present' then 'true' when d['relevance_threshold'] is null then 't.relevance > 0' else concat('t.relevance >= ', d['relevance_threshold']) end, $$
    ) as t
    group by t.user_id
)$$);

-- {option}: ideal supports only {option} = '{plain}', not '{given}'
create or replace macro recsql.check_ideal(d) as
case when d['ideal'] <> 'truth' then concat($$select 'ideal: ideal supports only ideal = ''truth'', not ''$$, d['ideal'], $$''' as message$$) else concat($$select 'truth_window: ideal supports only truth_window = ''all'', not ''$$, d['truth_window'], $$''' as message$$) end;

-- one row if the input can't be measured: the message of the check with the lowest place
create or replace macro recsql.step_problems__ideal(d) as
concat($$,

-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    $$, case when d['ideal'] <> 'truth' or d['truth_window'] <> 'all' then concat($$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_ideal(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_relevance(d), $$
        ) as p
        union all
        select 2 as place, p.message
        from (
            $$, recsql.check_truth_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_truth_ids(d), $$
        ) as p
    $$, case when coalesce(d['truth_window'] in ('k', 'rank'), false) or d['ideal'] = 'truth_as_given' then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_truth_rank(d), $$
        ) as p
    $$) else '' end, $$) as p
    having count(*) > 0
)$$);

-- one row per interaction, with all columns
create or replace macro recsql.step_given_interactions(d) as
concat($$-- one row per interaction, with all columns
given_interactions as not materialized (
    from query_table('$$, d['source_interactions'], $$')
)$$);

-- order_by = hash: {column} is {kind}, which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same rows
create or replace macro recsql.check_drawn_interactions(d) as
$$select
                'order_by = hash: '
                || coalesce(cast(case when regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') then 'user_id' else 'item_id' end as varchar), 'NULL')
                || ' is '
                || coalesce(cast(case when regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') then typeof(t.user_id) else typeof(t.item_id) end as varchar), 'NULL')
                || ', which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same rows' as message
            from given_interactions as t
            where regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') or regexp_matches(typeof(t.item_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$')
            order by t.user_id asc, t.item_id asc
            limit 1$$;

-- {interactions}: {column} is {found} for user {user}, item {item}; leave such rows out or fill in a value
create or replace macro recsql.check_interactions(d) as
concat($$select
                '$$, d['name_interactions'], $$: '
                || coalesce(cast(case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id' else '$$, recsql.content(d['order_by']), $$' end as varchar), 'NULL')
                || ' is '
                || coalesce(cast($$, case when d['drawn'] then 'null' else 'case when i.user_id is not null and i.item_id is not null then cast(i.place as varchar) end' end, $$ as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(i.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(i.item_id as varchar), '^$', ''''''), 'NULL')
                || '; leave such rows out or fill in a value' as message
            from (
                select
                    t.user_id as user_id,
                    t.item_id as item_id$$, case when not d['drawn'] then concat($$,
                    t.$$, recsql.name(d['order_by']), ' as place') else '' end, $$
                from given_interactions as t
            ) as i
            where
                i.user_id is null
            $$, case when not d['drawn'] then $$    or i.place is null
                or (typeof(i.place) in ('DOUBLE', 'FLOAT') and lower(cast(i.place as varchar)) = 'nan')
            $$ else '' end, $$    or i.item_id is null
            order by i.user_id asc, i.item_id asc
            limit 1$$);

-- {interactions}: the column {column} already exists; rename it, or leave it out
create or replace macro recsql.check_part_column(d) as
concat($$select
                '$$, d['name_interactions'], $$: the column '
                || coalesce(cast(c.name as varchar), 'NULL')
                || ' already exists; rename it, or leave it out' as message
            from (
                select unnest(json_keys(to_json(g))) as name
                from (select * from given_interactions limit 1) as g
            ) as c
            where lower(c.name) = 'part'
            limit 1$$);

-- one row if the input can't be measured: the message of the check with the lowest place
create or replace macro recsql.step_problems__leave_one_out(d) as
concat($$,

-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    $$, case when d['drawn'] then concat($$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_drawn_interactions(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 3 as place, p.message
        from (
            $$, recsql.check_interactions(d), $$
        ) as p
        union all
        select 2 as place, p.message
        from (
            $$, recsql.check_part_column(d), $$
        ) as p
    ) as p
    having count(*) > 0
)$$);

-- one row per row of recs, with recsql's column names
create or replace macro recsql.step_given_recs__rank_by_score(d) as
concat($$-- one row per row of recs, with recsql's column names
given_recs as not materialized (
    select
        r.model,
        r.user_id,
        r.item_id,
        r.rank,
        r.score
    from (
        from query_table('$$, d['source_recs'], $$')
        union all by name
        select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
        where false
    ) as r
)$$);

-- one row per scored item, ranked by its score
create or replace macro recsql.step_scored__rank_by_score(d) as
concat($$,

-- one row per scored item, ranked by its score
scored as not materialized (
    $$, case when not d['unordered'] then concat($$select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        row_number() over (
            partition by r.model, r.user_id
            order by r.score desc, $$, case when d['ties'] = 'item_desc' then 'r.item_id desc' else case when d['ties'] = 'input' then 'r.rank asc, r.item_id asc' else 'r.item_id asc' end end, $$
        ) as rank
    from given_recs as r$$) else concat($$select
        r.model,
        r.user_id,
        r.item_id,
        r.score,
        count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
        rank() over (partition by r.model, r.user_id order by r.score desc) as rank
    from (
    $$, case when d['closed'] then concat('    select r.model, r.user_id, r.item_id, ', case when d['duplicates'] = 'last' then 'min' else 'max' end, $$(r.score) as score
        from given_recs as r
        group by r.model, r.user_id, r.item_id$$) else $$    select r.model, r.user_id, r.item_id, r.score
        from given_recs as r$$ end, $$
    ) as r$$) end, $$
)$$);

-- {recs}: rank is {rank} for user {user}, item {item}; ties = 'input' needs the input order in the column rank
create or replace macro recsql.check_input_order__rank_by_score(d) as
concat($$select
                '$$, d['name_recs'], $$: rank is '
                || coalesce(cast(r.rank as varchar), 'NULL')
                || ' for user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || '; ties = ''input'' needs the input order in the column rank' as message
            from given_recs as r
            where r.rank is null
            order by r.user_id asc, r.item_id asc
            limit 1$$);

-- {recs}: score is {score} for user {user}, item {item}; every score must be a finite number, not NULL or text
create or replace macro recsql.check_scores__rank_by_score(d) as
concat($$select
                '$$, d['name_recs'], $$: score is '
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
            limit 1$$);

-- {recs}: item {item} appears more than once in the list of user {user}, which ties = '{ties}' with duplicates = '{duplicates}' does not support; list it once, or use duplicates = 'first'
create or replace macro recsql.check_tied_copies__rank_by_score(d) as
concat($$select
                '$$, d['name_recs'], $$: item '
                || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                || ' appears more than once in the list of user '
                || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                || ', which ties = ''$$, d['ties'], $$'' with duplicates = ''$$, d['duplicates'], $$'' does not support; list it once, or use duplicates = ''first''' as message
            from scored as r
            group by r.model, r.user_id, r.item_id
            having count(*) > $$, case when d['duplicates'] = 'set' then '1' else 'count(distinct r.score)' end, $$
            order by r.user_id asc, r.item_id asc
            limit 1$$);

-- one row if the input can't be measured: the message of the check with the lowest place
create or replace macro recsql.step_problems__rank_by_score(d) as
concat($$,

-- one row if the input can't be measured: the message of the check with the lowest place
problems as (
    select min_by(p.message, p.place) as message
    from (
        select 0 as place, cast(null as varchar) as message
        where false
    $$, case when d['ties'] = 'input' then concat($$    union all
        select 4 as place, p.message
        from (
            $$, recsql.check_input_order__rank_by_score(d), $$
        ) as p
    $$) else '' end, case when d['unordered'] then concat($$    union all
        select 1 as place, p.message
        from (
            $$, recsql.check_no_order(d), $$
        ) as p
    $$) else '' end, $$    union all
        select 2 as place, p.message
        from (
            $$, recsql.check_recs_columns(d), $$
        ) as p
        union all
        select 3 as place, p.message
        from (
            $$, recsql.check_recs_ids(d), $$
        ) as p
        union all
        select 4 as place, p.message
        from (
            $$, recsql.check_scores__rank_by_score(d), $$
        ) as p
    $$, case when d['unordered'] and coalesce(d['duplicates'] in ('hole', 'count', 'set'), false) then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_tied_copies__rank_by_score(d), $$
        ) as p
    $$) else '' end, case when d['ties'] = 'error' then concat($$    union all
        select 5 as place, p.message
        from (
            $$, recsql.check_ties(d), $$
        ) as p
    $$) else '' end, $$) as p
    having count(*) > 0
)$$);

commit;
