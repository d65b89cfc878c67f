-- recsql 0.1.0: recommender and ranking metrics in SQL, for DuckDB 1.4 or newer.
-- In the shell: .read recsql.sql
-- then:         from recsql.evaluate('recs.parquet', 'truth.parquet', k := [5, 10]);
-- Rendered from the templates in the same folder. duckdb_functions() lists the macros, with comments.

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

-- the largest numeric cut-off in k
create or replace macro recsql.deepest(k) as
    cast(coalesce(list_max(try_cast(recsql.cutoffs(k) as double[])), 0) as bigint);

-- the largest cut-off in k; 'all', the whole list, is a number larger than any rank
create or replace macro recsql.depth(k) as
    case when list_contains(recsql.cutoffs(lower(cast(k as varchar))), 'all') then 1000000000000000000 else recsql.deepest(k) end;

-- one cut-off as a number, or an error
create or replace macro recsql.cutoff(k) as
    case
        when lower(k) = 'all' then 1000000000000000000
        when try_cast(k as double) between 1 and 1000000 and try_cast(k as double) = floor(try_cast(k as double))
            then cast(try_cast(k as double) as integer)
        else error('k: a cut-off is a whole number from 1 to 1000000, or all; found ' || coalesce(cast(coalesce(nullif(k, ''), 'none') as varchar), 'NULL'))
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

-- the names in metrics, a list or text
create or replace macro recsql.names(metrics) as
    regexp_extract_all(cast(metrics as varchar), '[^\[\], '']+');

-- the names in metrics; `usual` if metrics is NULL, and NULL if they include 'all'
create or replace macro recsql.asked(metrics, usual) as
    case
        when metrics is null then usual
        when not list_contains(recsql.names(lower(cast(metrics as varchar))), 'all') then recsql.names(metrics)
    end;

-- `wanted`, or all names if it is NULL or has none of them
create or replace macro recsql.columns_of(wanted, names) as
    case when list_has_any(names, wanted) then wanted else names end;

-- true, or an error if `wanted` has an unknown name
create or replace macro recsql.all_known(wanted, names) as
    case when wanted is null or list_has_all(names, wanted) then true else error('unknown metric ''' || coalesce(cast(list_filter(wanted, lambda m: not list_contains(names, m))[1] as varchar), 'NULL') || '''; choose one of ' || coalesce(cast(array_to_string(names, ', ') as varchar), 'NULL')) end;

-- the metrics for which a preset has options of their own
create or replace macro recsql.apart(preset) as
    case lower(preset)
            when 'jurity' then ['ap', 'precision']
            when 'pyspark_udf' then ['ap']
            when 'recommenders' then ['ndcg']
            when 'replay' then ['ap', 'ndcg']
            when 'torchmetrics' then ['ndcg']
            else []
        end;

-- the metric with a given alias
create or replace macro recsql.metric_of(alias) as
    case
        when lower(alias) in ('map', 'average_precision', 'averageprecision', 'map_at_k', 'meanaverageprecision', 'meanaverageprecisionat', 'retrievalmap', 'map_cut') then 'ap'
        when lower(alias) = 'cumulative_gain' then 'cg'
        when lower(alias) in ('item_coverage', 'itemcoverage', 'catalog_coverage', 'coveragek', 'catalogcoverage') then 'coverage'
        when lower(alias) in ('discounted_cumulative_gain', 'dcgk', 'dcg_score') then 'dcg'
        when lower(alias) in ('shannon_entropy', 'shannonentropy', 'distributional_coverage') then 'entropy'
        when lower(alias) in ('exp_var', 'explained_variance_score') then 'explained_variance'
        when lower(alias) in ('f', 'fbeta', 'f_measure', 'f1_score', 'fbetatopk', 'f1beta') then 'f1'
        when lower(alias) = 'false_negatives' then 'fn'
        when lower(alias) = 'false_positives' then 'fp'
        when lower(alias) in ('gini_index', 'listgini', 'giniindex') then 'gini'
        when lower(alias) in ('hit_rate', 'success', 'hitratio', 'hr', 'hitrate', 'retrievalhitrate') then 'hit'
        when lower(alias) in ('hitk', 'num_rel_ret') then 'hits'
        when lower(alias) = 'ideal_dcg' then 'idcg'
        when lower(alias) = 'mean_absolute_error' then 'mae'
        when lower(alias) = 'mean_precision_at_k' then 'mean_precision'
        when lower(alias) = 'mean_squared_error' then 'mse'
        when lower(alias) in ('normalized_discounted_cumulative_gain', 'ndcg_at_k', 'ndcgk', 'ndcg_score', 'ndcgat', 'ndcgatk', 'retrievalnormalizeddcg', 'ndcg_cut') then 'ndcg'
        when lower(alias) in ('recommender_precision', 'p', 'precisiontopk', 'precision_at', 'precision_at_k', 'precisionk', 'precisionat', 'precisionatk', 'retrievalprecision') then 'precision'
        when lower(alias) in ('r_squared', 'rsquared', 'r2_score') then 'r2'
        when lower(alias) in ('recommender_recall', 'recalltopk', 'recall_at', 'r', 'recall_at_k', 'recallk', 'recallat', 'recallatk', 'retrievalrecall') then 'recall'
        when lower(alias) = 'root_mean_squared_error' then 'rmse'
        when lower(alias) in ('mrr', 'reciprocal_rank', 'reciprank', 'reciprocalrankk', 'retrievalmrr', 'recip_rank') then 'rr'
        when lower(alias) = 'true_negatives' then 'tn'
        when lower(alias) = 'true_positives' then 'tp'
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
                            list_filter(differing, lambda o: o.value is not null and (o.metrics is null or list_contains(o.metrics, metric))),
                            lambda o: o.name || '=' || o.value
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

-- the option discount by the preset, and by default
create or replace macro recsql.usual_discount(
    preset, metric
) as
    case
        when lower(preset) = 'lenskit' then 'jk2002'
        else 'log2p1'
    end;

comment on macro recsql.usual_discount is 'the option discount by the preset, and by default';

-- the option gain by the preset, and by default
create or replace macro recsql.usual_gain(
    preset, metric
) as
    case
        when lower(preset) in ('cornac', 'hivemall', 'jurity', 'lenskit', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'spark') then 'binary'
        when lower(preset) = 'elliot' then 'exp2_shifted'
        else 'linear'
    end;

comment on macro recsql.usual_gain is 'the option gain by the preset, and by default';

-- the option zero_ideal by the preset, and by default
create or replace macro recsql.usual_zero_ideal(
    preset, metric
) as
    case
        when lower(preset) in ('ir_measures', 'lenskit', 'ranx', 'sklearn', 'spark', 'torchmetrics', 'trec_eval') then 'zero'
        else 'null'
    end;

comment on macro recsql.usual_zero_ideal is 'the option zero_ideal by the preset, and by default';

-- the option relevant by the preset, and by default
create or replace macro recsql.usual_relevant(
    preset, metric
) as
    case
        when lower(preset) in ('hivemall', 'lenskit', 'pyspark_udf', 'recbole', 'recommenders', 'rectools', 'replay', 'spark') then 'present'
        else 'positive'
    end;

comment on macro recsql.usual_relevant is 'the option relevant by the preset, and by default';

-- the option relevance_threshold by the preset, and by default
create or replace macro recsql.usual_relevance_threshold(
    preset, metric
) as
    case
        when lower(preset) = 'cornac' then 1
        when lower(preset) = 'elliot' then 0
        else null
    end;

comment on macro recsql.usual_relevance_threshold is 'the option relevance_threshold by the preset, and by default';

-- the option no_truth by the preset, and by default
create or replace macro recsql.usual_no_truth(
    preset, metric
) as
    case
        when lower(preset) in ('ir_measures', 'ranx', 'trec_eval') then 'zero_below_threshold'
        when lower(preset) in ('lenskit', 'sklearn', 'spark', 'torchmetrics') then 'zero'
        else 'skip'
    end;

comment on macro recsql.usual_no_truth is 'the option no_truth by the preset, and by default';

-- the option ap_denominator by the preset, and by default
create or replace macro recsql.usual_ap_denominator(
    preset, metric
) as
    case
        when lower(preset) = 'pyspark_udf' and metric = 'ap' then 'hits'
        when lower(preset) in ('cornac', 'evidently', 'ir_measures', 'ranx', 'rectools', 'trec_eval') then 'relevant'
        when lower(preset) in ('hivemall', 'torchmetrics') then 'hits'
        when lower(preset) = 'lenskit' then 'achievable_returned'
        else 'achievable'
    end;

comment on macro recsql.usual_ap_denominator is 'the option ap_denominator by the preset, and by default';

-- the option coverage_denominator by the preset, and by default
create or replace macro recsql.usual_coverage_denominator(
    preset, metric
) as
    case
        when lower(preset) in ('elliot', 'rectools') then 'count'
        when lower(preset) in ('evidently', 'recommenders', 'replay') then 'train'
        else 'catalog'
    end;

comment on macro recsql.usual_coverage_denominator is 'the option coverage_denominator by the preset, and by default';

-- the option coverage_restrict by the preset, and by default
create or replace macro recsql.usual_coverage_restrict(
    preset, metric
) as
    case
        when lower(preset) in ('recommenders', 'rectools') then 'false'
        else 'true'
    end;

comment on macro recsql.usual_coverage_restrict is 'the option coverage_restrict by the preset, and by default';

-- the option entropy_scope by the preset, and by default
create or replace macro recsql.usual_entropy_scope(
    preset, metric
) as
    case
        when lower(preset) = 'elliot' then 'list'
        else 'items'
    end;

comment on macro recsql.usual_entropy_scope is 'the option entropy_scope by the preset, and by default';

-- the option entropy_base by the preset, and by default
create or replace macro recsql.usual_entropy_base(
    preset, metric
) as
    case
        when lower(preset) = 'recbole' then 'e'
        else '2'
    end;

comment on macro recsql.usual_entropy_base is 'the option entropy_base by the preset, and by default';

-- the option entropy_normalize by the preset, and by default
create or replace macro recsql.usual_entropy_normalize(
    preset, metric
) as
    case
        when lower(preset) = 'recbole' then 'distinct'
        else 'none'
    end;

comment on macro recsql.usual_entropy_normalize is 'the option entropy_normalize by the preset, and by default';

-- the option f1_average by the preset, and by default
create or replace macro recsql.usual_f1_average(
    preset, metric
) as
    case
        when lower(preset) = 'evidently' then 'of_means'
        else 'per_user'
    end;

comment on macro recsql.usual_f1_average is 'the option f1_average by the preset, and by default';

-- the option gini_population by the preset, and by default
create or replace macro recsql.usual_gini_population(
    preset, metric
) as
    case
        when lower(preset) = 'evidently' then 'recommended'
        else 'catalog'
    end;

comment on macro recsql.usual_gini_population is 'the option gini_population by the preset, and by default';

-- the option gini_divide by the preset, and by default
create or replace macro recsql.usual_gini_divide(
    preset, metric
) as
    case
        when lower(preset) in ('elliot', 'evidently') then 'n_minus_1'
        else 'n'
    end;

comment on macro recsql.usual_gini_divide is 'the option gini_divide by the preset, and by default';

-- the option gini_orientation by the preset, and by default
create or replace macro recsql.usual_gini_orientation(
    preset, metric
) as
    case
        when lower(preset) = 'elliot' then 'equality'
        else 'inequality'
    end;

comment on macro recsql.usual_gini_orientation is 'the option gini_orientation by the preset, and by default';

-- the option precision_denominator by the preset, and by default
create or replace macro recsql.usual_precision_denominator(
    preset, metric
) as
    case
        when lower(preset) in ('evidently', 'hivemall', 'jurity', 'lenskit', 'pyspark_udf', 'returned') then 'returned'
        else 'k'
    end;

comment on macro recsql.usual_precision_denominator is 'the option precision_denominator by the preset, and by default';

-- the option recall_denominator by the preset, and by default
create or replace macro recsql.usual_recall_denominator(
    preset, metric
) as
    case
        when lower(preset) = 'lenskit' then 'achievable'
        else 'relevant'
    end;

comment on macro recsql.usual_recall_denominator is 'the option recall_denominator by the preset, and by default';

-- the option rr_cutoff by the preset, and by default
create or replace macro recsql.usual_rr_cutoff(
    preset, metric
) as
    case
        when lower(preset) in ('cornac', 'trec_eval') then 'none'
        when lower(preset) = 'ir_measures' then 'k'
        else 'k'
    end;

comment on macro recsql.usual_rr_cutoff is 'the option rr_cutoff by the preset, and by default';

-- the option ideal by the preset, and by default
create or replace macro recsql.usual_ideal(
    preset, metric
) as
    case
        when lower(preset) in ('evidently', 'sklearn', 'torchmetrics') then 'candidates'
        when lower(preset) = 'hivemall' then 'truth_returned'
        when lower(preset) = 'jurity' then 'truth_uncut'
        when lower(preset) = 'rectools' then 'constant'
        else 'truth'
    end;

comment on macro recsql.usual_ideal is 'the option ideal by the preset, and by default';

-- the option truth_window by the preset, and by default
create or replace macro recsql.usual_truth_window(
    preset, metric
) as
    case
        when lower(preset) = 'pyspark_udf' and metric = 'ap' then 'rank'
        when lower(preset) = 'pyspark_udf' then 'k'
        else 'all'
    end;

comment on macro recsql.usual_truth_window is 'the option truth_window by the preset, and by default';

-- the option no_recs by the preset, and by default
create or replace macro recsql.usual_no_recs(
    preset, metric
) as
    case
        when lower(preset) = 'jurity' and metric in ('ap', 'precision') then 'skip'
        when lower(preset) = 'recommenders' and metric = 'ndcg' then 'zero'
        when lower(preset) in ('elliot', 'hivemall', 'lenskit', 'recommenders', 'sklearn', 'torchmetrics', 'trec_eval') then 'skip'
        else 'zero'
    end;

comment on macro recsql.usual_no_recs is 'the option no_recs by the preset, and by default';

-- the option rank_by by the preset, and by default
create or replace macro recsql.usual_rank_by(
    preset, metric
) as
    case
        when lower(preset) in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval') then 'score'
        when lower(preset) = 'rectools' then 'rank'
        else null
    end;

comment on macro recsql.usual_rank_by is 'the option rank_by by the preset, and by default';

-- the option duplicates by the preset, and by default
create or replace macro recsql.usual_duplicates(
    preset, metric
) as
    case
        when lower(preset) = 'replay' and metric in ('ap', 'ndcg') then 'count'
        when lower(preset) in ('cornac', 'elliot', 'hivemall', 'jurity', 'lenskit', 'recommenders', 'rectools', 'spark') then 'count'
        when lower(preset) in ('ir_measures', 'ranx') then 'last'
        when lower(preset) = 'pyspark_udf' then 'hole'
        when lower(preset) = 'replay' then 'set'
        else 'error'
    end;

comment on macro recsql.usual_duplicates is 'the option duplicates by the preset, and by default';

-- the option ties by the preset, and by default
create or replace macro recsql.usual_ties(
    preset, metric
) as
    case
        when lower(preset) = 'torchmetrics' and metric = 'ndcg' then 'expected'
        when lower(preset) in ('ir_measures', 'replay', 'trec_eval') then 'item_desc'
        when lower(preset) = 'sklearn' then 'expected'
        else 'item_asc'
    end;

comment on macro recsql.usual_ties is 'the option ties by the preset, and by default';

-- the metrics averaged over users, every option known
create or replace macro recsql.evaluate_under(
    recs, truth, k := [5, 10, 20], protocol := 'any', catalog_size := null, discount := 'log2p1', discount_p := 0.8e0,
    gain := 'linear', gain_map := null, zero_ideal := 'null', relevant := 'positive', relevance_threshold := null,
    no_truth := 'skip', ap_denominator := 'achievable', beta := 1, f1_average := 'per_user',
    precision_denominator := 'k', recall_denominator := 'relevant', rr_cutoff := 'k', ideal := 'truth',
    users := 'truth', truth_window := 'all', judged_only := 'false', no_recs := 'zero', rank_by := null,
    duplicates := 'error', ties := 'item_asc', metrics := null, like := null
) as table
    with
    -- one row per row of recs, with recsql's column names
    given_recs as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
            case when typeof(r.rank) = '"NULL"' or (typeof(r.score) <> '"NULL"' and lower("like") in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval')) then 'score' else 'rank' end as rank_by
        from (
            from query_table(recsql.relation(recs))
            union all by name
            select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
            where false
        ) as r
    ),

    -- one row per row of truth, with recsql's column names
    given_truth as not materialized (
        select
            t.user_id,
            t.item_id,
            case when typeof(t.relevance) = '"NULL"' then 1e0 else try_cast(t.relevance as double) end as relevance,
            try_cast(t.rank as bigint) as rank
        from (
            from query_table(recsql.relation(truth))
            union all by name
            select null as user_id, null as item_id, null as relevance, null as rank
            where false
        ) as t
    ),

    -- one row per user in the table users
    given_users as not materialized (
        select distinct g.user_id
        from query_table(recsql.relation(case when users in ('truth', 'intersection', 'union') then truth else users end)) as g
    ),

    -- one row per model; one row without a name if nothing is recommended
    models as (
        select distinct r.model
        from given_recs as r
        union all
        select cast(null as varchar) as model
        where not exists (select 1 from given_recs as r)
    ),

    -- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
    fingerprints as (
        select
            t.user_id,
            bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
            bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
            sum(hash(xor(hash(t.relevance), hash(now())))) as profile,
            count(*) as stated
        from (
            select t.user_id, t.item_id, t.relevance
            from given_truth as t
            where case relevant
                when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                when 'present' then true
            end
                and coalesce((select error(g.message) from (
                    select
                        coalesce(cast(i.name as varchar), 'NULL')
                        || ' is '
                        || coalesce(cast(i.in_left as varchar), 'NULL')
                        || ' in '
                        || coalesce(cast(recs as varchar), 'NULL')
                        || ' and '
                        || coalesce(cast(i.in_right as varchar), 'NULL')
                        || ' in '
                        || coalesce(cast(truth as varchar), 'NULL')
                        || '; cast one of them to the other''s type' as message
                    from (
                        select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                        from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                        cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                    ) as i
                    where
                        recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                        and '"NULL"' not in (i.in_left, i.in_right)
                    limit 1
                ) as g), true)
            union all
            select r.user_id, r.item_id, null as relevance
            from given_recs as r
            where false
        ) as t
        group by t.user_id
    ),

    -- one row per user who may have repeated items in the truth: the user has fewer bits than rows
    suspects as (
        select f.user_id
        from fingerprints as f
        where greatest(bit_count(f.bits), bit_count(f.other_bits)) < f.stated
    ),

    -- one row per suspect with a repeated item in the truth
    repeaters as (
        select t.user_id, true as repeats
        from given_truth as t
        inner join suspects as s on s.user_id = t.user_id
        where case relevant
            when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
            when 'present' then true
        end
        group by t.user_id
        having list_unique(list(t.item_id)) < count(*)
    ),

    -- one row per repeater and relevant item, with its highest relevance
    folded as (
        select
            t.user_id,
            t.item_id,
            min(t.rank) as rank,
            max(t.relevance) as relevance
        from given_truth as t
        inner join repeaters as p on p.user_id = t.user_id
        where case relevant
            when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
            when 'present' then true
        end
        group by t.user_id, t.item_id
    ),

    -- one row per user with relevant items: their number, and the profile of their gains; equal gains have equal profiles
    users as (
        select f.user_id, f.profile, f.stated as relevant
        from fingerprints as f
        left join repeaters as p on p.user_id = f.user_id
        where not coalesce(p.repeats, false)
        union all
        select t.user_id, sum(hash(xor(hash(t.relevance), hash(now())))) as profile, count(*) as relevant
        from folded as t
        group by t.user_id
    ),

    -- one row per user and relevant item; repeated items count once, with their highest relevance
    relevant as not materialized (
        select t.user_id, t.item_id, t.rank as truth_rank, case gain
            when 'binary' then 1e0
            when 'exp2' then (power(2e0, t.relevance) - 1)
            when 'exp2_shifted' then (power(2e0, t.relevance - coalesce(relevance_threshold, 0) + 1) - 1)
            when 'map' then coalesce(cast(gain_map as map(double, double))[t.relevance], error(
                'gain_map: no gain for relevance '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' of user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; add one'
            ))
            else t.relevance
        end as gain
        from (
            select t.user_id, t.item_id, t.relevance, t.rank
            from given_truth as t
            left join repeaters as p on p.user_id = t.user_id
            where
                not coalesce(p.repeats, false)
                and case relevant
                    when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                    when 'present' then true
                end
            union all
            select t.user_id, t.item_id, t.relevance, t.rank
            from folded as t
        ) as t
    ),

    -- one row per user with relevant items: the gains of the items, with their ranks in the ordered truth
    entries as (
        select t.user_id, list({'rank': t.truth_rank, 'gain': t.gain} order by t.gain desc, t.truth_rank asc) as entries
        from relevant as t
        group by t.user_id
    ),

    -- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
    list_ranks as (
        select
            r.model,
            r.user_id,
            max(case when not (coalesce(rank_by, r.rank_by) = 'score') then r.rank else null end) as last_rank,
            bit_xor(hash(xor(hash(case when not (coalesce(rank_by, r.rank_by) = 'score') then try_cast(r.rank as bigint) else null end), hash(now())))) as ranks,
            count(*) as returned
        from given_recs as r
        group by r.model, r.user_id
    ),

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
                    || ' in '
                    || coalesce(cast(recs as varchar), 'NULL')
                    || ' and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(truth as varchar), 'NULL')
                    || '; cast one of them to the other''s type' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                    cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                ) as i
                where
                    recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
        group by t.user_id, t.item_id
    ),

    -- one row per row of recs whose item is judged, with its rank among these
    judged_recs as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.score, r.rank_by
        from given_recs as r
        where not (judged_only = 'true')
        union all
        select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.score, o.rank_by
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
                r.score,
                r.rank_by,
                j.item_id is not null as is_judged,
                -- rows with the same rank do not come before this one
                count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id order by r.rank asc)
                - count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id, r.rank) as dropped
            from given_recs as r
            left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
            where judged_only = 'true'
        ) as o
        where o.is_judged
    ),

    -- one row per model and user with a list
    lists as (
        select n.model, n.user_id, n.returned, n.last_rank
        from list_ranks as n
        where not (duplicates in ('first', 'last', 'set')) and not (judged_only = 'true')
        union all
        select r.model, r.user_id, count(r.item_id) as returned, max(case coalesce(rank_by, r.rank_by)
            when 'score' then null
            else r.rank
        end) as last_rank
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.rank_by
            from judged_recs as r
            union all
            select distinct r.model, r.user_id, null as item_id, null as rank, r.rank_by
            from given_recs as r
            where judged_only = 'true'
        ) as r
        where judged_only = 'true' and not (duplicates in ('first', 'last', 'set'))
        group by r.model, r.user_id
        union all
        select i.model, i.user_id, count(i.item_id) as returned, case duplicates
            when 'set' then coalesce(max(i.last_rank), sum(i.copies))
            else count(i.item_id) + max(i.last_rank) - sum(i.copies)
        end as last_rank
        from (
            select r.model, r.user_id, r.item_id, count(r.item_id) as copies, max(case coalesce(rank_by, r.rank_by)
                when 'score' then null
                else r.rank
            end) as last_rank
            from (
                select r.model, r.user_id, r.item_id, r.rank, r.rank_by
                from judged_recs as r
                union all
                select distinct r.model, r.user_id, null as item_id, null as rank, r.rank_by
                from given_recs as r
                where judged_only = 'true'
            ) as r
            where duplicates in ('first', 'last', 'set')
            group by r.model, r.user_id, r.item_id
        ) as i
        group by i.model, i.user_id
    ),

    -- one row per scored item, ranked by its score
    scored as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            null as last,
            row_number() over (
                partition by r.model, r.user_id
                order by r.score desc, case when ties = 'item_desc' then r.item_id else null end desc, case when ties = 'input' then r.rank else null end asc, r.item_id asc
            ) as rank
        from judged_recs as r
        where coalesce(rank_by, r.rank_by) = 'score' and not (ties in ('expected', 'best', 'worst'))
        union all
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
            rank() over (partition by r.model, r.user_id order by r.score desc) as rank
        from (
            select r.model, r.user_id, r.item_id, r.score
            from judged_recs as r
            where coalesce(rank_by, r.rank_by) = 'score' and ties in ('expected', 'best', 'worst') and not (duplicates in ('first', 'last'))
            union all
            select r.model, r.user_id, r.item_id, case duplicates
                when 'last' then min(r.score)
                else max(r.score)
            end as score
            from judged_recs as r
            where coalesce(rank_by, r.rank_by) = 'score' and ties in ('expected', 'best', 'worst') and duplicates in ('first', 'last')
            group by r.model, r.user_id, r.item_id
        ) as r
    ),

    -- one row per row of recs, with its rank
    ranked as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.rank as last
            from judged_recs as r
            where not (coalesce(rank_by, r.rank_by) = 'score')
            union all
            select r.model, r.user_id, r.item_id, r.rank, r.last
            from scored as r
        ) as r
        where not (duplicates in ('first', 'last'))
        union all
        select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.last - o.dropped as last
        from (
            select
                c.model,
                c.user_id,
                c.item_id,
                c.rank,
                c.last,
                c.copy,
                -- rows with the same rank do not come before this one
                count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
                - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
            from (
                select
                    r.model,
                    r.user_id,
                    r.item_id,
                    r.rank,
                    r.last,
                    row_number() over (
                        partition by r.model, r.user_id, r.item_id
                        order by case duplicates
                            when 'last' then -try_cast(r.rank as bigint)
                            else r.rank
                        end asc
                    ) as copy
                from (
                    select r.model, r.user_id, r.item_id, r.rank, r.rank as last
                    from judged_recs as r
                    where not (coalesce(rank_by, r.rank_by) = 'score')
                    union all
                    select r.model, r.user_id, r.item_id, r.rank, r.last
                    from scored as r
                ) as r
                where duplicates in ('first', 'last')
            ) as c
        ) as o
        where o.copy = 1
    ),

    -- one row per list whose ranks have gaps, with its ranks
    gaps as (
        select i.model, i.user_id, list(i.rank) as ranks
        from (
            select r.model, r.user_id, r.item_id, min(r.rank) as rank
            from ranked as r
            inner join lists as l on l.model is not distinct from r.model and l.user_id = r.user_id
            where l.last_rank <> l.returned
            group by r.model, r.user_id, r.item_id, case when not (duplicates = 'set') then r.rank else null end
        ) as i
        group by i.model, i.user_id
    ),

    -- one row per model and user that a policy may count
    candidates as (
        select m.model, u.user_id
        from models as m
        cross join users as u
        where coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in '
                || coalesce(cast(recs as varchar), 'NULL')
                || ' and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in '
                || coalesce(cast(users as varchar), 'NULL')
                || '; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.user_id)] as types from given_users as r limit 1) as r
            ) as i
            where
                recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true)
        union
        select m.model, t.user_id
        from models as m
        cross join given_truth as t
        where no_truth in ('zero', 'zero_below_threshold', 'one', 'one_if_both_empty')
        union
        select l.model, l.user_id
        from lists as l
        where no_truth in ('zero', 'one', 'one_if_both_empty') or users = 'union'
        union
        select m.model, g.user_id
        from models as m
        cross join given_users as g
        where no_truth in ('zero', 'one', 'one_if_both_empty') and not (users in ('truth', 'intersection', 'union'))
    ),

    -- one row per model and user that the policies count
    members as (
        select c.model, c.user_id
        from candidates as c
        left join lists as l on l.model is not distinct from c.model and l.user_id = c.user_id
        left join given_users as g on g.user_id = c.user_id
        where
            c.user_id is not null
            and (not (no_recs = 'skip' or users = 'intersection') or l.user_id is not null)
            and (not (not (users in ('truth', 'intersection', 'union'))) or g.user_id is not null)
    ),

    -- one row per model and user in the mean, with the number of relevant items
    population as not materialized (
        select
            m.model,
            u.user_id,
            u.profile,
            e.entries,
            l.returned,
            g.ranks,
            u.relevant
        from models as m
        cross join users as u
        left join entries as e on (truth_window = 'k' or ideal = 'truth_as_given') and e.user_id = u.user_id
        left join lists as l on (metrics is null or list_contains(metrics, 'fp') or (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null or no_truth = 'one_if_both_empty' or ap_denominator = 'achievable_returned' or precision_denominator = 'returned' or ideal = 'truth_returned') and l.model is not distinct from m.model and l.user_id = u.user_id
        left join gaps as g on (metrics is null or list_contains(metrics, 'fp') or (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null or no_truth = 'one_if_both_empty' or ap_denominator = 'achievable_returned' or precision_denominator = 'returned' or ideal = 'truth_returned') and g.model is not distinct from m.model and g.user_id = u.user_id
        where users = 'truth' and no_recs = 'zero' and no_truth in ('skip', 'error')
        union all
        select
            b.model,
            b.user_id,
            u.profile,
            e.entries,
            l.returned,
            g.ranks,
            u.relevant
        from members as b
        left join users as u on u.user_id = b.user_id
        left join entries as e on (truth_window = 'k' or ideal = 'truth_as_given') and e.user_id = b.user_id
        left join lists as l on (metrics is null or list_contains(metrics, 'fp') or (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null or no_truth = 'one_if_both_empty' or ap_denominator = 'achievable_returned' or precision_denominator = 'returned' or ideal = 'truth_returned') and l.model is not distinct from b.model and l.user_id = b.user_id
        left join gaps as g on (metrics is null or list_contains(metrics, 'fp') or (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null or no_truth = 'one_if_both_empty' or ap_denominator = 'achievable_returned' or precision_denominator = 'returned' or ideal = 'truth_returned') and g.model is not distinct from b.model and g.user_id = b.user_id
        where not (users = 'truth' and no_recs = 'zero' and no_truth in ('skip', 'error'))
    ),

    -- one row per model with users in the mean: the number of these users
    headcount as (
        select u.model, count(*) as users
        from population as u
        group by u.model
    ),

    -- one row per model: the number of users in the mean
    census as (
        select m.model, coalesce(n.users, 0) as users
        from models as m
        left join headcount as n on n.model is not distinct from m.model
    ),

    -- one row per cut-off
    cutoffs as (
        select distinct recsql.cutoff(n.k) as k
        from (select unnest(recsql.few(recsql.cutoffs(k))) as k) as n
    ),

    -- one row per recommended item, up to the largest cut-off
    recommended as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from ranked as r
        where (rr_cutoff = 'none' or ideal = 'candidates' or duplicates in ('first', 'last')) or r.rank <= recsql.depth(k)
    ),

    -- one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST
    possible_hits as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.last
            from recommended as r
            union all
            select null as model, t.user_id, t.item_id, null as rank, null as last
            from given_truth as t
            where false
        ) as r
        inner join fingerprints as f
            on
                f.user_id = r.user_id
                and (f.bits >> (hash(r.item_id) & 63)) & 1 = 1
                and (f.other_bits >> (hash(r.item_id) >> 58)) & 1 = 1
    ),

    -- one row per list and relevant item in the list, at its best rank
    found as (
        select
            r.model,
            r.user_id,
            r.item_id,
            min(r.rank) as rank,
            min(r.last) as last,
            min_by(t.gain, r.rank) as gain,
            max(t.truth_rank) as truth_rank,
            count(*) as copies
        from possible_hits as r
        inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
        group by r.model, r.user_id, r.item_id, case when duplicates = 'count' then r.rank else null end
    ),

    -- one row per list and relevant item in the list; a tied item has its best or worst possible rank
    placed as (
        select f.model, f.user_id, f.item_id, f.rank, f.gain, f.copies, f.truth_rank
        from found as f
        where not (ties in ('expected', 'best', 'worst'))
        union all
        select
            o.model,
            o.user_id,
            o.item_id,
            case ties
                when 'worst' then o.last + 1 - o.place
                else o.rank - 1 + o.place
            end as rank,
            o.gain,
            o.copies, o.truth_rank
        from (
            select
                f.model,
                f.user_id,
                f.item_id,
                f.rank,
                f.last,
                f.gain,
                f.copies, f.truth_rank,
                row_number() over (partition by f.model, f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
            from found as f
            where ties in ('best', 'worst')
        ) as o
    ),

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
                where ties = 'expected'
            ) as b
            inner join (select unnest(range(1, (select cast(max(f.last) as bigint) from found as f) + 1)) as i) as i on i.i between b.rank and b.last
        ) as o
    ),

    -- one row per hit, numbered in list order
    hits as (
        select
            f.model,
            f.user_id,
            f.item_id,
            try_cast(f.rank as bigint) as rank,
            f.truth_rank,
            f.gain,
            f.copies,
            1 as place,
            1e0 as probability,
            0e0 as leads,
            row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
        from placed as f
        where (not (truth_window = 'rank') or f.truth_rank <= f.rank)
        union all
        select
            t.model,
            t.user_id,
            t.item_id,
            t.rank,
            null as truth_rank,
            t.gain,
            t.copies,
            t.place,
            t.probability,
            t.leads,
            t.nth
        from tied_hits as t
    ),

    -- one row per hit and cut-off at which it counts
    hits_in_force as (
        select h.model, h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth, h.probability, h.leads
        from hits as h
        inner join cutoffs as c on c.k >= h.rank
        where not (truth_window = 'k')
        union all
        select
            h.model,
            h.user_id,
            h.item_id,
            c.k,
            h.rank,
            h.gain,
            row_number() over (partition by h.model, h.user_id, c.k order by h.rank asc, h.nth asc) as nth, h.probability, h.leads
        from hits as h
        inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank)
        where truth_window = 'k'
    ),

    -- one row per rank: the sum 1/1 + 1/2 + ... + 1/rank
    harmonics as (
        select i.i as rank, sum(coalesce(1e0 / nullif(i.i, 0), 0e0)) over (order by i.i asc) as harmonic
        from (select unnest(range(0, recsql.deepest(k) + 1)) as i) as i
    ),

    -- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
    hits_at_k as (
        select
            h.model,
            h.user_id,
            h.k,
            case ties
                when 'expected' then sum(try_cast(1e18 * h.leads as hugeint)) / 1e18
                else 1e0
            end as any_hit,
            sum(try_cast(1e18 * (case ties
                when 'expected' then h.gain * h.probability
                else h.gain
            end) as hugeint)) / 1e18 as cg,
            sum(try_cast(1e18 * (case ties
                when 'expected' then h.gain * case discount
                    when 'log2p1' then (1e0 / nullif(log2(h.rank + 1), 0))
                    when 'jk2002' then (1e0 / greatest(1e0, log2(h.rank)))
                    when 'ln1p' then (1e0 / nullif(ln(h.rank + 1), 0))
                    when 'geometric' then power(cast(discount_p as double), h.rank - 1)
                    when 'none' then 1e0
                end * h.probability
                else h.gain * case discount
                when 'log2p1' then (1e0 / nullif(log2(h.rank + 1), 0))
                when 'jk2002' then (1e0 / greatest(1e0, log2(h.rank)))
                when 'ln1p' then (1e0 / nullif(ln(h.rank + 1), 0))
                when 'geometric' then power(cast(discount_p as double), h.rank - 1)
                when 'none' then 1e0
            end
            end) as hugeint)) / 1e18 as dcg,
            case ties
                when 'expected' then sum(try_cast(1e18 * h.probability as hugeint)) / 1e18
                else case duplicates
                when 'count' then list_unique(list(h.item_id))
                else count(*)
            end
            end as distinct_hits,
            case ties
                when 'expected' then sum(try_cast(1e18 * h.probability as hugeint)) / 1e18
                else count(*)
            end as hits,
            sum(try_cast(1e18 * (case ties
                when 'expected' then h.nth / nullif(cast(h.rank as double), 0) * h.probability
                else h.nth / nullif(cast(h.rank as double), 0)
            end) as hugeint)) / 1e18 as precision_sum,
            sum(try_cast(1e18 * (case ties
                when 'expected' then (upto.harmonic - before.harmonic) * h.probability
                else upto.harmonic - before.harmonic
            end) as hugeint)) / 1e18 as precision_total,
            case ties
                when 'expected' then sum(try_cast(1e18 * (h.leads / nullif(h.rank, 0)) as hugeint)) / 1e18
                else 1e0 / nullif(min(h.rank), 0)
            end as reciprocal_rank
        from hits_in_force as h
        left join harmonics as upto on upto.rank = h.k
        left join harmonics as before on before.rank = h.rank - 1
        group by h.model, h.user_id, h.k
    ),

    -- one row per model and user in the mean: the user's columns, and the first cut-off at which the user has a hit
    first_hits as (
        select
            u.model,
            u.user_id,
            u.profile, u.entries, u.returned, u.ranks, u.relevant,
            h.k as first_k
        from population as u
        left join (
            select h.model, h.user_id, min(h.k) as k
            from hits_at_k as h
            group by h.model, h.user_id
        ) as h on h.model is not distinct from u.model and h.user_id = u.user_id
    ),

    -- one row per model and group of users with the same number of relevant items, gains, list length and first cut-off with a hit
    alike as (
        select u.model, min(u.user_id) as user_id, u.profile, u.entries, u.returned, u.ranks, u.relevant, u.first_k, count(*) as users
        from first_hits as u
        group by u.model, u.profile, u.entries, u.returned, u.ranks, u.relevant, u.first_k, case when rr_cutoff = 'none' or ideal = 'candidates' or duplicates in ('first', 'last') or ties in ('expected', 'best', 'worst') then u.user_id else null end
    ),

    -- one row per model, cut-off and user or group of alike users: the columns of the user, and the statistics of the hits
    users_at_k as (
        select
            u.model,
            u.user_id,
            h.k,
            1 as users,
            h.any_hit,
            h.cg,
            h.dcg,
            h.distinct_hits,
            h.hits,
            h.precision_sum,
            h.precision_total,
            h.reciprocal_rank,
            u.profile, u.entries, u.returned, u.ranks, u.relevant
        from hits_at_k as h
        inner join population as u on u.model is not distinct from h.model and u.user_id = h.user_id
        union all
        select
            u.model,
            u.user_id,
            c.k,
            u.users,
            null as any_hit,
            null as cg,
            null as dcg,
            null as distinct_hits,
            null as hits,
            null as precision_sum,
            null as precision_total,
            null as reciprocal_rank,
            u.profile, u.entries, u.returned, u.ranks, u.relevant
        from alike as u
        inner join cutoffs as c on c.k < u.first_k or u.first_k is null
        where not (users = 'truth' and no_truth in ('skip', 'zero', 'zero_below_threshold', 'error') and zero_ideal in ('null', 'zero', 'one') and (not (metrics is null or list_contains(metrics, 'ndcg')) or (zero_ideal = 'zero' or gain in ('linear', 'binary', 'exp2') and relevant = 'positive' and ideal in ('truth', 'truth_uncut', 'constant') and truth_window in ('all', 'rank') and coalesce(relevance_threshold > 0, true)) and (recsql.depth(k) < 1000000000000000000 or not (ideal = 'constant'))) and (not (metrics is null or list_contains(metrics, 'precision') or metrics is null or list_contains(metrics, 'f1')) or recsql.depth(k) < 1000000000000000000 or not (precision_denominator = 'k')) and (not (metrics is null or list_contains(metrics, 'ap')) or recsql.depth(k) < 1000000000000000000 or not (ap_denominator = 'k')) and (not (metrics is null or list_contains(metrics, 'rr')) or rr_cutoff = 'k') and (not (metrics is null or list_contains(metrics, 'f1')) or f1_average = 'per_user' and (recsql.depth(k) < 1000000000000000000 or not (precision_denominator = 'k'))) and not (metrics is null or list_contains(metrics, 'fn')) and not (metrics is null or list_contains(metrics, 'fp')) and not (metrics is null or list_contains(metrics, 'idcg')) and (not (metrics is null or list_contains(metrics, 'mean_precision')) or recsql.depth(k) < 1000000000000000000) and not ((metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null))
    ),

    -- one row per model, user with a hit and cut-off: the statistics of the hits in the whole list
    hits_of_list as (
        select
            h.model,
            h.user_id,
            c.k,
            list(h.gain order by h.gain desc) filter (where h.place = 1) as candidate_gains,
            case ties
                when 'expected' then sum(try_cast(1e18 * (h.leads / nullif(h.rank, 0)) as hugeint)) / 1e18
                else 1e0 / nullif(min(h.rank), 0)
            end as reciprocal_rank_anywhere
        from hits as h
        cross join cutoffs as c
        where (not (truth_window = 'k') or h.truth_rank <= c.k)
        group by h.model, h.user_id, c.k
    ),

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
                case ties
                    when 'best' then x.i + (b.before - b.first + 1) * (best.harmonic - before.harmonic)
                    when 'worst' then x.i + (b.before - b.k + x.i) * (upto.harmonic - worst.harmonic)
                    else x.i / cast(b.above as double) * (
                    (b.before + 1 - b.first * (x.i - 1) / greatest(b.above - 1e0, 1e0)) * (upto.harmonic - before.harmonic)
                    + (x.i - 1) * b.above / greatest(b.above - 1e0, 1e0)
                )
                end as precisions,
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
                    where ties in ('expected', 'best', 'worst')
                ) as o
                inner join cutoffs as c on c.k >= o.rank and c.k < o.last
                group by o.model, o.user_id, c.k, o.before, o.rank, o.last
            ) as b
            inner join (select unnest(range(0, recsql.deepest(k) + 1)) as i) as x on x.i between b.together + b.above - b.items and least(b.together, b.above)
            inner join harmonics as before on before.rank = b.first - 1
            inner join harmonics as upto on upto.rank = b.k
            inner join harmonics as best on best.rank = b.first - 1 + x.i
            inner join harmonics as worst on worst.rank = b.k - x.i
        ) as w
    ),

    -- one row per model, user and cut-off that separates tied items: the statistics of the splits
    splits_at_k as (
        select
            y.model,
            y.user_id,
            y.k,
            case ties
                when 'best' then max(coalesce(y.precision, 0e0))
                when 'worst' then min(coalesce(y.precision, 0e0))
                else (sum(try_cast(1e18 * (y.weight * coalesce(y.precision, 0e0)) as hugeint)) / 1e18) / (sum(try_cast(1e18 * y.weight as hugeint)) / 1e18)
            end as split_precision
        from (
            select
                x.model,
                x.user_id,
                x.k,
                x.weight,
                (coalesce(sum(try_cast(1e18 * (case ties
                    when 'expected' then h.nth / cast(h.rank as double) * h.probability
                    else h.nth / cast(h.rank as double)
                end) as hugeint)) / 1e18, 0e0) + x.precisions) / nullif(x.hits, 0) as precision
            from splits as x
            left join hits_in_force as h on h.model is not distinct from x.model and h.user_id = x.user_id and h.k = x.k and h.nth <= x.before
            group by x.model, x.user_id, x.k, x.hits, x.weight, x.precisions
        ) as y
        group by y.model, y.user_id, y.k
    ),

    -- a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list
    discounts as (
        select list(case discount
            when 'log2p1' then (1e0 / nullif(log2(n.i + 1), 0))
            when 'jk2002' then (1e0 / greatest(1e0, log2(n.i)))
            when 'ln1p' then (1e0 / nullif(ln(n.i + 1), 0))
            when 'geometric' then power(cast(discount_p as double), n.i - 1)
            when 'none' then 1e0
        end order by n.i asc) as weights
        from (select unnest(range(1, case ideal
            when 'constant' then recsql.deepest(k)
            when 'candidates' then least(recsql.depth(k), (select max(n.hits) from (select count(*) as hits from hits as h group by h.model, h.user_id) as n))
            when 'truth_uncut' then (select max(u.relevant) from users as u)
            else least(recsql.depth(k), (select max(u.relevant) from users as u))
        end + 1)) as i) as n
    ),

    -- one row per profile: one user who represents all users with this profile
    examples as (
        select u.profile, u.relevant, min(u.user_id) as user_id
        from users as u
        group by u.profile, u.relevant
        having count(*) > 0
    ),

    -- one row per profile: the gains of the relevant items, highest first
    ideals as (
        select
            e.profile,
            e.relevant,
            list(t.gain order by t.gain desc) as gains
        from relevant as t
        inner join examples as e on e.user_id = t.user_id
        group by e.profile, e.relevant
        having min(e.user_id) is not null
    ),

    -- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
    at_k as (
        select
            u.model,
            u.user_id,
            u.users,
            u.k,
            coalesce(u.any_hit, 0e0) as any_hit,
            coalesce(u.cg, 0e0) as cg,
            coalesce(u.dcg, 0e0) as dcg,
            coalesce(u.distinct_hits, 0) as distinct_hits,
            coalesce(u.hits, 0) as hits,
            coalesce(case ideal
                when 'truth' then list_inner_product(list_slice(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, 1, u.k), list_slice(d.weights, 1, len(list_slice(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, 1, u.k))))
                when 'constant' then list_sum(list_slice(d.weights, 1, u.k))
                when 'truth_uncut' then list_inner_product(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, list_slice(d.weights, 1, len(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end)))
                when 'truth_returned' then list_inner_product(list_slice(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))), list_slice(d.weights, 1, len(list_slice(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))))))
                when 'candidates' then list_inner_product(list_slice(w.candidate_gains, 1, u.k), list_slice(d.weights, 1, len(list_slice(w.candidate_gains, 1, u.k))))
                when 'truth_as_given' then list_sum(list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain * case discount
                    when 'log2p1' then (1e0 / nullif(log2(e.rank + 1), 0))
                    when 'jk2002' then (1e0 / greatest(1e0, log2(e.rank)))
                    when 'ln1p' then (1e0 / nullif(ln(e.rank + 1), 0))
                    when 'geometric' then power(cast(discount_p as double), e.rank - 1)
                    when 'none' then 1e0
                end))
            end, 0e0) as idcg,
            case when u.returned is null then 0 else 1 end as listed,
            coalesce(u.precision_sum, 0e0) as precision_sum,
            coalesce(u.precision_total, 0e0) as precision_total,
            u.reciprocal_rank,
            w.reciprocal_rank_anywhere,
            coalesce(u.relevant, 0) as relevant,
            coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)) as returned,
            x.split_precision
        from users_at_k as u
        left join hits_of_list as w on (rr_cutoff = 'none' or ideal = 'candidates' or duplicates in ('first', 'last')) and w.model is not distinct from u.model and w.user_id = u.user_id and w.k = u.k
        left join splits_at_k as x on x.model is not distinct from u.model and x.user_id = u.user_id and x.k = u.k
        cross join discounts as d
        left join ideals as i on i.profile = u.profile and i.relevant = u.relevant
    ),

    -- one row per model, cut-off and user or group of alike users: the metrics
    per_user as (
        select
            s.model,
            s.user_id,
            s.users,
            s.k,
            case when s.k < 1000000000000000000 or not (ideal = 'constant') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then case zero_ideal
                    when 'zero' then coalesce(s.dcg / nullif(s.idcg, 0e0), 0e0)
                    when 'one' then coalesce(s.dcg / nullif(s.idcg, 0e0), 1e0)
                    else s.dcg / nullif(s.idcg, 0e0)
                end end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as ndcg,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(s.hits / cast(case recall_denominator
                    when 'relevant' then nullif(s.relevant, 0)
                    when 'achievable' then nullif(least(s.k, s.relevant), 0)
                end as double), 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end as recall,
            case when s.k < 1000000000000000000 or not (precision_denominator = 'k') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(s.hits / cast(case precision_denominator
                    when 'k' then s.k
                    when 'returned' then nullif(s.returned, 0)
                    when 'achievable' then nullif(least(s.k, s.relevant), 0)
                end as double), 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as precision,
            case when s.k < 1000000000000000000 or not (ap_denominator = 'k') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(coalesce(case when ap_denominator = 'hits' and ties in ('expected', 'best', 'worst') then s.split_precision else null end, s.precision_sum / nullif(case ap_denominator
                    when 'achievable' then least(s.k, s.relevant)
                    when 'relevant' then s.relevant
                    when 'achievable_returned' then least(s.relevant, s.returned)
                    when 'hits' then s.hits
                    when 'k' then s.k
                end, 0)), 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as ap,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then s.any_hit end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end as hit,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(case rr_cutoff
                    when 'k' then s.reciprocal_rank
                    when 'none' then s.reciprocal_rank_anywhere
                end, 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end as rr,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then s.cg end
                else coalesce(s.cg, 0e0)
            end as cg,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then s.dcg end
                else coalesce(s.dcg, 0e0)
            end as dcg,
            case when s.k < 1000000000000000000 or not (precision_denominator = 'k') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce((1 + power(cast(beta as double), 2)) / (
                    power(cast(beta as double), 2) / nullif(coalesce(s.hits / cast(case recall_denominator
                        when 'relevant' then nullif(s.relevant, 0)
                        when 'achievable' then nullif(least(s.k, s.relevant), 0)
                    end as double), 0e0), 0e0)
                    + 1 / nullif(coalesce(s.hits / cast(case precision_denominator
                        when 'k' then s.k
                        when 'returned' then nullif(s.returned, 0)
                        when 'achievable' then nullif(least(s.k, s.relevant), 0)
                    end as double), 0e0), 0e0)
                ), 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as f1,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then cast(s.relevant - s.distinct_hits as double) end
                else coalesce(cast(s.relevant - s.distinct_hits as double), 0e0)
            end as fn,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then cast(s.returned - s.hits as double) end
                else coalesce(cast(s.returned - s.hits as double), 0e0)
            end as fp,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then cast(s.hits as double) end
                else coalesce(cast(s.hits as double), 0e0)
            end as hits,
            case when s.k < 1000000000000000000 or not (ideal = 'constant') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then s.idcg end
                else coalesce(s.idcg, 0e0)
            end else null end as idcg,
            case when s.k < 1000000000000000000 then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(s.precision_total / s.k, 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as mean_precision,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then case
                    when catalog_size >= s.returned + s.relevant - s.distinct_hits
                        then cast(catalog_size - (s.returned + s.relevant - s.distinct_hits) as double)
                    when catalog_size < s.returned + s.relevant - s.distinct_hits
                        then error(
                            'catalog_size: '
                            || coalesce(cast(catalog_size as varchar), 'NULL')
                            || ' is too small; user '
                            || coalesce(regexp_replace(cast(s.user_id as varchar), '^$', ''''''), 'NULL')
                            || ' alone has '
                            || coalesce(cast(cast(s.returned + s.relevant - s.distinct_hits as bigint) as varchar), 'NULL')
                            || ' items in list and truth'
                        )
                end end
                else coalesce(case
                    when catalog_size >= s.returned + s.relevant - s.distinct_hits
                        then cast(catalog_size - (s.returned + s.relevant - s.distinct_hits) as double)
                    when catalog_size < s.returned + s.relevant - s.distinct_hits
                        then error(
                            'catalog_size: '
                            || coalesce(cast(catalog_size as varchar), 'NULL')
                            || ' is too small; user '
                            || coalesce(regexp_replace(cast(s.user_id as varchar), '^$', ''''''), 'NULL')
                            || ' alone has '
                            || coalesce(cast(cast(s.returned + s.relevant - s.distinct_hits as bigint) as varchar), 'NULL')
                            || ' items in list and truth'
                        )
                end, 0e0)
            end as tn,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then cast(s.hits as double) end
                else coalesce(cast(s.hits as double), 0e0)
            end as tp
        from at_k as s
    ),

    -- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
    totals as (
        select
            p.model,
            p.k,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'ndcg') then p.ndcg else null end) as hugeint)) / 1e18 as ndcg,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'ndcg') then p.ndcg else null end is null then p.users else 0 end) as bigint) as ndcg_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'recall') or metrics is null or list_contains(metrics, 'f1') then p.recall else null end) as hugeint)) / 1e18 as recall,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'recall') or metrics is null or list_contains(metrics, 'f1') then p.recall else null end is null then p.users else 0 end) as bigint) as recall_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'precision') or metrics is null or list_contains(metrics, 'f1') then p.precision else null end) as hugeint)) / 1e18 as precision,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'precision') or metrics is null or list_contains(metrics, 'f1') then p.precision else null end is null then p.users else 0 end) as bigint) as precision_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'ap') then p.ap else null end) as hugeint)) / 1e18 as ap,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'ap') then p.ap else null end is null then p.users else 0 end) as bigint) as ap_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'hit') then p.hit else null end) as hugeint)) / 1e18 as hit,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'hit') then p.hit else null end is null then p.users else 0 end) as bigint) as hit_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'rr') then p.rr else null end) as hugeint)) / 1e18 as rr,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'rr') then p.rr else null end is null then p.users else 0 end) as bigint) as rr_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'cg') then p.cg else null end) as hugeint)) / 1e18 as cg,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'cg') then p.cg else null end is null then p.users else 0 end) as bigint) as cg_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'dcg') then p.dcg else null end) as hugeint)) / 1e18 as dcg,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'dcg') then p.dcg else null end is null then p.users else 0 end) as bigint) as dcg_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'f1') then p.f1 else null end) as hugeint)) / 1e18 as f1,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'f1') then p.f1 else null end is null then p.users else 0 end) as bigint) as f1_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'fn') then p.fn else null end) as hugeint)) / 1e18 as fn,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'fn') then p.fn else null end is null then p.users else 0 end) as bigint) as fn_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'fp') then p.fp else null end) as hugeint)) / 1e18 as fp,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'fp') then p.fp else null end is null then p.users else 0 end) as bigint) as fp_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'hits') then p.hits else null end) as hugeint)) / 1e18 as hits,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'hits') then p.hits else null end is null then p.users else 0 end) as bigint) as hits_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'idcg') then p.idcg else null end) as hugeint)) / 1e18 as idcg,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'idcg') then p.idcg else null end is null then p.users else 0 end) as bigint) as idcg_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'mean_precision') then p.mean_precision else null end) as hugeint)) / 1e18 as mean_precision,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'mean_precision') then p.mean_precision else null end is null then p.users else 0 end) as bigint) as mean_precision_missing,
            sum(p.users * try_cast(1e18 * (case when (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null then p.tn else null end) as hugeint)) / 1e18 as tn,
            cast(sum(case when case when (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null then p.tn else null end is null then p.users else 0 end) as bigint) as tn_missing,
            sum(p.users * try_cast(1e18 * (case when metrics is null or list_contains(metrics, 'tp') then p.tp else null end) as hugeint)) / 1e18 as tp,
            cast(sum(case when case when metrics is null or list_contains(metrics, 'tp') then p.tp else null end is null then p.users else 0 end) as bigint) as tp_missing
        from per_user as p
        group by p.model, p.k
    ),

    -- one row per model and cut-off: the means of the metrics over users, and the numbers of these users
    means as (
        select
            n.model,
            c.k,
            coalesce(t.ndcg, 0e0) / nullif(n.users - coalesce(t.ndcg_missing, 0), 0) as ndcg,
            n.users - coalesce(t.ndcg_missing, 0) as ndcg_users,
            coalesce(t.recall, 0e0) / nullif(n.users - coalesce(t.recall_missing, 0), 0) as recall,
            n.users - coalesce(t.recall_missing, 0) as recall_users,
            coalesce(t.precision, 0e0) / nullif(n.users - coalesce(t.precision_missing, 0), 0) as precision,
            n.users - coalesce(t.precision_missing, 0) as precision_users,
            coalesce(t.ap, 0e0) / nullif(n.users - coalesce(t.ap_missing, 0), 0) as ap,
            n.users - coalesce(t.ap_missing, 0) as ap_users,
            coalesce(t.hit, 0e0) / nullif(n.users - coalesce(t.hit_missing, 0), 0) as hit,
            n.users - coalesce(t.hit_missing, 0) as hit_users,
            coalesce(t.rr, 0e0) / nullif(n.users - coalesce(t.rr_missing, 0), 0) as rr,
            n.users - coalesce(t.rr_missing, 0) as rr_users,
            coalesce(t.cg, 0e0) / nullif(n.users - coalesce(t.cg_missing, 0), 0) as cg,
            n.users - coalesce(t.cg_missing, 0) as cg_users,
            coalesce(t.dcg, 0e0) / nullif(n.users - coalesce(t.dcg_missing, 0), 0) as dcg,
            n.users - coalesce(t.dcg_missing, 0) as dcg_users,
            case f1_average
                when 'of_means' then case when n.users > 0 then coalesce((1 + power(cast(beta as double), 2)) / (
                    power(cast(beta as double), 2) / nullif(coalesce(t.recall, 0e0) / nullif(n.users - coalesce(t.recall_missing, 0), 0), 0e0)
                    + 1 / nullif(coalesce(t.precision, 0e0) / nullif(n.users - coalesce(t.precision_missing, 0), 0), 0e0)
                ), 0e0) end
                else coalesce(t.f1, 0e0) / nullif(n.users - coalesce(t.f1_missing, 0), 0)
            end as f1,
            n.users - coalesce(t.f1_missing, 0) as f1_users,
            coalesce(t.fn, 0e0) / nullif(n.users - coalesce(t.fn_missing, 0), 0) as fn,
            n.users - coalesce(t.fn_missing, 0) as fn_users,
            coalesce(t.fp, 0e0) / nullif(n.users - coalesce(t.fp_missing, 0), 0) as fp,
            n.users - coalesce(t.fp_missing, 0) as fp_users,
            coalesce(t.hits, 0e0) / nullif(n.users - coalesce(t.hits_missing, 0), 0) as hits,
            n.users - coalesce(t.hits_missing, 0) as hits_users,
            coalesce(t.idcg, 0e0) / nullif(n.users - coalesce(t.idcg_missing, 0), 0) as idcg,
            n.users - coalesce(t.idcg_missing, 0) as idcg_users,
            coalesce(t.mean_precision, 0e0) / nullif(n.users - coalesce(t.mean_precision_missing, 0), 0) as mean_precision,
            n.users - coalesce(t.mean_precision_missing, 0) as mean_precision_users,
            coalesce(t.tn, 0e0) / nullif(n.users - coalesce(t.tn_missing, 0), 0) as tn,
            n.users - coalesce(t.tn_missing, 0) as tn_users,
            coalesce(t.tp, 0e0) / nullif(n.users - coalesce(t.tp_missing, 0), 0) as tp,
            n.users - coalesce(t.tp_missing, 0) as tp_users
        from census as n
        cross join cutoffs as c
        left join totals as t on t.model is not distinct from n.model and t.k = c.k
    ),

    -- no rows, but an error for an unknown metric, or for one that lacks a required option
    unavailable as (
        select n.message
        from (
            select 'tn needs the option catalog_size' as message
            where
                list_contains(metrics, 'tn')
                and (not (catalog_size is not null))
            union all
            select 'metrics: the list is empty; name a metric, pass ''all'', or leave metrics out for the default ones' as message
            where len(metrics) = 0 and recsql.apart("like") = []
            union all
            select
                'unknown metric '''
                || coalesce(cast(m.name as varchar), 'NULL')
                || '''; '
                || coalesce(cast(case when regexp_matches(m.name, '[@(]') then 'give the name alone, with the cut-off as k := 5 and options as arguments; ' else coalesce('did you mean ' || recsql.metric_of(m.name) || '? ', coalesce('did you mean ' || list_max(list_transform(list_filter(m.names, lambda n: jaro_winkler_similarity(lower(n), lower(m.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(m.name)), 'name': n}))['name'] || '? ', '')) end as varchar), 'NULL')
                || 'choose one of '
                || coalesce(cast(array_to_string(m.names, ', ') as varchar), 'NULL') as message
            from (
                select unnest(cast(metrics as varchar[])) as name, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'tn', 'tp'] as names
            ) as m
            where not coalesce(list_contains(m.names, m.name), false)
        ) as n
        where error(n.message) is not null
    ),

    -- one row per model, metric and cut-off
    summary as (
        select m.model, 'ndcg' as metric, m.k, m.ndcg as value, m.ndcg_users as users, 1 as place
        from means as m
        where metrics is null or list_contains(metrics, 'ndcg')
        union all
        select m.model, 'recall' as metric, m.k, m.recall as value, m.recall_users as users, 2 as place
        from means as m
        where metrics is null or list_contains(metrics, 'recall')
        union all
        select m.model, 'precision' as metric, m.k, m.precision as value, m.precision_users as users, 3 as place
        from means as m
        where metrics is null or list_contains(metrics, 'precision')
        union all
        select m.model, 'ap' as metric, m.k, m.ap as value, m.ap_users as users, 4 as place
        from means as m
        where metrics is null or list_contains(metrics, 'ap')
        union all
        select m.model, 'hit' as metric, m.k, m.hit as value, m.hit_users as users, 5 as place
        from means as m
        where metrics is null or list_contains(metrics, 'hit')
        union all
        select m.model, 'rr' as metric, m.k, m.rr as value, m.rr_users as users, 6 as place
        from means as m
        where metrics is null or list_contains(metrics, 'rr')
        union all
        select m.model, 'cg' as metric, m.k, m.cg as value, m.cg_users as users, 7 as place
        from means as m
        where metrics is null or list_contains(metrics, 'cg')
        union all
        select m.model, 'dcg' as metric, m.k, m.dcg as value, m.dcg_users as users, 8 as place
        from means as m
        where metrics is null or list_contains(metrics, 'dcg')
        union all
        select m.model, 'f1' as metric, m.k, m.f1 as value, m.f1_users as users, 9 as place
        from means as m
        where metrics is null or list_contains(metrics, 'f1')
        union all
        select m.model, 'fn' as metric, m.k, m.fn as value, m.fn_users as users, 10 as place
        from means as m
        where metrics is null or list_contains(metrics, 'fn')
        union all
        select m.model, 'fp' as metric, m.k, m.fp as value, m.fp_users as users, 11 as place
        from means as m
        where metrics is null or list_contains(metrics, 'fp')
        union all
        select m.model, 'hits' as metric, m.k, m.hits as value, m.hits_users as users, 12 as place
        from means as m
        where metrics is null or list_contains(metrics, 'hits')
        union all
        select m.model, 'idcg' as metric, m.k, m.idcg as value, m.idcg_users as users, 13 as place
        from means as m
        where metrics is null or list_contains(metrics, 'idcg')
        union all
        select m.model, 'mean_precision' as metric, m.k, m.mean_precision as value, m.mean_precision_users as users, 14 as place
        from means as m
        where metrics is null or list_contains(metrics, 'mean_precision')
        union all
        select m.model, 'tn' as metric, m.k, m.tn as value, m.tn_users as users, 15 as place
        from means as m
        where (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null
        union all
        select m.model, 'tp' as metric, m.k, m.tp as value, m.tp_users as users, 16 as place
        from means as m
        where metrics is null or list_contains(metrics, 'tp')
        union all
        select null as model, n.message as metric, null as k, null as value, null as users, null as place
        from unavailable as n
    ),

    -- one row per length of a list: the hash of the ranks 1, 2, ... up to that length
    unbroken as (
        select i.i as returned, bit_xor(hash(xor(hash(i.i), hash(now())))) over (order by i.i asc) as ranks
        from (select unnest(range(1, (select max(n.returned) from list_ranks as n) + 1)) as i) as i
    ),

    -- one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs
    unproven as (
        select n.model, n.user_id
        from list_ranks as n
        left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
        where b.returned is null
    ),

    -- one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank
    rank_bands as (
        select r.model, r.user_id, try_cast(r.rank as bigint) >> 6 as band
        from given_recs as r
        inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
        where not (coalesce(rank_by, r.rank_by) = 'score')
        group by r.model, r.user_id, try_cast(r.rank as bigint) >> 6
        having bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(r.rank as bigint) & 63 as ubigint))) < count(*)
    ),

    -- one row if the input can't be measured: the message of the check with the lowest place
    problems as (
        select min_by(p.message, p.place) as message
        from (
            select 7 as place, p.message
            from (
                select
                    recs
                    || ': the list of user '
                    || coalesce(regexp_replace(cast(l.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || l.model, '') as varchar), 'NULL')
                    || ' has '
                    || coalesce(cast(l.returned as varchar), 'NULL')
                    || ' items, but its last rank is '
                    || coalesce(cast(l.last_rank as varchar), 'NULL')
                    || '; give each item of a list its own rank' as message
                from lists as l
                where
                    l.last_rank < l.returned
                    and (metrics is null or list_contains(metrics, 'fp') or (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null or no_truth = 'one_if_both_empty' or ap_denominator = 'achievable_returned' or precision_denominator = 'returned' or ideal = 'truth_returned')
                order by l.user_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': item '
                    || coalesce(regexp_replace(cast(h.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appears more than once in the list of user '
                    || coalesce(regexp_replace(cast(h.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || h.model, '') as varchar), 'NULL')
                    || '; list it once, or choose how it counts with the option duplicates' as message
                from hits as h
                where
                    h.copies > 1
                    and (duplicates = 'error')
                order by h.user_id asc, h.item_id asc
                limit 1
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    truth
                    || ': item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(t.gain as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || '; ties = ''best'' and ''worst'' need gains of at least 0' as message
                from relevant as t
                inner join found as f on f.user_id = t.user_id and f.item_id = t.item_id
                where
                    t.gain < 0
                    and (ties in ('best', 'worst'))
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    truth
                    || ': item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(t.gain as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || '; scale the relevance so that gains lie between 1e-6 and 1e9' as message
                from (
                    select t.user_id, t.item_id, case gain
                        when 'binary' then 1e0
                        when 'exp2' then (power(2e0, t.relevance) - 1)
                        when 'exp2_shifted' then (power(2e0, t.relevance - coalesce(relevance_threshold, 0) + 1) - 1)
                        when 'map' then coalesce(cast(gain_map as map(double, double))[t.relevance], error(
                            'gain_map: no gain for relevance '
                            || coalesce(cast(t.relevance as varchar), 'NULL')
                            || ' of user '
                            || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                            || ', item '
                            || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                            || '; add one'
                        ))
                        else t.relevance
                    end as gain
                    from given_truth as t
                    where case relevant
                        when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                        when 'present' then true
                    end
                ) as t
                where abs(t.gain) >= 1e9 or (t.gain <> 0 and abs(t.gain) < 1e-6)
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': it applies only if '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' = '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; set that as well, or leave '
                    || coalesce(cast(o.name as varchar), 'NULL')
                    || ' out' as message
                from (
                    select 'discount_p' as name, 'discount' as other, 'geometric' as value, discount_p is distinct from 0.8e0 as given, discount = 'geometric' as met
                    union all
                    select 'gain_map' as name, 'gain' as other, 'map' as value, gain_map is distinct from null as given, gain = 'map' as met
                ) as o
                where o.given and not o.met
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': rank is '
                    || coalesce(cast(r.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; ties = ''input'' needs the input order in the column rank' as message
                from given_recs as r
                where
                    r.rank is null
                    and (ties = 'input' and coalesce(rank_by, r.rank_by) = 'score')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    truth
                    || ': user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has '
                    || coalesce(cast(coalesce(u.relevant, 0) as varchar), 'NULL')
                    || ' relevant items; protocol = ''leave_one_out'' needs exactly one per user' as message
                from given_truth as t
                left join users as u on u.user_id = t.user_id
                where
                    (u.relevant is null or u.relevant > 1)
                    and (protocol = 'leave_one_out')
                order by t.user_id asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    'ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = ''item_asc'', ''item_desc'', ''input'' or ''error''' as message
                where ties in ('expected', 'best', 'worst') and truth_window in ('k', 'rank')
            ) as p
            union all
            select 8 as place, p.message
            from (
                select
                    'user '
                    || coalesce(regexp_replace(cast(l.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has no relevant item in '
                    || truth
                    || '; no_truth = ''error'' does not allow that' as message
                from (
                    select r.user_id from given_recs as r
                    union all
                    select t.user_id from given_truth as t
                ) as l
                left join users as u on u.user_id = l.user_id
                where
                    u.user_id is null
                    and (no_truth = 'error')
                order by l.user_id asc
                limit 1
            ) as p
            union all
            select 9 as place, p.message
            from (
                select
                    'no user in '
                    || truth
                    || ' has a relevant item and is in the mean; check relevance, relevance_threshold, users and no_recs' as message
                from (select count(*) as users from population as u) as n
                where n.users = 0
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': '
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || ' is not '
                    || coalesce(cast(case when o.is_number then o.bound when o.whole then 'a whole number' else 'a number' end as varchar), 'NULL') as message
                from (
                    select n.name, n.value, n.whole, n.bound, n.holds, coalesce(isfinite(n.number) and (not n.whole or n.number % 1 = 0), false) as is_number
                    from (
                        select 'catalog_size' as name, cast(catalog_size as varchar) as value, try_cast(catalog_size as double) as number, true as whole, 'above 0 and at most 1000000000000' as bound, try_cast(catalog_size as double) > 0 and try_cast(catalog_size as double) <= 1000000000000 as holds
                        union all
                        select 'discount_p' as name, cast(discount_p as varchar) as value, try_cast(discount_p as double) as number, false as whole, 'above 0 and at most 1' as bound, try_cast(discount_p as double) > 0 and try_cast(discount_p as double) <= 1 as holds
                        union all
                        select 'relevance_threshold' as name, cast(relevance_threshold as varchar) as value, try_cast(relevance_threshold as double) as number, false as whole, '' as bound, true as holds
                        union all
                        select 'beta' as name, cast(beta as varchar) as value, try_cast(beta as double) as number, false as whole, 'above 0 and at most 1000000' as bound, try_cast(beta as double) > 0 and try_cast(beta as double) <= 1000000 as holds
                    ) as n
                    where n.value is not null
                ) as o
                where not (o.is_number and o.holds)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': unknown value '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(o.choices, lambda n: jaro_winkler_similarity(lower(n), lower(o.value)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(o.value)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'choose one of '
                    || coalesce(cast(array_to_string(o.choices, ', ') as varchar), 'NULL') as message
                from (
                    select 'protocol' as name, protocol as value, ['any', 'leave_one_out'] as choices
                    union all
                    select 'discount' as name, discount as value, ['log2p1', 'jk2002', 'ln1p', 'geometric', 'none'] as choices
                    union all
                    select 'gain' as name, gain as value, ['linear', 'binary', 'exp2', 'exp2_shifted', 'map'] as choices
                    union all
                    select 'zero_ideal' as name, zero_ideal as value, ['null', 'skip', 'zero', 'one'] as choices
                    union all
                    select 'relevant' as name, relevant as value, ['positive', 'present'] as choices
                    union all
                    select 'no_truth' as name, no_truth as value, ['skip', 'zero', 'zero_below_threshold', 'one', 'one_if_both_empty', 'error'] as choices
                    union all
                    select 'ap_denominator' as name, ap_denominator as value, ['achievable', 'relevant', 'achievable_returned', 'hits', 'k'] as choices
                    union all
                    select 'f1_average' as name, f1_average as value, ['per_user', 'of_means'] as choices
                    union all
                    select 'precision_denominator' as name, precision_denominator as value, ['k', 'returned', 'achievable'] as choices
                    union all
                    select 'recall_denominator' as name, recall_denominator as value, ['relevant', 'achievable'] as choices
                    union all
                    select 'rr_cutoff' as name, rr_cutoff as value, ['k', 'none'] as choices
                    union all
                    select 'ideal' as name, ideal as value, ['truth', 'constant', 'truth_uncut', 'truth_returned', 'candidates', 'truth_as_given'] as choices
                    union all
                    select 'truth_window' as name, truth_window as value, ['all', 'k', 'rank'] as choices
                    union all
                    select 'judged_only' as name, judged_only as value, ['false', 'true'] as choices
                    union all
                    select 'no_recs' as name, no_recs as value, ['zero', 'skip'] as choices
                    union all
                    select 'rank_by' as name, rank_by as value, ['rank', 'score', 'position'] as choices
                    union all
                    select 'duplicates' as name, duplicates as value, ['error', 'first', 'hole', 'count', 'set', 'last'] as choices
                    union all
                    select 'ties' as name, ties as value, ['item_asc', 'item_desc', 'input', 'expected', 'best', 'worst', 'error'] as choices
                    union all
                    select 'like' as name, lower("like") as value, ['cornac', 'elliot', 'evidently', 'hivemall', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval'] as choices
                ) as o
                where not list_contains(o.choices, o.value)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': rank is '
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
                    and (not (coalesce(rank_by, r.rank_by) = 'score'))
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    recs
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
                    from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(recs)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    recs
                    || ': '
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
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    truth
                    || ': relevance is '
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
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    recs
                    || ': items '
                    || coalesce(regexp_replace(cast(o.one as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' have the same rank '
                    || coalesce(cast(o.rank as varchar), 'NULL')
                    || ' in the list of user '
                    || coalesce(regexp_replace(cast(o.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || o.model, '') as varchar), 'NULL')
                    || '; number each list with row_number(), or use rank_by = ''score'' and choose how equal scores count with the option ties' as message
                from (
                    select r.model, r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
                    from given_recs as r
                    inner join rank_bands as b
                        on b.model is not distinct from r.model and b.user_id = r.user_id and b.band = try_cast(r.rank as bigint) >> 6
                    where not (coalesce(rank_by, r.rank_by) = 'score')
                    group by r.model, r.user_id, r.rank
                    having min(r.item_id) <> max(r.item_id) or count(*) > case when duplicates = 'count' then 1 else count(*) end
                ) as o
                order by o.model asc nulls first, o.user_id asc, o.rank asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': score is '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; every score must be a finite number, not NULL or text' as message
                from given_recs as r
                where
                    (r.score is null or isnan(cast(r.score as double) + 0 * random()) or isinf(cast(r.score as double)) or typeof(r.score) in ('VARCHAR', 'BOOLEAN'))
                    and (coalesce(rank_by, r.rank_by) = 'score')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appears more than once in the list of user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', which ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' with duplicates = '''
                    || coalesce(cast(duplicates as varchar), 'NULL')
                    || ''' does not support; list it once, or use duplicates = ''first''' as message
                from scored as r
                where ties in ('expected', 'best', 'worst') and duplicates in ('hole', 'count', 'set')
                group by r.model, r.user_id, r.item_id
                having count(*) > case when (metrics is null or list_contains(metrics, 'fn') or (metrics is null or list_contains(metrics, 'tn')) and catalog_size is not null) and ties = 'expected' and duplicates = 'count' then 1 else case duplicates
                    when 'set' then 1
                    else count(distinct r.score)
                end end
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has items '
                    || coalesce(regexp_replace(cast(min(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(max(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' with the same score '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || '; use ties = ''item_asc'' or ''item_desc'', or rank the list yourself' as message
                from scored as r
                where
                    r.rank <= recsql.depth(k) + 1
                    and (ties = 'error')
                group by r.model, r.user_id, r.score
                having count(*) > 1
                order by r.user_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    truth
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(t.types) as type, g.columns
                    from (select [typeof(t.user_id), typeof(t.item_id)] as types from given_truth as t limit 1) as t
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(truth)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    truth
                    || ': '
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
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    truth
                    || ': rank is '
                    || coalesce(cast(t.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; truth_window and ideal = ''truth_as_given'' need the position of each item, starting at 1, in the truth''s column rank' as message
                from given_truth as t
                where
                    (t.rank is null or t.rank < 1)
                    and (truth_window in ('k', 'rank') or ideal = 'truth_as_given')
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
        ) as p
        having count(*) > 0
    )

    select s.model, s.metric, s.k, s.value, s.users
    from summary as s
    where (select count(error(p.message)) from problems as p) = 0
    order by s.model asc nulls first, s.place asc, s.k asc;

comment on macro table recsql.evaluate_under is 'the metrics averaged over users, every option known';

-- the metrics averaged over users
create or replace macro recsql.evaluate(
    recs, truth, k := [5, 10, 20], protocol := 'any', catalog_size := null, discount := 'log2p1', discount_p := 0.8e0,
    gain := 'linear', gain_map := null, zero_ideal := 'null', relevant := 'positive', relevance_threshold := null,
    no_truth := 'skip', ap_denominator := 'achievable', beta := 1, f1_average := 'per_user',
    precision_denominator := 'k', recall_denominator := 'relevant', rr_cutoff := 'k', ideal := 'truth',
    users := 'truth', truth_window := 'all', judged_only := 'false', no_recs := 'zero', rank_by := null,
    duplicates := 'error', ties := 'item_asc', metrics := null
) as table (
    select
        e.model,
        recsql.label(e.metric, null, [
            {'name': 'discount', 'value': cast(nullif(discount, 'log2p1') as varchar), 'metrics': ['ndcg', 'dcg', 'idcg']},
            {'name': 'discount', 'value': case when zero_ideal = 'skip' then cast(nullif(discount, 'log2p1') as varchar) end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'discount_p', 'value': cast(nullif(discount_p, 0.8e0) as varchar), 'metrics': ['ndcg', 'dcg', 'idcg']},
            {'name': 'discount_p', 'value': case when zero_ideal = 'skip' then cast(nullif(discount_p, 0.8e0) as varchar) end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'gain', 'value': cast(nullif(gain, 'linear') as varchar), 'metrics': ['ndcg', 'cg', 'dcg', 'idcg']},
            {'name': 'gain', 'value': case when zero_ideal = 'skip' then cast(nullif(gain, 'linear') as varchar) end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'gain_map', 'value': array_to_string(list_transform(map_entries(gain_map), lambda o: regexp_replace(cast(cast(o.key as double) as varchar), '[.]0$', '') || ':' || cast(cast(o.value as double) as varchar)), ' '), 'metrics': ['ndcg', 'cg', 'dcg', 'idcg']},
            {'name': 'gain_map', 'value': case when zero_ideal = 'skip' then array_to_string(list_transform(map_entries(gain_map), lambda o: regexp_replace(cast(cast(o.key as double) as varchar), '[.]0$', '') || ':' || cast(cast(o.value as double) as varchar)), ' ') end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'zero_ideal', 'value': cast(nullif(zero_ideal, 'null') as varchar), 'metrics': null},
            {'name': 'relevant', 'value': cast(nullif(relevant, 'positive') as varchar), 'metrics': null},
            {'name': 'relevance_threshold', 'value': cast(relevance_threshold as varchar), 'metrics': null},
            {'name': 'no_truth', 'value': cast(nullif(no_truth, 'skip') as varchar), 'metrics': null},
            {'name': 'denominator', 'value': cast(nullif(ap_denominator, 'achievable') as varchar), 'metrics': ['ap']},
            {'name': 'beta', 'value': cast(nullif(beta, 1) as varchar), 'metrics': ['f1']},
            {'name': 'average', 'value': cast(nullif(f1_average, 'per_user') as varchar), 'metrics': ['f1']},
            {'name': 'denominator', 'value': cast(nullif(precision_denominator, 'k') as varchar), 'metrics': ['precision']},
            {'name': 'precision_denominator', 'value': cast(nullif(precision_denominator, 'k') as varchar), 'metrics': ['f1']},
            {'name': 'denominator', 'value': cast(nullif(recall_denominator, 'relevant') as varchar), 'metrics': ['recall']},
            {'name': 'recall_denominator', 'value': cast(nullif(recall_denominator, 'relevant') as varchar), 'metrics': ['f1']},
            {'name': 'cutoff', 'value': cast(nullif(rr_cutoff, 'k') as varchar), 'metrics': ['rr']},
            {'name': 'ideal', 'value': cast(nullif(ideal, 'truth') as varchar), 'metrics': ['ndcg', 'idcg']},
            {'name': 'ideal', 'value': case when zero_ideal = 'skip' then cast(nullif(ideal, 'truth') as varchar) end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'users', 'value': case when users is null or users in ('truth', 'intersection', 'union') then nullif(users, 'truth') else 'table' end, 'metrics': null},
            {'name': 'truth_window', 'value': cast(nullif(truth_window, 'all') as varchar), 'metrics': null},
            {'name': 'judged_only', 'value': cast(nullif(judged_only, 'false') as varchar), 'metrics': null},
            {'name': 'no_recs', 'value': cast(nullif(no_recs, 'zero') as varchar), 'metrics': null},
            {'name': 'rank_by', 'value': cast(rank_by as varchar), 'metrics': null},
            {'name': 'duplicates', 'value': cast(nullif(duplicates, 'error') as varchar), 'metrics': null},
            {'name': 'ties', 'value': cast(nullif(ties, 'item_asc') as varchar), 'metrics': null}
        ]) as metric,
        cast(nullif(e.k, 1000000000000000000) as integer) as k,
        e.value,
        e.users
    from (
        from recsql.evaluate_under(
            recs, truth, k := k, protocol := coalesce(protocol, 'any'), catalog_size := catalog_size,
            discount := coalesce(discount, 'log2p1'), discount_p := coalesce(discount_p, 0.8e0),
            gain := coalesce(gain, 'linear'), gain_map := gain_map, zero_ideal := coalesce(zero_ideal, 'null'),
            relevant := coalesce(relevant, 'positive'), relevance_threshold := relevance_threshold,
            no_truth := coalesce(no_truth, 'skip'), ap_denominator := coalesce(ap_denominator, 'achievable'),
            beta := coalesce(beta, 1), f1_average := coalesce(f1_average, 'per_user'),
            precision_denominator := coalesce(precision_denominator, 'k'),
            recall_denominator := coalesce(recall_denominator, 'relevant'), rr_cutoff := coalesce(rr_cutoff, 'k'),
            ideal := coalesce(ideal, 'truth'), users := coalesce(users, 'truth'), truth_window := coalesce(truth_window, 'all'),
            judged_only := coalesce(judged_only, 'false'), no_recs := coalesce(no_recs, 'zero'), rank_by := rank_by,
            duplicates := coalesce(duplicates, 'error'), ties := coalesce(ties, 'item_asc'),
            metrics := recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr'])
        )
    ) as e
    order by e.model asc nulls first, list_position(['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'tn', 'tp'], e.metric) asc, e.k asc
), (
    recs, truth, "like" varchar, k := [5, 10, 20], protocol := 'any', catalog_size := null, discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, no_truth := null, ap_denominator := null, beta := 1, f1_average := null,
    precision_denominator := null, recall_denominator := null, rr_cutoff := null, ideal := null, users := 'truth',
    truth_window := null, judged_only := 'false', no_recs := null, rank_by := null, duplicates := null, ties := null,
    metrics := null
) as table (
    select
        e.model,
        recsql.label(e.metric, "like", [
            {'name': 'discount', 'value': cast(nullif(discount, recsql.usual_discount("like", e.metric)) as varchar), 'metrics': ['ndcg', 'dcg', 'idcg']},
            {'name': 'discount', 'value': case when zero_ideal = 'skip' then cast(nullif(discount, recsql.usual_discount("like", e.metric)) as varchar) end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'discount_p', 'value': cast(nullif(discount_p, 0.8e0) as varchar), 'metrics': ['ndcg', 'dcg', 'idcg']},
            {'name': 'discount_p', 'value': case when zero_ideal = 'skip' then cast(nullif(discount_p, 0.8e0) as varchar) end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'gain', 'value': cast(nullif(gain, recsql.usual_gain("like", e.metric)) as varchar), 'metrics': ['ndcg', 'cg', 'dcg', 'idcg']},
            {'name': 'gain', 'value': case when zero_ideal = 'skip' then cast(nullif(gain, recsql.usual_gain("like", e.metric)) as varchar) end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'gain_map', 'value': array_to_string(list_transform(map_entries(gain_map), lambda o: regexp_replace(cast(cast(o.key as double) as varchar), '[.]0$', '') || ':' || cast(cast(o.value as double) as varchar)), ' '), 'metrics': ['ndcg', 'cg', 'dcg', 'idcg']},
            {'name': 'gain_map', 'value': case when zero_ideal = 'skip' then array_to_string(list_transform(map_entries(gain_map), lambda o: regexp_replace(cast(cast(o.key as double) as varchar), '[.]0$', '') || ':' || cast(cast(o.value as double) as varchar)), ' ') end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'zero_ideal', 'value': cast(nullif(zero_ideal, recsql.usual_zero_ideal("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'relevant', 'value': cast(nullif(relevant, recsql.usual_relevant("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'relevance_threshold', 'value': cast(nullif(relevance_threshold, recsql.usual_relevance_threshold("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'no_truth', 'value': cast(nullif(no_truth, recsql.usual_no_truth("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'denominator', 'value': cast(nullif(ap_denominator, recsql.usual_ap_denominator("like", e.metric)) as varchar), 'metrics': ['ap']},
            {'name': 'beta', 'value': cast(nullif(beta, 1) as varchar), 'metrics': ['f1']},
            {'name': 'average', 'value': cast(nullif(f1_average, recsql.usual_f1_average("like", e.metric)) as varchar), 'metrics': ['f1']},
            {'name': 'denominator', 'value': cast(nullif(precision_denominator, recsql.usual_precision_denominator("like", e.metric)) as varchar), 'metrics': ['precision']},
            {'name': 'precision_denominator', 'value': cast(nullif(precision_denominator, recsql.usual_precision_denominator("like", e.metric)) as varchar), 'metrics': ['f1']},
            {'name': 'denominator', 'value': cast(nullif(recall_denominator, recsql.usual_recall_denominator("like", e.metric)) as varchar), 'metrics': ['recall']},
            {'name': 'recall_denominator', 'value': cast(nullif(recall_denominator, recsql.usual_recall_denominator("like", e.metric)) as varchar), 'metrics': ['f1']},
            {'name': 'cutoff', 'value': cast(nullif(rr_cutoff, recsql.usual_rr_cutoff("like", e.metric)) as varchar), 'metrics': ['rr']},
            {'name': 'ideal', 'value': cast(nullif(ideal, recsql.usual_ideal("like", e.metric)) as varchar), 'metrics': ['ndcg', 'idcg']},
            {'name': 'ideal', 'value': case when zero_ideal = 'skip' then cast(nullif(ideal, recsql.usual_ideal("like", e.metric)) as varchar) end, 'metrics': ['recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'mean_precision', 'tn', 'tp']},
            {'name': 'users', 'value': case when users is null or users in ('truth', 'intersection', 'union') then nullif(users, 'truth') else 'table' end, 'metrics': null},
            {'name': 'truth_window', 'value': cast(nullif(truth_window, recsql.usual_truth_window("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'judged_only', 'value': cast(nullif(judged_only, 'false') as varchar), 'metrics': null},
            {'name': 'no_recs', 'value': cast(nullif(no_recs, recsql.usual_no_recs("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'rank_by', 'value': cast(nullif(rank_by, recsql.usual_rank_by("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'duplicates', 'value': cast(nullif(duplicates, recsql.usual_duplicates("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'ties', 'value': cast(nullif(ties, recsql.usual_ties("like", e.metric)) as varchar), 'metrics': null}
        ]) as metric,
        cast(nullif(e.k, 1000000000000000000) as integer) as k,
        e.value,
        e.users
    from (
        from recsql.evaluate_under(
            recs, truth, k := k, protocol := coalesce(protocol, 'any'), catalog_size := catalog_size,
            discount := coalesce(discount, recsql.usual_discount("like", null)), discount_p := coalesce(discount_p, 0.8e0),
            gain := coalesce(gain, recsql.usual_gain("like", null)), gain_map := gain_map,
            zero_ideal := coalesce(zero_ideal, recsql.usual_zero_ideal("like", null)),
            relevant := coalesce(relevant, recsql.usual_relevant("like", null)),
            relevance_threshold := coalesce(relevance_threshold, recsql.usual_relevance_threshold("like", null)),
            no_truth := coalesce(no_truth, recsql.usual_no_truth("like", null)),
            ap_denominator := coalesce(ap_denominator, recsql.usual_ap_denominator("like", null)), beta := coalesce(beta, 1),
            f1_average := coalesce(f1_average, recsql.usual_f1_average("like", null)),
            precision_denominator := coalesce(precision_denominator, recsql.usual_precision_denominator("like", null)),
            recall_denominator := coalesce(recall_denominator, recsql.usual_recall_denominator("like", null)),
            rr_cutoff := coalesce(rr_cutoff, recsql.usual_rr_cutoff("like", null)),
            ideal := coalesce(ideal, recsql.usual_ideal("like", null)), users := coalesce(users, 'truth'),
            truth_window := coalesce(truth_window, recsql.usual_truth_window("like", null)),
            judged_only := coalesce(judged_only, 'false'), no_recs := coalesce(no_recs, recsql.usual_no_recs("like", null)),
            rank_by := rank_by, duplicates := coalesce(duplicates, recsql.usual_duplicates("like", null)),
            ties := coalesce(ties, recsql.usual_ties("like", null)),
            metrics := case when recsql.apart("like") = [] then recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr']) else list_filter(coalesce(recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr']), ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', case when catalog_size is not null then 'tn' end, 'tp']), lambda m: not list_contains(recsql.apart("like"), m)) end,
            like := "like"
        )
        union all
        from recsql.evaluate_under(
            recs, truth, k := k, protocol := coalesce(protocol, 'any'), catalog_size := catalog_size,
            discount := coalesce(discount, recsql.usual_discount("like", recsql.apart("like")[1])),
            discount_p := coalesce(discount_p, 0.8e0),
            gain := coalesce(gain, recsql.usual_gain("like", recsql.apart("like")[1])), gain_map := gain_map,
            zero_ideal := coalesce(zero_ideal, recsql.usual_zero_ideal("like", recsql.apart("like")[1])),
            relevant := coalesce(relevant, recsql.usual_relevant("like", recsql.apart("like")[1])),
            relevance_threshold := coalesce(relevance_threshold, recsql.usual_relevance_threshold("like", recsql.apart("like")[1])),
            no_truth := coalesce(no_truth, recsql.usual_no_truth("like", recsql.apart("like")[1])),
            ap_denominator := coalesce(ap_denominator, recsql.usual_ap_denominator("like", recsql.apart("like")[1])),
            beta := coalesce(beta, 1),
            f1_average := coalesce(f1_average, recsql.usual_f1_average("like", recsql.apart("like")[1])),
            precision_denominator := coalesce(precision_denominator, recsql.usual_precision_denominator("like", recsql.apart("like")[1])),
            recall_denominator := coalesce(recall_denominator, recsql.usual_recall_denominator("like", recsql.apart("like")[1])),
            rr_cutoff := coalesce(rr_cutoff, recsql.usual_rr_cutoff("like", recsql.apart("like")[1])),
            ideal := coalesce(ideal, recsql.usual_ideal("like", recsql.apart("like")[1])), users := coalesce(users, 'truth'),
            truth_window := coalesce(truth_window, recsql.usual_truth_window("like", recsql.apart("like")[1])),
            judged_only := coalesce(judged_only, 'false'),
            no_recs := coalesce(no_recs, recsql.usual_no_recs("like", recsql.apart("like")[1])), rank_by := rank_by,
            duplicates := coalesce(duplicates, recsql.usual_duplicates("like", recsql.apart("like")[1])),
            ties := coalesce(ties, recsql.usual_ties("like", recsql.apart("like")[1])),
            metrics := list_filter(recsql.apart("like"), lambda m: recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr']) is null or list_contains(recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr']), m)),
            like := "like"
        )
        where recsql.apart("like") <> []
    ) as e
    order by e.model asc nulls first, list_position(['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'tn', 'tp'], e.metric) asc, e.k asc
);

comment on macro table recsql.evaluate is 'the metrics averaged over users';

-- the metrics of each user, one column per metric, every option known
create or replace macro recsql.per_user_under(
    recs, truth, k := [5, 10, 20], protocol := 'any', catalog_size := null, discount := 'log2p1', discount_p := 0.8e0,
    gain := 'linear', gain_map := null, zero_ideal := 'null', relevant := 'positive', relevance_threshold := null,
    no_truth := 'skip', ap_denominator := 'achievable', beta := 1, precision_denominator := 'k',
    recall_denominator := 'relevant', rr_cutoff := 'k', ideal := 'truth', users := 'truth', truth_window := 'all',
    judged_only := 'false', no_recs := 'zero', rank_by := null, duplicates := 'error', ties := 'item_asc', like := null
) as table
    with
    -- one row per row of recs, with recsql's column names
    given_recs as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
            case when typeof(r.rank) = '"NULL"' or (typeof(r.score) <> '"NULL"' and lower("like") in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval')) then 'score' else 'rank' end as rank_by
        from (
            from query_table(recsql.relation(recs))
            union all by name
            select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
            where false
        ) as r
    ),

    -- one row per row of truth, with recsql's column names
    given_truth as not materialized (
        select
            t.user_id,
            t.item_id,
            case when typeof(t.relevance) = '"NULL"' then 1e0 else try_cast(t.relevance as double) end as relevance,
            try_cast(t.rank as bigint) as rank
        from (
            from query_table(recsql.relation(truth))
            union all by name
            select null as user_id, null as item_id, null as relevance, null as rank
            where false
        ) as t
    ),

    -- one row per user in the table users
    given_users as not materialized (
        select distinct g.user_id
        from query_table(recsql.relation(case when users in ('truth', 'intersection', 'union') then truth else users end)) as g
    ),

    -- one row per model; one row without a name if nothing is recommended
    models as (
        select distinct r.model
        from given_recs as r
        union all
        select cast(null as varchar) as model
        where not exists (select 1 from given_recs as r)
    ),

    -- one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows
    fingerprints as (
        select
            t.user_id,
            bit_or(cast(1 as ubigint) << (hash(t.item_id) & 63)) as bits,
            bit_or(cast(1 as ubigint) << (hash(t.item_id) >> 58)) as other_bits,
            sum(hash(xor(hash(t.relevance), hash(now())))) as profile,
            count(*) as stated
        from (
            select t.user_id, t.item_id, t.relevance
            from given_truth as t
            where case relevant
                when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                when 'present' then true
            end
                and coalesce((select error(g.message) from (
                    select
                        coalesce(cast(i.name as varchar), 'NULL')
                        || ' is '
                        || coalesce(cast(i.in_left as varchar), 'NULL')
                        || ' in '
                        || coalesce(cast(recs as varchar), 'NULL')
                        || ' and '
                        || coalesce(cast(i.in_right as varchar), 'NULL')
                        || ' in '
                        || coalesce(cast(truth as varchar), 'NULL')
                        || '; cast one of them to the other''s type' as message
                    from (
                        select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                        from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                        cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                    ) as i
                    where
                        recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                        and '"NULL"' not in (i.in_left, i.in_right)
                    limit 1
                ) as g), true)
            union all
            select r.user_id, r.item_id, null as relevance
            from given_recs as r
            where false
        ) as t
        group by t.user_id
    ),

    -- one row per user who may have repeated items in the truth: the user has fewer bits than rows
    suspects as (
        select f.user_id
        from fingerprints as f
        where greatest(bit_count(f.bits), bit_count(f.other_bits)) < f.stated
    ),

    -- one row per suspect with a repeated item in the truth
    repeaters as (
        select t.user_id, true as repeats
        from given_truth as t
        inner join suspects as s on s.user_id = t.user_id
        where case relevant
            when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
            when 'present' then true
        end
        group by t.user_id
        having list_unique(list(t.item_id)) < count(*)
    ),

    -- one row per repeater and relevant item, with its highest relevance
    folded as (
        select
            t.user_id,
            t.item_id,
            min(t.rank) as rank,
            max(t.relevance) as relevance
        from given_truth as t
        inner join repeaters as p on p.user_id = t.user_id
        where case relevant
            when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
            when 'present' then true
        end
        group by t.user_id, t.item_id
    ),

    -- one row per user with relevant items: their number, and the profile of their gains; equal gains have equal profiles
    users as (
        select f.user_id, f.profile, f.stated as relevant
        from fingerprints as f
        left join repeaters as p on p.user_id = f.user_id
        where not coalesce(p.repeats, false)
        union all
        select t.user_id, sum(hash(xor(hash(t.relevance), hash(now())))) as profile, count(*) as relevant
        from folded as t
        group by t.user_id
    ),

    -- one row per user and relevant item; repeated items count once, with their highest relevance
    relevant as not materialized (
        select t.user_id, t.item_id, t.rank as truth_rank, case gain
            when 'binary' then 1e0
            when 'exp2' then (power(2e0, t.relevance) - 1)
            when 'exp2_shifted' then (power(2e0, t.relevance - coalesce(relevance_threshold, 0) + 1) - 1)
            when 'map' then coalesce(cast(gain_map as map(double, double))[t.relevance], error(
                'gain_map: no gain for relevance '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' of user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; add one'
            ))
            else t.relevance
        end as gain
        from (
            select t.user_id, t.item_id, t.relevance, t.rank
            from given_truth as t
            left join repeaters as p on p.user_id = t.user_id
            where
                not coalesce(p.repeats, false)
                and case relevant
                    when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                    when 'present' then true
                end
            union all
            select t.user_id, t.item_id, t.relevance, t.rank
            from folded as t
        ) as t
    ),

    -- one row per user with relevant items: the gains of the items, with their ranks in the ordered truth
    entries as (
        select t.user_id, list({'rank': t.truth_rank, 'gain': t.gain} order by t.gain desc, t.truth_rank asc) as entries
        from relevant as t
        group by t.user_id
    ),

    -- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
    list_ranks as (
        select
            r.model,
            r.user_id,
            max(case when not (coalesce(rank_by, r.rank_by) = 'score') then r.rank else null end) as last_rank,
            bit_xor(hash(xor(hash(case when not (coalesce(rank_by, r.rank_by) = 'score') then try_cast(r.rank as bigint) else null end), hash(now())))) as ranks,
            count(*) as returned
        from given_recs as r
        group by r.model, r.user_id
    ),

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
                    || ' in '
                    || coalesce(cast(recs as varchar), 'NULL')
                    || ' and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(truth as varchar), 'NULL')
                    || '; cast one of them to the other''s type' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                    cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                ) as i
                where
                    recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
        group by t.user_id, t.item_id
    ),

    -- one row per row of recs whose item is judged, with its rank among these
    judged_recs as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.score, r.rank_by
        from given_recs as r
        where not (judged_only = 'true')
        union all
        select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.score, o.rank_by
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
                r.score,
                r.rank_by,
                j.item_id is not null as is_judged,
                -- rows with the same rank do not come before this one
                count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id order by r.rank asc)
                - count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id, r.rank) as dropped
            from given_recs as r
            left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
            where judged_only = 'true'
        ) as o
        where o.is_judged
    ),

    -- one row per model and user with a list
    lists as (
        select n.model, n.user_id, n.returned, n.last_rank
        from list_ranks as n
        where not (duplicates in ('first', 'last', 'set')) and not (judged_only = 'true')
        union all
        select r.model, r.user_id, count(r.item_id) as returned, max(case coalesce(rank_by, r.rank_by)
            when 'score' then null
            else r.rank
        end) as last_rank
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.rank_by
            from judged_recs as r
            union all
            select distinct r.model, r.user_id, null as item_id, null as rank, r.rank_by
            from given_recs as r
            where judged_only = 'true'
        ) as r
        where judged_only = 'true' and not (duplicates in ('first', 'last', 'set'))
        group by r.model, r.user_id
        union all
        select i.model, i.user_id, count(i.item_id) as returned, case duplicates
            when 'set' then coalesce(max(i.last_rank), sum(i.copies))
            else count(i.item_id) + max(i.last_rank) - sum(i.copies)
        end as last_rank
        from (
            select r.model, r.user_id, r.item_id, count(r.item_id) as copies, max(case coalesce(rank_by, r.rank_by)
                when 'score' then null
                else r.rank
            end) as last_rank
            from (
                select r.model, r.user_id, r.item_id, r.rank, r.rank_by
                from judged_recs as r
                union all
                select distinct r.model, r.user_id, null as item_id, null as rank, r.rank_by
                from given_recs as r
                where judged_only = 'true'
            ) as r
            where duplicates in ('first', 'last', 'set')
            group by r.model, r.user_id, r.item_id
        ) as i
        group by i.model, i.user_id
    ),

    -- one row per scored item, ranked by its score
    scored as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            null as last,
            row_number() over (
                partition by r.model, r.user_id
                order by r.score desc, case when ties = 'item_desc' then r.item_id else null end desc, case when ties = 'input' then r.rank else null end asc, r.item_id asc
            ) as rank
        from judged_recs as r
        where coalesce(rank_by, r.rank_by) = 'score' and not (ties in ('expected', 'best', 'worst'))
        union all
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
            rank() over (partition by r.model, r.user_id order by r.score desc) as rank
        from (
            select r.model, r.user_id, r.item_id, r.score
            from judged_recs as r
            where coalesce(rank_by, r.rank_by) = 'score' and ties in ('expected', 'best', 'worst') and not (duplicates in ('first', 'last'))
            union all
            select r.model, r.user_id, r.item_id, case duplicates
                when 'last' then min(r.score)
                else max(r.score)
            end as score
            from judged_recs as r
            where coalesce(rank_by, r.rank_by) = 'score' and ties in ('expected', 'best', 'worst') and duplicates in ('first', 'last')
            group by r.model, r.user_id, r.item_id
        ) as r
    ),

    -- one row per row of recs, with its rank
    ranked as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.rank as last
            from judged_recs as r
            where not (coalesce(rank_by, r.rank_by) = 'score')
            union all
            select r.model, r.user_id, r.item_id, r.rank, r.last
            from scored as r
        ) as r
        where not (duplicates in ('first', 'last'))
        union all
        select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.last - o.dropped as last
        from (
            select
                c.model,
                c.user_id,
                c.item_id,
                c.rank,
                c.last,
                c.copy,
                -- rows with the same rank do not come before this one
                count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
                - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
            from (
                select
                    r.model,
                    r.user_id,
                    r.item_id,
                    r.rank,
                    r.last,
                    row_number() over (
                        partition by r.model, r.user_id, r.item_id
                        order by case duplicates
                            when 'last' then -try_cast(r.rank as bigint)
                            else r.rank
                        end asc
                    ) as copy
                from (
                    select r.model, r.user_id, r.item_id, r.rank, r.rank as last
                    from judged_recs as r
                    where not (coalesce(rank_by, r.rank_by) = 'score')
                    union all
                    select r.model, r.user_id, r.item_id, r.rank, r.last
                    from scored as r
                ) as r
                where duplicates in ('first', 'last')
            ) as c
        ) as o
        where o.copy = 1
    ),

    -- one row per list whose ranks have gaps, with its ranks
    gaps as (
        select i.model, i.user_id, list(i.rank) as ranks
        from (
            select r.model, r.user_id, r.item_id, min(r.rank) as rank
            from ranked as r
            inner join lists as l on l.model is not distinct from r.model and l.user_id = r.user_id
            where l.last_rank <> l.returned
            group by r.model, r.user_id, r.item_id, case when not (duplicates = 'set') then r.rank else null end
        ) as i
        group by i.model, i.user_id
    ),

    -- one row per model and user that a policy may count
    candidates as (
        select m.model, u.user_id
        from models as m
        cross join users as u
        where coalesce((select error(g.message) from (
            select
                coalesce(cast(i.name as varchar), 'NULL')
                || ' is '
                || coalesce(cast(i.in_left as varchar), 'NULL')
                || ' in '
                || coalesce(cast(recs as varchar), 'NULL')
                || ' and '
                || coalesce(cast(i.in_right as varchar), 'NULL')
                || ' in '
                || coalesce(cast(users as varchar), 'NULL')
                || '; cast one of them to the other''s type' as message
            from (
                select unnest(['user_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                from (select [typeof(l.user_id)] as types from given_recs as l limit 1) as l
                cross join (select [typeof(r.user_id)] as types from given_users as r limit 1) as r
            ) as i
            where
                recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                and '"NULL"' not in (i.in_left, i.in_right)
            limit 1
        ) as g), true)
        union
        select m.model, t.user_id
        from models as m
        cross join given_truth as t
        where no_truth in ('zero', 'zero_below_threshold', 'one', 'one_if_both_empty')
        union
        select l.model, l.user_id
        from lists as l
        where no_truth in ('zero', 'one', 'one_if_both_empty') or users = 'union'
        union
        select m.model, g.user_id
        from models as m
        cross join given_users as g
        where no_truth in ('zero', 'one', 'one_if_both_empty') and not (users in ('truth', 'intersection', 'union'))
    ),

    -- one row per model and user that the policies count
    members as (
        select c.model, c.user_id
        from candidates as c
        left join lists as l on l.model is not distinct from c.model and l.user_id = c.user_id
        left join given_users as g on g.user_id = c.user_id
        where
            c.user_id is not null
            and (not (no_recs = 'skip' or users = 'intersection') or l.user_id is not null)
            and (not (not (users in ('truth', 'intersection', 'union'))) or g.user_id is not null)
    ),

    -- one row per model and user in the mean, with the number of relevant items
    population as not materialized (
        select
            m.model,
            u.user_id,
            u.profile,
            e.entries,
            l.returned,
            g.ranks,
            u.relevant
        from models as m
        cross join users as u
        left join entries as e on (truth_window = 'k' or ideal = 'truth_as_given') and e.user_id = u.user_id
        left join lists as l on l.model is not distinct from m.model and l.user_id = u.user_id
        left join gaps as g on g.model is not distinct from m.model and g.user_id = u.user_id
        where users = 'truth' and no_recs = 'zero' and no_truth in ('skip', 'error')
        union all
        select
            b.model,
            b.user_id,
            u.profile,
            e.entries,
            l.returned,
            g.ranks,
            u.relevant
        from members as b
        left join users as u on u.user_id = b.user_id
        left join entries as e on (truth_window = 'k' or ideal = 'truth_as_given') and e.user_id = b.user_id
        left join lists as l on l.model is not distinct from b.model and l.user_id = b.user_id
        left join gaps as g on g.model is not distinct from b.model and g.user_id = b.user_id
        where not (users = 'truth' and no_recs = 'zero' and no_truth in ('skip', 'error'))
    ),

    -- one row per cut-off
    cutoffs as (
        select distinct recsql.cutoff(n.k) as k
        from (select unnest(recsql.few(recsql.cutoffs(k))) as k) as n
    ),

    -- one row per recommended item, up to the largest cut-off
    recommended as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from ranked as r
        where (rr_cutoff = 'none' or ideal = 'candidates' or duplicates in ('first', 'last')) or r.rank <= recsql.depth(k)
    ),

    -- one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST
    possible_hits as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.last
            from recommended as r
            union all
            select null as model, t.user_id, t.item_id, null as rank, null as last
            from given_truth as t
            where false
        ) as r
        inner join fingerprints as f
            on
                f.user_id = r.user_id
                and (f.bits >> (hash(r.item_id) & 63)) & 1 = 1
                and (f.other_bits >> (hash(r.item_id) >> 58)) & 1 = 1
    ),

    -- one row per list and relevant item in the list, at its best rank
    found as (
        select
            r.model,
            r.user_id,
            r.item_id,
            min(r.rank) as rank,
            min(r.last) as last,
            min_by(t.gain, r.rank) as gain,
            max(t.truth_rank) as truth_rank,
            count(*) as copies
        from possible_hits as r
        inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
        group by r.model, r.user_id, r.item_id, case when duplicates = 'count' then r.rank else null end
    ),

    -- one row per list and relevant item in the list; a tied item has its best or worst possible rank
    placed as (
        select f.model, f.user_id, f.item_id, f.rank, f.gain, f.copies, f.truth_rank
        from found as f
        where not (ties in ('expected', 'best', 'worst'))
        union all
        select
            o.model,
            o.user_id,
            o.item_id,
            case ties
                when 'worst' then o.last + 1 - o.place
                else o.rank - 1 + o.place
            end as rank,
            o.gain,
            o.copies, o.truth_rank
        from (
            select
                f.model,
                f.user_id,
                f.item_id,
                f.rank,
                f.last,
                f.gain,
                f.copies, f.truth_rank,
                row_number() over (partition by f.model, f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
            from found as f
            where ties in ('best', 'worst')
        ) as o
    ),

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
                where ties = 'expected'
            ) as b
            inner join (select unnest(range(1, (select cast(max(f.last) as bigint) from found as f) + 1)) as i) as i on i.i between b.rank and b.last
        ) as o
    ),

    -- one row per hit, numbered in list order
    hits as (
        select
            f.model,
            f.user_id,
            f.item_id,
            try_cast(f.rank as bigint) as rank,
            f.truth_rank,
            f.gain,
            f.copies,
            1 as place,
            1e0 as probability,
            0e0 as leads,
            row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
        from placed as f
        where (not (truth_window = 'rank') or f.truth_rank <= f.rank)
        union all
        select
            t.model,
            t.user_id,
            t.item_id,
            t.rank,
            null as truth_rank,
            t.gain,
            t.copies,
            t.place,
            t.probability,
            t.leads,
            t.nth
        from tied_hits as t
    ),

    -- one row per hit and cut-off at which it counts
    hits_in_force as (
        select h.model, h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth, h.probability, h.leads
        from hits as h
        inner join cutoffs as c on c.k >= h.rank
        where not (truth_window = 'k')
        union all
        select
            h.model,
            h.user_id,
            h.item_id,
            c.k,
            h.rank,
            h.gain,
            row_number() over (partition by h.model, h.user_id, c.k order by h.rank asc, h.nth asc) as nth, h.probability, h.leads
        from hits as h
        inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank)
        where truth_window = 'k'
    ),

    -- one row per rank: the sum 1/1 + 1/2 + ... + 1/rank
    harmonics as (
        select i.i as rank, sum(coalesce(1e0 / nullif(i.i, 0), 0e0)) over (order by i.i asc) as harmonic
        from (select unnest(range(0, recsql.deepest(k) + 1)) as i) as i
    ),

    -- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
    hits_at_k as (
        select
            h.model,
            h.user_id,
            h.k,
            case ties
                when 'expected' then sum(try_cast(1e18 * h.leads as hugeint)) / 1e18
                else 1e0
            end as any_hit,
            sum(try_cast(1e18 * (case ties
                when 'expected' then h.gain * h.probability
                else h.gain
            end) as hugeint)) / 1e18 as cg,
            sum(try_cast(1e18 * (case ties
                when 'expected' then h.gain * case discount
                    when 'log2p1' then (1e0 / nullif(log2(h.rank + 1), 0))
                    when 'jk2002' then (1e0 / greatest(1e0, log2(h.rank)))
                    when 'ln1p' then (1e0 / nullif(ln(h.rank + 1), 0))
                    when 'geometric' then power(cast(discount_p as double), h.rank - 1)
                    when 'none' then 1e0
                end * h.probability
                else h.gain * case discount
                when 'log2p1' then (1e0 / nullif(log2(h.rank + 1), 0))
                when 'jk2002' then (1e0 / greatest(1e0, log2(h.rank)))
                when 'ln1p' then (1e0 / nullif(ln(h.rank + 1), 0))
                when 'geometric' then power(cast(discount_p as double), h.rank - 1)
                when 'none' then 1e0
            end
            end) as hugeint)) / 1e18 as dcg,
            case ties
                when 'expected' then sum(try_cast(1e18 * h.probability as hugeint)) / 1e18
                else case duplicates
                when 'count' then list_unique(list(h.item_id))
                else count(*)
            end
            end as distinct_hits,
            case ties
                when 'expected' then sum(try_cast(1e18 * h.probability as hugeint)) / 1e18
                else count(*)
            end as hits,
            sum(try_cast(1e18 * (case ties
                when 'expected' then h.nth / nullif(cast(h.rank as double), 0) * h.probability
                else h.nth / nullif(cast(h.rank as double), 0)
            end) as hugeint)) / 1e18 as precision_sum,
            sum(try_cast(1e18 * (case ties
                when 'expected' then (upto.harmonic - before.harmonic) * h.probability
                else upto.harmonic - before.harmonic
            end) as hugeint)) / 1e18 as precision_total,
            case ties
                when 'expected' then sum(try_cast(1e18 * (h.leads / nullif(h.rank, 0)) as hugeint)) / 1e18
                else 1e0 / nullif(min(h.rank), 0)
            end as reciprocal_rank
        from hits_in_force as h
        left join harmonics as upto on upto.rank = h.k
        left join harmonics as before on before.rank = h.rank - 1
        group by h.model, h.user_id, h.k
    ),

    -- one row per model, cut-off and user or group of alike users: the columns of the user, and the statistics of the hits
    users_at_k as (
        select
            u.model,
            u.user_id,
            c.k,
            h.any_hit,
            h.cg,
            h.dcg,
            h.distinct_hits,
            h.hits,
            h.precision_sum,
            h.precision_total,
            h.reciprocal_rank,
            u.profile, u.entries, u.returned, u.ranks, u.relevant
        from population as u
        cross join cutoffs as c
        left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k
    ),

    -- one row per model, user with a hit and cut-off: the statistics of the hits in the whole list
    hits_of_list as (
        select
            h.model,
            h.user_id,
            c.k,
            list(h.gain order by h.gain desc) filter (where h.place = 1) as candidate_gains,
            case ties
                when 'expected' then sum(try_cast(1e18 * (h.leads / nullif(h.rank, 0)) as hugeint)) / 1e18
                else 1e0 / nullif(min(h.rank), 0)
            end as reciprocal_rank_anywhere
        from hits as h
        cross join cutoffs as c
        where (not (truth_window = 'k') or h.truth_rank <= c.k)
        group by h.model, h.user_id, c.k
    ),

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
                case ties
                    when 'best' then x.i + (b.before - b.first + 1) * (best.harmonic - before.harmonic)
                    when 'worst' then x.i + (b.before - b.k + x.i) * (upto.harmonic - worst.harmonic)
                    else x.i / cast(b.above as double) * (
                    (b.before + 1 - b.first * (x.i - 1) / greatest(b.above - 1e0, 1e0)) * (upto.harmonic - before.harmonic)
                    + (x.i - 1) * b.above / greatest(b.above - 1e0, 1e0)
                )
                end as precisions,
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
                    where ties in ('expected', 'best', 'worst')
                ) as o
                inner join cutoffs as c on c.k >= o.rank and c.k < o.last
                group by o.model, o.user_id, c.k, o.before, o.rank, o.last
            ) as b
            inner join (select unnest(range(0, recsql.deepest(k) + 1)) as i) as x on x.i between b.together + b.above - b.items and least(b.together, b.above)
            inner join harmonics as before on before.rank = b.first - 1
            inner join harmonics as upto on upto.rank = b.k
            inner join harmonics as best on best.rank = b.first - 1 + x.i
            inner join harmonics as worst on worst.rank = b.k - x.i
        ) as w
    ),

    -- one row per model, user and cut-off that separates tied items: the statistics of the splits
    splits_at_k as (
        select
            y.model,
            y.user_id,
            y.k,
            case ties
                when 'best' then max(coalesce(y.precision, 0e0))
                when 'worst' then min(coalesce(y.precision, 0e0))
                else (sum(try_cast(1e18 * (y.weight * coalesce(y.precision, 0e0)) as hugeint)) / 1e18) / (sum(try_cast(1e18 * y.weight as hugeint)) / 1e18)
            end as split_precision
        from (
            select
                x.model,
                x.user_id,
                x.k,
                x.weight,
                (coalesce(sum(try_cast(1e18 * (case ties
                    when 'expected' then h.nth / cast(h.rank as double) * h.probability
                    else h.nth / cast(h.rank as double)
                end) as hugeint)) / 1e18, 0e0) + x.precisions) / nullif(x.hits, 0) as precision
            from splits as x
            left join hits_in_force as h on h.model is not distinct from x.model and h.user_id = x.user_id and h.k = x.k and h.nth <= x.before
            group by x.model, x.user_id, x.k, x.hits, x.weight, x.precisions
        ) as y
        group by y.model, y.user_id, y.k
    ),

    -- a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list
    discounts as (
        select list(case discount
            when 'log2p1' then (1e0 / nullif(log2(n.i + 1), 0))
            when 'jk2002' then (1e0 / greatest(1e0, log2(n.i)))
            when 'ln1p' then (1e0 / nullif(ln(n.i + 1), 0))
            when 'geometric' then power(cast(discount_p as double), n.i - 1)
            when 'none' then 1e0
        end order by n.i asc) as weights
        from (select unnest(range(1, case ideal
            when 'constant' then recsql.deepest(k)
            when 'candidates' then least(recsql.depth(k), (select max(n.hits) from (select count(*) as hits from hits as h group by h.model, h.user_id) as n))
            when 'truth_uncut' then (select max(u.relevant) from users as u)
            else least(recsql.depth(k), (select max(u.relevant) from users as u))
        end + 1)) as i) as n
    ),

    -- one row per profile: one user who represents all users with this profile
    examples as (
        select u.profile, u.relevant, min(u.user_id) as user_id
        from users as u
        group by u.profile, u.relevant
        having count(*) > 0
    ),

    -- one row per profile: the gains of the relevant items, highest first
    ideals as (
        select
            e.profile,
            e.relevant,
            list(t.gain order by t.gain desc) as gains
        from relevant as t
        inner join examples as e on e.user_id = t.user_id
        group by e.profile, e.relevant
        having min(e.user_id) is not null
    ),

    -- one row per model, cut-off and user or group of alike users: the statistics that the metrics read
    at_k as (
        select
            u.model,
            u.user_id,
            u.k,
            coalesce(u.any_hit, 0e0) as any_hit,
            coalesce(u.cg, 0e0) as cg,
            coalesce(u.dcg, 0e0) as dcg,
            coalesce(u.distinct_hits, 0) as distinct_hits,
            coalesce(u.hits, 0) as hits,
            coalesce(case ideal
                when 'truth' then list_inner_product(list_slice(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, 1, u.k), list_slice(d.weights, 1, len(list_slice(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, 1, u.k))))
                when 'constant' then list_sum(list_slice(d.weights, 1, u.k))
                when 'truth_uncut' then list_inner_product(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, list_slice(d.weights, 1, len(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end)))
                when 'truth_returned' then list_inner_product(list_slice(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))), list_slice(d.weights, 1, len(list_slice(case truth_window
                    when 'k' then list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain)
                    else i.gains
                end, 1, least(u.k, coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)))))))
                when 'candidates' then list_inner_product(list_slice(w.candidate_gains, 1, u.k), list_slice(d.weights, 1, len(list_slice(w.candidate_gains, 1, u.k))))
                when 'truth_as_given' then list_sum(list_transform(list_filter(u.entries, lambda e: e.rank <= u.k), lambda e: e.gain * case discount
                    when 'log2p1' then (1e0 / nullif(log2(e.rank + 1), 0))
                    when 'jk2002' then (1e0 / greatest(1e0, log2(e.rank)))
                    when 'ln1p' then (1e0 / nullif(ln(e.rank + 1), 0))
                    when 'geometric' then power(cast(discount_p as double), e.rank - 1)
                    when 'none' then 1e0
                end))
            end, 0e0) as idcg,
            coalesce(u.returned, 0) as list_length,
            case when u.returned is null then 0 else 1 end as listed,
            coalesce(u.precision_sum, 0e0) as precision_sum,
            coalesce(u.precision_total, 0e0) as precision_total,
            u.reciprocal_rank,
            w.reciprocal_rank_anywhere,
            coalesce(u.relevant, 0) as relevant,
            coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)) as returned,
            x.split_precision
        from users_at_k as u
        left join hits_of_list as w on (rr_cutoff = 'none' or ideal = 'candidates' or duplicates in ('first', 'last')) and w.model is not distinct from u.model and w.user_id = u.user_id and w.k = u.k
        left join splits_at_k as x on x.model is not distinct from u.model and x.user_id = u.user_id and x.k = u.k
        cross join discounts as d
        left join ideals as i on i.profile = u.profile and i.relevant = u.relevant
    ),

    -- one row per model, cut-off and user or group of alike users: the metrics
    per_user as (
        select
            s.model,
            s.user_id,
            s.relevant = 0 or (not (zero_ideal = 'skip') or s.idcg > 0) as is_counted,
            s.list_length,
            s.relevant,
            s.k,
            case when s.k < 1000000000000000000 or not (ideal = 'constant') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then case zero_ideal
                    when 'zero' then coalesce(s.dcg / nullif(s.idcg, 0e0), 0e0)
                    when 'one' then coalesce(s.dcg / nullif(s.idcg, 0e0), 1e0)
                    else s.dcg / nullif(s.idcg, 0e0)
                end end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as ndcg,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(s.hits / cast(case recall_denominator
                    when 'relevant' then nullif(s.relevant, 0)
                    when 'achievable' then nullif(least(s.k, s.relevant), 0)
                end as double), 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end as recall,
            case when s.k < 1000000000000000000 or not (precision_denominator = 'k') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(s.hits / cast(case precision_denominator
                    when 'k' then s.k
                    when 'returned' then nullif(s.returned, 0)
                    when 'achievable' then nullif(least(s.k, s.relevant), 0)
                end as double), 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as precision,
            case when s.k < 1000000000000000000 or not (ap_denominator = 'k') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(coalesce(case when ap_denominator = 'hits' and ties in ('expected', 'best', 'worst') then s.split_precision else null end, s.precision_sum / nullif(case ap_denominator
                    when 'achievable' then least(s.k, s.relevant)
                    when 'relevant' then s.relevant
                    when 'achievable_returned' then least(s.relevant, s.returned)
                    when 'hits' then s.hits
                    when 'k' then s.k
                end, 0)), 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as ap,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then s.any_hit end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end as hit,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(case rr_cutoff
                    when 'k' then s.reciprocal_rank
                    when 'none' then s.reciprocal_rank_anywhere
                end, 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end as rr,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then s.cg end
                else coalesce(s.cg, 0e0)
            end as cg,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then s.dcg end
                else coalesce(s.dcg, 0e0)
            end as dcg,
            case when s.k < 1000000000000000000 or not (precision_denominator = 'k') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce((1 + power(cast(beta as double), 2)) / (
                    power(cast(beta as double), 2) / nullif(coalesce(s.hits / cast(case recall_denominator
                        when 'relevant' then nullif(s.relevant, 0)
                        when 'achievable' then nullif(least(s.k, s.relevant), 0)
                    end as double), 0e0), 0e0)
                    + 1 / nullif(coalesce(s.hits / cast(case precision_denominator
                        when 'k' then s.k
                        when 'returned' then nullif(s.returned, 0)
                        when 'achievable' then nullif(least(s.k, s.relevant), 0)
                    end as double), 0e0), 0e0)
                ), 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as f1,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then cast(s.relevant - s.distinct_hits as double) end
                else coalesce(cast(s.relevant - s.distinct_hits as double), 0e0)
            end as fn,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then cast(s.returned - s.hits as double) end
                else coalesce(cast(s.returned - s.hits as double), 0e0)
            end as fp,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then cast(s.hits as double) end
                else coalesce(cast(s.hits as double), 0e0)
            end as hits,
            case when s.k < 1000000000000000000 or not (ideal = 'constant') then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then s.idcg end
                else coalesce(s.idcg, 0e0)
            end else null end as idcg,
            case when s.k < 1000000000000000000 then case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then coalesce(s.precision_total / s.k, 0e0) end
                else case no_truth
                    when 'one' then 1e0
                    when 'one_if_both_empty' then case when s.listed = 0 then 1e0 else 0e0 end
                    else 0e0
                end
            end else null end as mean_precision,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then case
                    when catalog_size >= s.returned + s.relevant - s.distinct_hits
                        then cast(catalog_size - (s.returned + s.relevant - s.distinct_hits) as double)
                    when catalog_size < s.returned + s.relevant - s.distinct_hits
                        then error(
                            'catalog_size: '
                            || coalesce(cast(catalog_size as varchar), 'NULL')
                            || ' is too small; user '
                            || coalesce(regexp_replace(cast(s.user_id as varchar), '^$', ''''''), 'NULL')
                            || ' alone has '
                            || coalesce(cast(cast(s.returned + s.relevant - s.distinct_hits as bigint) as varchar), 'NULL')
                            || ' items in list and truth'
                        )
                end end
                else coalesce(case
                    when catalog_size >= s.returned + s.relevant - s.distinct_hits
                        then cast(catalog_size - (s.returned + s.relevant - s.distinct_hits) as double)
                    when catalog_size < s.returned + s.relevant - s.distinct_hits
                        then error(
                            'catalog_size: '
                            || coalesce(cast(catalog_size as varchar), 'NULL')
                            || ' is too small; user '
                            || coalesce(regexp_replace(cast(s.user_id as varchar), '^$', ''''''), 'NULL')
                            || ' alone has '
                            || coalesce(cast(cast(s.returned + s.relevant - s.distinct_hits as bigint) as varchar), 'NULL')
                            || ' items in list and truth'
                        )
                end, 0e0)
            end as tn,
            case
                when s.relevant > 0 then case when (not (zero_ideal = 'skip') or s.idcg > 0) then cast(s.hits as double) end
                else coalesce(cast(s.hits as double), 0e0)
            end as tp
        from at_k as s
    ),

    -- one row per length of a list: the hash of the ranks 1, 2, ... up to that length
    unbroken as (
        select i.i as returned, bit_xor(hash(xor(hash(i.i), hash(now())))) over (order by i.i asc) as ranks
        from (select unnest(range(1, (select max(n.returned) from list_ranks as n) + 1)) as i) as i
    ),

    -- one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs
    unproven as (
        select n.model, n.user_id
        from list_ranks as n
        left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
        where b.returned is null
    ),

    -- one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank
    rank_bands as (
        select r.model, r.user_id, try_cast(r.rank as bigint) >> 6 as band
        from given_recs as r
        inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
        where not (coalesce(rank_by, r.rank_by) = 'score')
        group by r.model, r.user_id, try_cast(r.rank as bigint) >> 6
        having bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(r.rank as bigint) & 63 as ubigint))) < count(*)
    ),

    -- one row if the input can't be measured: the message of the check with the lowest place
    problems as (
        select min_by(p.message, p.place) as message
        from (
            select 7 as place, p.message
            from (
                select
                    recs
                    || ': the list of user '
                    || coalesce(regexp_replace(cast(l.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || l.model, '') as varchar), 'NULL')
                    || ' has '
                    || coalesce(cast(l.returned as varchar), 'NULL')
                    || ' items, but its last rank is '
                    || coalesce(cast(l.last_rank as varchar), 'NULL')
                    || '; give each item of a list its own rank' as message
                from lists as l
                where
                    l.last_rank < l.returned
                order by l.user_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': item '
                    || coalesce(regexp_replace(cast(h.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appears more than once in the list of user '
                    || coalesce(regexp_replace(cast(h.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || h.model, '') as varchar), 'NULL')
                    || '; list it once, or choose how it counts with the option duplicates' as message
                from hits as h
                where
                    h.copies > 1
                    and (duplicates = 'error')
                order by h.user_id asc, h.item_id asc
                limit 1
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    truth
                    || ': item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(t.gain as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || '; ties = ''best'' and ''worst'' need gains of at least 0' as message
                from relevant as t
                inner join found as f on f.user_id = t.user_id and f.item_id = t.item_id
                where
                    t.gain < 0
                    and (ties in ('best', 'worst'))
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    truth
                    || ': item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(t.gain as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || '; scale the relevance so that gains lie between 1e-6 and 1e9' as message
                from (
                    select t.user_id, t.item_id, case gain
                        when 'binary' then 1e0
                        when 'exp2' then (power(2e0, t.relevance) - 1)
                        when 'exp2_shifted' then (power(2e0, t.relevance - coalesce(relevance_threshold, 0) + 1) - 1)
                        when 'map' then coalesce(cast(gain_map as map(double, double))[t.relevance], error(
                            'gain_map: no gain for relevance '
                            || coalesce(cast(t.relevance as varchar), 'NULL')
                            || ' of user '
                            || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                            || ', item '
                            || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                            || '; add one'
                        ))
                        else t.relevance
                    end as gain
                    from given_truth as t
                    where case relevant
                        when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                        when 'present' then true
                    end
                ) as t
                where abs(t.gain) >= 1e9 or (t.gain <> 0 and abs(t.gain) < 1e-6)
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': it applies only if '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' = '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; set that as well, or leave '
                    || coalesce(cast(o.name as varchar), 'NULL')
                    || ' out' as message
                from (
                    select 'discount_p' as name, 'discount' as other, 'geometric' as value, discount_p is distinct from 0.8e0 as given, discount = 'geometric' as met
                    union all
                    select 'gain_map' as name, 'gain' as other, 'map' as value, gain_map is distinct from null as given, gain = 'map' as met
                ) as o
                where o.given and not o.met
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': rank is '
                    || coalesce(cast(r.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; ties = ''input'' needs the input order in the column rank' as message
                from given_recs as r
                where
                    r.rank is null
                    and (ties = 'input' and coalesce(rank_by, r.rank_by) = 'score')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    truth
                    || ': user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has '
                    || coalesce(cast(coalesce(u.relevant, 0) as varchar), 'NULL')
                    || ' relevant items; protocol = ''leave_one_out'' needs exactly one per user' as message
                from given_truth as t
                left join users as u on u.user_id = t.user_id
                where
                    (u.relevant is null or u.relevant > 1)
                    and (protocol = 'leave_one_out')
                order by t.user_id asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    'ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = ''item_asc'', ''item_desc'', ''input'' or ''error''' as message
                where ties in ('expected', 'best', 'worst') and truth_window in ('k', 'rank')
            ) as p
            union all
            select 8 as place, p.message
            from (
                select
                    'user '
                    || coalesce(regexp_replace(cast(l.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has no relevant item in '
                    || truth
                    || '; no_truth = ''error'' does not allow that' as message
                from (
                    select r.user_id from given_recs as r
                    union all
                    select t.user_id from given_truth as t
                ) as l
                left join users as u on u.user_id = l.user_id
                where
                    u.user_id is null
                    and (no_truth = 'error')
                order by l.user_id asc
                limit 1
            ) as p
            union all
            select 9 as place, p.message
            from (
                select
                    'no user in '
                    || truth
                    || ' has a relevant item and is in the mean; check relevance, relevance_threshold, users and no_recs' as message
                from (select count(*) as users from population as u) as n
                where n.users = 0
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': '
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || ' is not '
                    || coalesce(cast(case when o.is_number then o.bound when o.whole then 'a whole number' else 'a number' end as varchar), 'NULL') as message
                from (
                    select n.name, n.value, n.whole, n.bound, n.holds, coalesce(isfinite(n.number) and (not n.whole or n.number % 1 = 0), false) as is_number
                    from (
                        select 'catalog_size' as name, cast(catalog_size as varchar) as value, try_cast(catalog_size as double) as number, true as whole, 'above 0 and at most 1000000000000' as bound, try_cast(catalog_size as double) > 0 and try_cast(catalog_size as double) <= 1000000000000 as holds
                        union all
                        select 'discount_p' as name, cast(discount_p as varchar) as value, try_cast(discount_p as double) as number, false as whole, 'above 0 and at most 1' as bound, try_cast(discount_p as double) > 0 and try_cast(discount_p as double) <= 1 as holds
                        union all
                        select 'relevance_threshold' as name, cast(relevance_threshold as varchar) as value, try_cast(relevance_threshold as double) as number, false as whole, '' as bound, true as holds
                        union all
                        select 'beta' as name, cast(beta as varchar) as value, try_cast(beta as double) as number, false as whole, 'above 0 and at most 1000000' as bound, try_cast(beta as double) > 0 and try_cast(beta as double) <= 1000000 as holds
                    ) as n
                    where n.value is not null
                ) as o
                where not (o.is_number and o.holds)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': unknown value '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(o.choices, lambda n: jaro_winkler_similarity(lower(n), lower(o.value)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(o.value)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'choose one of '
                    || coalesce(cast(array_to_string(o.choices, ', ') as varchar), 'NULL') as message
                from (
                    select 'protocol' as name, protocol as value, ['any', 'leave_one_out'] as choices
                    union all
                    select 'discount' as name, discount as value, ['log2p1', 'jk2002', 'ln1p', 'geometric', 'none'] as choices
                    union all
                    select 'gain' as name, gain as value, ['linear', 'binary', 'exp2', 'exp2_shifted', 'map'] as choices
                    union all
                    select 'zero_ideal' as name, zero_ideal as value, ['null', 'skip', 'zero', 'one'] as choices
                    union all
                    select 'relevant' as name, relevant as value, ['positive', 'present'] as choices
                    union all
                    select 'no_truth' as name, no_truth as value, ['skip', 'zero', 'zero_below_threshold', 'one', 'one_if_both_empty', 'error'] as choices
                    union all
                    select 'ap_denominator' as name, ap_denominator as value, ['achievable', 'relevant', 'achievable_returned', 'hits', 'k'] as choices
                    union all
                    select 'precision_denominator' as name, precision_denominator as value, ['k', 'returned', 'achievable'] as choices
                    union all
                    select 'recall_denominator' as name, recall_denominator as value, ['relevant', 'achievable'] as choices
                    union all
                    select 'rr_cutoff' as name, rr_cutoff as value, ['k', 'none'] as choices
                    union all
                    select 'ideal' as name, ideal as value, ['truth', 'constant', 'truth_uncut', 'truth_returned', 'candidates', 'truth_as_given'] as choices
                    union all
                    select 'truth_window' as name, truth_window as value, ['all', 'k', 'rank'] as choices
                    union all
                    select 'judged_only' as name, judged_only as value, ['false', 'true'] as choices
                    union all
                    select 'no_recs' as name, no_recs as value, ['zero', 'skip'] as choices
                    union all
                    select 'rank_by' as name, rank_by as value, ['rank', 'score', 'position'] as choices
                    union all
                    select 'duplicates' as name, duplicates as value, ['error', 'first', 'hole', 'count', 'set', 'last'] as choices
                    union all
                    select 'ties' as name, ties as value, ['item_asc', 'item_desc', 'input', 'expected', 'best', 'worst', 'error'] as choices
                    union all
                    select 'like' as name, lower("like") as value, ['cornac', 'elliot', 'evidently', 'hivemall', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval'] as choices
                ) as o
                where not list_contains(o.choices, o.value)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': rank is '
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
                    and (not (coalesce(rank_by, r.rank_by) = 'score'))
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    recs
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
                    from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(recs)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    recs
                    || ': '
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
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    truth
                    || ': relevance is '
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
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    recs
                    || ': items '
                    || coalesce(regexp_replace(cast(o.one as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' have the same rank '
                    || coalesce(cast(o.rank as varchar), 'NULL')
                    || ' in the list of user '
                    || coalesce(regexp_replace(cast(o.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || o.model, '') as varchar), 'NULL')
                    || '; number each list with row_number(), or use rank_by = ''score'' and choose how equal scores count with the option ties' as message
                from (
                    select r.model, r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
                    from given_recs as r
                    inner join rank_bands as b
                        on b.model is not distinct from r.model and b.user_id = r.user_id and b.band = try_cast(r.rank as bigint) >> 6
                    where not (coalesce(rank_by, r.rank_by) = 'score')
                    group by r.model, r.user_id, r.rank
                    having min(r.item_id) <> max(r.item_id) or count(*) > case when duplicates = 'count' then 1 else count(*) end
                ) as o
                order by o.model asc nulls first, o.user_id asc, o.rank asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': score is '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; every score must be a finite number, not NULL or text' as message
                from given_recs as r
                where
                    (r.score is null or isnan(cast(r.score as double) + 0 * random()) or isinf(cast(r.score as double)) or typeof(r.score) in ('VARCHAR', 'BOOLEAN'))
                    and (coalesce(rank_by, r.rank_by) = 'score')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appears more than once in the list of user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', which ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' with duplicates = '''
                    || coalesce(cast(duplicates as varchar), 'NULL')
                    || ''' does not support; list it once, or use duplicates = ''first''' as message
                from scored as r
                where ties in ('expected', 'best', 'worst') and duplicates in ('hole', 'count', 'set')
                group by r.model, r.user_id, r.item_id
                having count(*) > case when ties = 'expected' and duplicates = 'count' then 1 else case duplicates
                    when 'set' then 1
                    else count(distinct r.score)
                end end
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has items '
                    || coalesce(regexp_replace(cast(min(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(max(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' with the same score '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || '; use ties = ''item_asc'' or ''item_desc'', or rank the list yourself' as message
                from scored as r
                where
                    r.rank <= recsql.depth(k) + 1
                    and (ties = 'error')
                group by r.model, r.user_id, r.score
                having count(*) > 1
                order by r.user_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    truth
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(t.types) as type, g.columns
                    from (select [typeof(t.user_id), typeof(t.item_id)] as types from given_truth as t limit 1) as t
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(truth)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    truth
                    || ': '
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
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    truth
                    || ': rank is '
                    || coalesce(cast(t.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; truth_window and ideal = ''truth_as_given'' need the position of each item, starting at 1, in the truth''s column rank' as message
                from given_truth as t
                where
                    (t.rank is null or t.rank < 1)
                    and (truth_window in ('k', 'rank') or ideal = 'truth_as_given')
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
        ) as p
        having count(*) > 0
    )

    select
        s.model,
        s.user_id,
        s.k,
        s.list_length,
        s.relevant,
        s.ndcg,
        s.recall,
        s.precision,
        s.ap,
        s.hit,
        s.rr,
        s.cg,
        s.dcg,
        s.f1,
        s.fn,
        s.fp,
        s.hits,
        s.idcg,
        s.mean_precision,
        s.tn,
        s.tp
    from per_user as s
    where
        (select count(error(p.message)) from problems as p) = 0
        and s.is_counted;

comment on macro table recsql.per_user_under is 'the metrics of each user, one column per metric, every option known';

-- the metrics of each user, one column per metric
create or replace macro recsql.per_user(
    recs, truth, k := [5, 10, 20], protocol := 'any', catalog_size := null, discount := 'log2p1', discount_p := 0.8e0,
    gain := 'linear', gain_map := null, zero_ideal := 'null', relevant := 'positive', relevance_threshold := null,
    no_truth := 'skip', ap_denominator := 'achievable', beta := 1, precision_denominator := 'k',
    recall_denominator := 'relevant', rr_cutoff := 'k', ideal := 'truth', users := 'truth', truth_window := 'all',
    judged_only := 'false', no_recs := 'zero', rank_by := null, duplicates := 'error', ties := 'item_asc',
    metrics := null
) as table (
    select
        p.model,
        p.user_id,
        cast(nullif(p.k, 1000000000000000000) as integer) as k,
        p.list_length,
        p.relevant,
        columns(lambda c: list_contains(recsql.columns_of(recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr']), ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'tn', 'tp']), c))
    from (
        from recsql.per_user_under(
            recs, truth, k := k, protocol := coalesce(protocol, 'any'), catalog_size := catalog_size,
            discount := coalesce(discount, 'log2p1'), discount_p := coalesce(discount_p, 0.8e0),
            gain := coalesce(gain, 'linear'), gain_map := gain_map, zero_ideal := coalesce(zero_ideal, 'null'),
            relevant := coalesce(relevant, 'positive'), relevance_threshold := relevance_threshold,
            no_truth := coalesce(no_truth, 'skip'), ap_denominator := coalesce(ap_denominator, 'achievable'),
            beta := coalesce(beta, 1), precision_denominator := coalesce(precision_denominator, 'k'),
            recall_denominator := coalesce(recall_denominator, 'relevant'), rr_cutoff := coalesce(rr_cutoff, 'k'),
            ideal := coalesce(ideal, 'truth'), users := coalesce(users, 'truth'), truth_window := coalesce(truth_window, 'all'),
            judged_only := coalesce(judged_only, 'false'), no_recs := coalesce(no_recs, 'zero'), rank_by := rank_by,
            duplicates := coalesce(duplicates, 'error'), ties := coalesce(ties, 'item_asc')
        )
    ) as p
    where recsql.all_known(recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr']), ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'tn', 'tp'])
    order by p.model asc nulls first, p.user_id asc, p.k asc
), (
    recs, truth, "like" varchar, k := [5, 10, 20], protocol := 'any', catalog_size := null, discount := null,
    discount_p := 0.8e0, gain := null, gain_map := null, zero_ideal := null, relevant := null,
    relevance_threshold := null, no_truth := null, ap_denominator := null, beta := 1, precision_denominator := null,
    recall_denominator := null, rr_cutoff := null, ideal := null, users := 'truth', truth_window := null,
    judged_only := 'false', no_recs := null, rank_by := null, duplicates := null, ties := null, metrics := null
) as table (
    select
        p.model,
        p.user_id,
        cast(nullif(p.k, 1000000000000000000) as integer) as k,
        p.list_length,
        p.relevant,
        columns(lambda c: list_contains(recsql.columns_of(recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr']), ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'tn', 'tp']), c))
    from (
        from recsql.per_user_under(
            recs, truth, k := k, protocol := coalesce(protocol, 'any'), catalog_size := catalog_size,
            discount := coalesce(discount, recsql.usual_discount("like", null)), discount_p := coalesce(discount_p, 0.8e0),
            gain := coalesce(gain, recsql.usual_gain("like", null)), gain_map := gain_map,
            zero_ideal := coalesce(zero_ideal, recsql.usual_zero_ideal("like", null)),
            relevant := coalesce(relevant, recsql.usual_relevant("like", null)),
            relevance_threshold := coalesce(relevance_threshold, recsql.usual_relevance_threshold("like", null)),
            no_truth := coalesce(no_truth, recsql.usual_no_truth("like", null)),
            ap_denominator := coalesce(ap_denominator, recsql.usual_ap_denominator("like", null)), beta := coalesce(beta, 1),
            precision_denominator := coalesce(precision_denominator, recsql.usual_precision_denominator("like", null)),
            recall_denominator := coalesce(recall_denominator, recsql.usual_recall_denominator("like", null)),
            rr_cutoff := coalesce(rr_cutoff, recsql.usual_rr_cutoff("like", null)),
            ideal := coalesce(ideal, recsql.usual_ideal("like", null)), users := coalesce(users, 'truth'),
            truth_window := coalesce(truth_window, recsql.usual_truth_window("like", null)),
            judged_only := coalesce(judged_only, 'false'), no_recs := coalesce(no_recs, recsql.usual_no_recs("like", null)),
            rank_by := rank_by, duplicates := coalesce(duplicates, recsql.usual_duplicates("like", null)),
            ties := coalesce(ties, recsql.usual_ties("like", null)), like := "like"
        )
        where recsql.apart("like") = []
        union all
        select
            coalesce(m.model, o.model) as model,
            coalesce(m.user_id, o.user_id) as user_id,
            coalesce(m.k, o.k) as k,
            coalesce(m.list_length, o.list_length) as list_length,
            coalesce(m.relevant, o.relevant) as relevant,
            case when list_contains(recsql.apart("like"), 'ndcg') then o.ndcg else m.ndcg end as ndcg,
            m.recall,
            case when list_contains(recsql.apart("like"), 'precision') then o.precision else m.precision end as precision,
            case when list_contains(recsql.apart("like"), 'ap') then o.ap else m.ap end as ap,
            m.hit,
            m.rr,
            m.cg,
            m.dcg,
            m.f1,
            m.fn,
            m.fp,
            m.hits,
            m.idcg,
            m.mean_precision,
            m.tn,
            m.tp
        from recsql.per_user_under(
            recs, truth, k := k, protocol := coalesce(protocol, 'any'), catalog_size := catalog_size,
            discount := coalesce(discount, recsql.usual_discount("like", null)), discount_p := coalesce(discount_p, 0.8e0),
            gain := coalesce(gain, recsql.usual_gain("like", null)), gain_map := gain_map,
            zero_ideal := coalesce(zero_ideal, recsql.usual_zero_ideal("like", null)),
            relevant := coalesce(relevant, recsql.usual_relevant("like", null)),
            relevance_threshold := coalesce(relevance_threshold, recsql.usual_relevance_threshold("like", null)),
            no_truth := coalesce(no_truth, recsql.usual_no_truth("like", null)),
            ap_denominator := coalesce(ap_denominator, recsql.usual_ap_denominator("like", null)), beta := coalesce(beta, 1),
            precision_denominator := coalesce(precision_denominator, recsql.usual_precision_denominator("like", null)),
            recall_denominator := coalesce(recall_denominator, recsql.usual_recall_denominator("like", null)),
            rr_cutoff := coalesce(rr_cutoff, recsql.usual_rr_cutoff("like", null)),
            ideal := coalesce(ideal, recsql.usual_ideal("like", null)), users := coalesce(users, 'truth'),
            truth_window := coalesce(truth_window, recsql.usual_truth_window("like", null)),
            judged_only := coalesce(judged_only, 'false'), no_recs := coalesce(no_recs, recsql.usual_no_recs("like", null)),
            rank_by := rank_by, duplicates := coalesce(duplicates, recsql.usual_duplicates("like", null)),
            ties := coalesce(ties, recsql.usual_ties("like", null)), like := "like"
        ) as m
        full join recsql.per_user_under(
            recs, truth, k := k, protocol := coalesce(protocol, 'any'), catalog_size := catalog_size,
            discount := coalesce(discount, recsql.usual_discount("like", recsql.apart("like")[1])),
            discount_p := coalesce(discount_p, 0.8e0),
            gain := coalesce(gain, recsql.usual_gain("like", recsql.apart("like")[1])), gain_map := gain_map,
            zero_ideal := coalesce(zero_ideal, recsql.usual_zero_ideal("like", recsql.apart("like")[1])),
            relevant := coalesce(relevant, recsql.usual_relevant("like", recsql.apart("like")[1])),
            relevance_threshold := coalesce(relevance_threshold, recsql.usual_relevance_threshold("like", recsql.apart("like")[1])),
            no_truth := coalesce(no_truth, recsql.usual_no_truth("like", recsql.apart("like")[1])),
            ap_denominator := coalesce(ap_denominator, recsql.usual_ap_denominator("like", recsql.apart("like")[1])),
            beta := coalesce(beta, 1),
            precision_denominator := coalesce(precision_denominator, recsql.usual_precision_denominator("like", recsql.apart("like")[1])),
            recall_denominator := coalesce(recall_denominator, recsql.usual_recall_denominator("like", recsql.apart("like")[1])),
            rr_cutoff := coalesce(rr_cutoff, recsql.usual_rr_cutoff("like", recsql.apart("like")[1])),
            ideal := coalesce(ideal, recsql.usual_ideal("like", recsql.apart("like")[1])), users := coalesce(users, 'truth'),
            truth_window := coalesce(truth_window, recsql.usual_truth_window("like", recsql.apart("like")[1])),
            judged_only := coalesce(judged_only, 'false'),
            no_recs := coalesce(no_recs, recsql.usual_no_recs("like", recsql.apart("like")[1])), rank_by := rank_by,
            duplicates := coalesce(duplicates, recsql.usual_duplicates("like", recsql.apart("like")[1])),
            ties := coalesce(ties, recsql.usual_ties("like", recsql.apart("like")[1])), like := "like"
        ) as o on o.model is not distinct from m.model and o.user_id = m.user_id and o.k = m.k
        where recsql.apart("like") <> []
    ) as p
    where recsql.all_known(recsql.asked(metrics, ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr']), ['ndcg', 'recall', 'precision', 'ap', 'hit', 'rr', 'cg', 'dcg', 'f1', 'fn', 'fp', 'hits', 'idcg', 'mean_precision', 'tn', 'tp'])
    order by p.model asc nulls first, p.user_id asc, p.k asc
);

comment on macro table recsql.per_user is 'the metrics of each user, one column per metric';

-- the metrics of all lists together, every option known
create or replace macro recsql.item_metrics_under(
    recs, k := [5, 10, 20], catalog_size := null, discount := 'log2p1', discount_p := 0.8e0,
    coverage_denominator := 'catalog', coverage_restrict := 'true', entropy_scope := 'items', entropy_base := '2',
    entropy_normalize := 'none', gini_population := 'catalog', gini_divide := 'n', gini_orientation := 'inequality',
    gini_weight := 'count', items := null, smoothing := 0, judged_only := 'false', rank_by := null,
    duplicates := 'error', ties := 'item_asc', metrics := null, like := null, train := null
) as table
    with
    -- one row per catalogue item and category
    given_items as not materialized (
        select i.item_id, i.category
        from (
            from query_table(recsql.relation(coalesce(items, recs)))
            union all by name
            select null::varchar as category where false
        ) as i
    ),

    -- one row per row of recs, with recsql's column names
    given_recs as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
            case when typeof(r.rank) = '"NULL"' or (typeof(r.score) <> '"NULL"' and lower("like") in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval')) then 'score' else 'rank' end as rank_by
        from (
            from query_table(recsql.relation(recs))
            union all by name
            select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
            where false
        ) as r
    ),

    -- one row per row of train
    given_train as not materialized (
        select t.item_id
        from query_table(recsql.relation(coalesce(train, recs))) as t
    ),

    -- one row per item in train
    train_items as (
        select distinct t.item_id
        from given_train as t
        where
            t.item_id is not null
            and (train is not null)
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(recs as varchar), 'NULL')
                    || ' and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(train as varchar), 'NULL')
                    || '; cast one of them to the other''s type' as message
                from (
                    select unnest(['item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.item_id)] as types from given_recs as l limit 1) as l
                    cross join (select [typeof(r.item_id)] as types from given_train as r limit 1) as r
                ) as i
                where
                    recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
    ),

    -- one row per item of the catalogue
    catalog as (
        select distinct i.item_id
        from given_items as i
        where
            i.item_id is not null
            and (items is not null)
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(recs as varchar), 'NULL')
                    || ' and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(items as varchar), 'NULL')
                    || '; cast one of them to the other''s type' as message
                from (
                    select unnest(['item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.item_id)] as types from given_recs as l limit 1) as l
                    cross join (select [typeof(r.item_id)] as types from given_items as r limit 1) as r
                ) as i
                where
                    recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
        union all
        select t.item_id
        from train_items as t
        where not (items is not null)
    ),

    -- one row per model; one row without a name if nothing is recommended
    models as (
        select distinct r.model
        from given_recs as r
        union all
        select cast(null as varchar) as model
        where not exists (select 1 from given_recs as r)
    ),

    -- one row per cut-off
    cutoffs as (
        select distinct recsql.cutoff(n.k) as k
        from (select unnest(recsql.few(recsql.cutoffs(k))) as k) as n
    ),

    -- one row per scored item, ranked by its score
    scored as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            null as last,
            row_number() over (
                partition by r.model, r.user_id
                order by r.score desc, case when ties = 'item_desc' then r.item_id else null end desc, case when ties = 'input' then r.rank else null end asc, r.item_id asc
            ) as rank
        from given_recs as r
        where coalesce(rank_by, r.rank_by) = 'score' and not (ties in ('expected', 'best', 'worst'))
        union all
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
            rank() over (partition by r.model, r.user_id order by r.score desc) as rank
        from (
            select r.model, r.user_id, r.item_id, r.score
            from given_recs as r
            where coalesce(rank_by, r.rank_by) = 'score' and ties in ('expected', 'best', 'worst') and not (duplicates in ('first', 'last'))
            union all
            select r.model, r.user_id, r.item_id, case duplicates
                when 'last' then min(r.score)
                else max(r.score)
            end as score
            from given_recs as r
            where coalesce(rank_by, r.rank_by) = 'score' and ties in ('expected', 'best', 'worst') and duplicates in ('first', 'last')
            group by r.model, r.user_id, r.item_id
        ) as r
    ),

    -- one row per row of recs, with its rank
    ranked as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.rank as last
            from given_recs as r
            where not (coalesce(rank_by, r.rank_by) = 'score')
            union all
            select r.model, r.user_id, r.item_id, r.rank, r.last
            from scored as r
        ) as r
        where not (duplicates in ('first', 'last'))
        union all
        select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.last - o.dropped as last
        from (
            select
                c.model,
                c.user_id,
                c.item_id,
                c.rank,
                c.last,
                c.copy,
                -- rows with the same rank do not come before this one
                count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
                - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
            from (
                select
                    r.model,
                    r.user_id,
                    r.item_id,
                    r.rank,
                    r.last,
                    row_number() over (
                        partition by r.model, r.user_id, r.item_id
                        order by case duplicates
                            when 'last' then -try_cast(r.rank as bigint)
                            else r.rank
                        end asc
                    ) as copy
                from (
                    select r.model, r.user_id, r.item_id, r.rank, r.rank as last
                    from given_recs as r
                    where not (coalesce(rank_by, r.rank_by) = 'score')
                    union all
                    select r.model, r.user_id, r.item_id, r.rank, r.last
                    from scored as r
                ) as r
                where duplicates in ('first', 'last')
            ) as c
        ) as o
        where o.copy = 1
    ),

    -- one row per recommended item, up to the largest cut-off
    recommended as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from ranked as r
        where (duplicates in ('first', 'last')) or r.rank <= recsql.depth(k)
    ),

    -- one row per recommended item of the lists that count
    listed as not materialized (
        select r.model, r.user_id, r.item_id, r.rank
        from recommended as r
        where not (duplicates in ('hole', 'set'))
        union all
        select r.model, r.user_id, r.item_id, min(r.rank) as rank
        from recommended as r
        where duplicates in ('hole', 'set')
        group by r.model, r.user_id, r.item_id
    ),

    -- one row per item and category of the item
    item_categories as (
        select distinct i.item_id, i.category
        from given_items as i
        where
            i.item_id is not null
            and i.category is not null
            and (entropy_scope = 'category')
    ),

    -- one row per model, user, cut-off and category: how many items of the list have it; category is NULL for items without one
    category_counts as (
        select r.model, r.user_id, c.k, g.category, count(g.category) as items
        from listed as r
        inner join cutoffs as c on c.k >= r.rank
        left join item_categories as g on g.item_id = r.item_id
        where entropy_scope = 'category'
        group by r.model, r.user_id, c.k, g.category
    ),

    -- one row per model, user and cut-off: the entropy of the list's categories; NULL without categories and smoothing
    category_entropies as (
        select
            n.model,
            n.user_id,
            n.k,
            sum(try_cast(1e18 * (case
                when n.items > 0 then (n.items + cast(smoothing as double)) / n.total * log2(1e0 / ((n.items + cast(smoothing as double)) / n.total))
                when n.total > 0 then 0e0
            end) as hugeint)) / 1e18
            + max(case when cast(smoothing as double) > 0 then (n.categories - n.seen) * cast(smoothing as double) / n.total * log2(1e0 / (cast(smoothing as double) / n.total)) else 0e0 end) as entropy
        from (
            select
                g.model,
                g.user_id,
                g.k,
                g.items,
                a.categories,
                count(g.category) over (partition by g.model, g.user_id, g.k) as seen,
                sum(g.items) over (partition by g.model, g.user_id, g.k) + a.categories * cast(smoothing as double) as total
            from category_counts as g
            cross join (select count(distinct i.category) as categories from item_categories as i) as a
        ) as n
        group by n.model, n.user_id, n.k
    ),

    -- one row per model and cut-off: the statistics of the categories in the lists
    categories_at_k as (
        select
            y.model,
            y.k,
            sum(try_cast(1e18 * y.entropy as hugeint)) / 1e18 / count(y.entropy) as category_information,
            count(y.entropy) as category_lists
        from category_entropies as y
        group by y.model, y.k
    ),

    -- a single row: for each rank 1, 2, ... the smallest cut-off that includes it, up to the largest numeric cut-off
    bands as (
        select list(n.k order by n.rank asc) as cutoffs
        from (
            select i.i as rank, min(c.k) as k
            from (select unnest(range(1, recsql.deepest(k) + 1)) as i) as i
            inner join cutoffs as c on c.k >= i.i
            group by i.i
        ) as n
    ),

    -- one row per model, item and cut-off: how often the item is in the top k, but below the next smaller cut-off
    item_bands as (
        select
            r.model,
            r.item_id,
            coalesce(b.cutoffs[try_cast(r.rank as bigint)], case when recsql.depth(k) = 1000000000000000000 then recsql.depth(k) end) as k,
            sum(try_cast(1e18 * (case when gini_weight = 'exposure' then case discount
                when 'log2p1' then (1e0 / nullif(log2(r.rank + 1), 0))
                when 'jk2002' then (1e0 / greatest(1e0, log2(r.rank)))
                when 'ln1p' then (1e0 / nullif(ln(r.rank + 1), 0))
                when 'geometric' then power(cast(discount_p as double), r.rank - 1)
                when 'none' then 1e0
            end else null end) as hugeint)) / 1e18 as exposure,
            count(*) as times
        from listed as r
        cross join bands as b
        group by r.model, r.item_id, coalesce(b.cutoffs[try_cast(r.rank as bigint)], case when recsql.depth(k) = 1000000000000000000 then recsql.depth(k) end)
    ),

    -- one row per model, cut-off and recommended item: how often it is in the top k
    item_counts as (
        select
            b.model,
            c.k,
            b.item_id,
            sum(try_cast(1e18 * b.exposure as hugeint)) / 1e18 as exposure,
            cast(sum(b.times) as bigint) as times
        from item_bands as b
        inner join cutoffs as c on c.k >= b.k
        group by b.model, c.k, b.item_id
    ),

    -- one row per model, cut-off and recommended item: its exposure, and its place in ascending order of exposure
    item_exposures as (
        select
            i.model,
            i.k,
            i.exposure,
            case when items is not null or train is not null then g.item_id is not null else true end as is_of_catalog,
            row_number() over (partition by i.model, i.k, case when items is not null or train is not null then g.item_id is not null else true end order by i.exposure asc, i.item_id asc) as catalog_place,
            row_number() over (partition by i.model, i.k order by i.exposure asc, i.item_id asc) as place
        from item_counts as i
        left join catalog as g on g.item_id = i.item_id
        where gini_weight = 'exposure'
    ),

    -- one row per model and cut-off: the statistics of the exposure of the recommended items
    exposures_at_k as (
        select
            x.model,
            x.k,
            sum(try_cast(1e18 * (case when x.is_of_catalog then x.exposure end) as hugeint)) / 1e18 as catalog_exposure,
            sum(try_cast(1e18 * (case when x.is_of_catalog then x.exposure * x.catalog_place end) as hugeint)) / 1e18 as catalog_exposure_place_sum,
            sum(try_cast(1e18 * x.exposure as hugeint)) / 1e18 as exposure,
            sum(try_cast(1e18 * (x.exposure * x.place) as hugeint)) / 1e18 as exposure_place_sum
        from item_exposures as x
        group by x.model, x.k
    ),

    -- one row per model, cut-off and number of times: how many items are recommended that often
    item_frequencies as (
        select
            n.model,
            n.k,
            n.times,
            n.items,
            n.catalog_items,
            sum(n.catalog_items) over (partition by n.model, n.k order by n.times asc) - n.catalog_items as catalog_below,
            cast(sum(n.times * n.catalog_items) over (partition by n.model, n.k) as double) as catalog_total,
            n.train_items,
            sum(n.items) over (partition by n.model, n.k order by n.times asc) - n.items as below,
            cast(sum(n.times * n.items) over (partition by n.model, n.k) as double) as total
        from (
            select
                i.model,
                i.k,
                i.times,
                case when items is not null or train is not null then count(g.item_id) else count(*) end as catalog_items,
                count(t.item_id) as train_items,
                count(*) as items
            from item_counts as i
            left join catalog as g on g.item_id = i.item_id
            left join train_items as t on t.item_id = i.item_id
            group by i.model, i.k, i.times
        ) as n
    ),

    -- one row per model and cut-off: the statistics of the counts of the recommended items
    items_at_k as (
        select
            f.model,
            f.k,
            sum(try_cast(1e18 * (case when f.catalog_items > 0 then f.catalog_items * (f.times / f.catalog_total) * log2(f.catalog_total / f.times) end) as hugeint)) / 1e18 as catalog_information,
            sum(f.catalog_items) as catalog_items,
            sum(f.times * (f.catalog_items * f.catalog_below + f.catalog_items * (f.catalog_items + 1) / 2e0)) as catalog_place_sum,
            sum(f.times * f.catalog_items) as catalog_recommendations,
            sum(f.items) as distinct_items,
            sum(try_cast(1e18 * (f.items * (f.times / f.total) * log2(f.total / f.times)) as hugeint)) / 1e18 as information,
            sum(f.times * (f.items * f.below + f.items * (f.items + 1) / 2e0)) as place_sum,
            sum(f.times * f.items) as recommendations,
            sum(f.train_items) as train_items
        from item_frequencies as f
        group by f.model, f.k
    ),

    -- one row per model, cut-off and recommended item: its information in bits
    item_information as (
        select
            i.model,
            i.k,
            i.item_id,
            log2(sum(i.times) over (partition by i.model, i.k) / cast(i.times as double)) as information
        from item_counts as i
        where entropy_scope = 'list'
    ),

    -- one row per model, user and cut-off: the mean information of the items in the list
    list_entropies as (
        select r.model, r.user_id, i.k, sum(try_cast(1e18 * i.information as hugeint)) / 1e18 / count(i.information) as information
        from listed as r
        inner join item_information as i on i.model is not distinct from r.model and i.item_id = r.item_id and i.k >= r.rank
        group by r.model, r.user_id, i.k
    ),

    -- one row per model and cut-off: the statistics of the lists
    lists_at_k as (
        select
            y.model,
            y.k,
            sum(try_cast(1e18 * y.information as hugeint)) / 1e18 / count(y.information) as list_information,
            count(*) as lists
        from list_entropies as y
        group by y.model, y.k
    ),

    -- one row per model and cut-off: the statistics that the metrics of all lists together read
    run_at_k as (
        select
            m.model,
            c.k,
            e.catalog_exposure,
            e.catalog_exposure_place_sum,
            i.catalog_information,
            coalesce(i.catalog_items, 0) as catalog_items,
            i.catalog_place_sum,
            i.catalog_recommendations,
            case when catalog_size is not null then case
                when coalesce(i.catalog_items, 0) > catalog_size
                    then error(
                        'catalog_size: '
                        || coalesce(cast(catalog_size as varchar), 'NULL')
                        || ' is too small; at k = '
                        || coalesce(cast(coalesce(cast(nullif(c.k, 1000000000000000000) as varchar), 'all') as varchar), 'NULL')
                        || ' there are '
                        || coalesce(cast(coalesce(i.catalog_items, 0) as varchar), 'NULL')
                        || ' different items'
                    )
                else cast(catalog_size as double)
            end else cast((select count(*) from catalog as g) as double) end as catalog_size,
            q.category_information,
            coalesce(q.category_lists, 0) as category_lists,
            coalesce(i.distinct_items, 0) as distinct_items,
            e.exposure,
            e.exposure_place_sum,
            i.information,
            l.list_information,
            coalesce(l.lists, 0) as lists,
            i.place_sum,
            i.recommendations,
            coalesce(i.train_items, 0) as train_items,
            cast((select count(*) from train_items as t) as double) as train_size
        from models as m
        cross join cutoffs as c
        left join categories_at_k as q on q.model is not distinct from m.model and q.k = c.k
        left join exposures_at_k as e on e.model is not distinct from m.model and e.k = c.k
        left join items_at_k as i on i.model is not distinct from m.model and i.k = c.k
        left join lists_at_k as l on l.model is not distinct from m.model and l.k = c.k
    ),

    -- one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists
    per_run as (
        select
            s.model,
            s.k,
            case coverage_denominator
                when 'catalog' then case coverage_restrict
                    when 'true' then s.catalog_items
                    when 'false' then s.distinct_items
                end / nullif(s.catalog_size, 0)
                when 'train' then case coverage_restrict
                    when 'true' then s.train_items
                    when 'false' then s.distinct_items
                end / nullif(s.train_size, 0)
                when 'count' then cast(case coverage_restrict
                    when 'true' then s.catalog_items
                    when 'false' then s.distinct_items
                end as double)
            end as coverage,
            cast(null as bigint) as coverage_users,
            case entropy_normalize
                when 'none' then case cast(entropy_base as varchar)
                    when 'e' then case entropy_scope
                        when 'items' then s.information
                        when 'list' then s.list_information
                        when 'category' then s.category_information
                    end * ln(2e0)
                    when '10' then case entropy_scope
                        when 'items' then s.information
                        when 'list' then s.list_information
                        when 'category' then s.category_information
                    end * ln(2e0) / ln(10e0)
                    else case entropy_scope
                    when 'items' then s.information
                    when 'list' then s.list_information
                    when 'category' then s.category_information
                end
                end
                when 'distinct' then case cast(entropy_base as varchar)
                    when 'e' then case entropy_scope
                        when 'items' then s.information
                        when 'list' then s.list_information
                        when 'category' then s.category_information
                    end * ln(2e0)
                    when '10' then case entropy_scope
                        when 'items' then s.information
                        when 'list' then s.list_information
                        when 'category' then s.category_information
                    end * ln(2e0) / ln(10e0)
                    else case entropy_scope
                    when 'items' then s.information
                    when 'list' then s.list_information
                    when 'category' then s.category_information
                end
                end / nullif(s.distinct_items, 0)
                when 'log_catalog' then case entropy_scope
                    when 'items' then s.catalog_information
                    when 'list' then case
                        when s.distinct_items = s.catalog_items
                            then s.list_information
                        when s.distinct_items > s.catalog_items
                            then error(
                        'entropy_normalize = ''log_catalog'': at k = '
                        || coalesce(cast(coalesce(cast(nullif(s.k, 1000000000000000000) as varchar), 'all') as varchar), 'NULL')
                        || ', '
                        || coalesce(cast(s.distinct_items - s.catalog_items as varchar), 'NULL')
                        || ' of the recommended items are not in the catalogue; add them to it, or leave them out of the lists'
                    )
                    end
                    when 'category' then s.category_information
                end / nullif(log2(greatest(s.catalog_size, 1e0)), 0e0)
            end as entropy,
            cast(case entropy_scope
                when 'items' then null
                when 'list' then s.lists
                when 'category' then s.category_lists
            end as bigint) as entropy_users,
            case gini_orientation
                when 'inequality' then (2 * case gini_weight
                    when 'count' then case gini_population
                        when 'catalog' then s.catalog_place_sum
                        when 'recommended' then s.place_sum
                    end
                    when 'exposure' then case gini_population
                        when 'catalog' then s.catalog_exposure_place_sum
                        when 'recommended' then s.exposure_place_sum
                    end
                end / nullif(cast(case gini_weight
                    when 'count' then case gini_population
                        when 'catalog' then s.catalog_recommendations
                        when 'recommended' then s.recommendations
                    end
                    when 'exposure' then case gini_population
                        when 'catalog' then s.catalog_exposure
                        when 'recommended' then s.exposure
                    end
                end as double), 0e0) + case gini_population
                    when 'catalog' then s.catalog_size
                    when 'recommended' then s.distinct_items
                end - 2 * case gini_population
                    when 'catalog' then s.catalog_items
                    when 'recommended' then s.distinct_items
                end - 1) / case gini_divide
                    when 'n' then nullif(case gini_population
                        when 'catalog' then s.catalog_size
                        when 'recommended' then s.distinct_items
                    end, 0)
                    when 'n_minus_1' then nullif(case gini_population
                        when 'catalog' then s.catalog_size
                        when 'recommended' then s.distinct_items
                    end - 1, 0)
                end
                when 'equality' then 1 - (2 * case gini_weight
                    when 'count' then case gini_population
                        when 'catalog' then s.catalog_place_sum
                        when 'recommended' then s.place_sum
                    end
                    when 'exposure' then case gini_population
                        when 'catalog' then s.catalog_exposure_place_sum
                        when 'recommended' then s.exposure_place_sum
                    end
                end / nullif(cast(case gini_weight
                    when 'count' then case gini_population
                        when 'catalog' then s.catalog_recommendations
                        when 'recommended' then s.recommendations
                    end
                    when 'exposure' then case gini_population
                        when 'catalog' then s.catalog_exposure
                        when 'recommended' then s.exposure
                    end
                end as double), 0e0) + case gini_population
                    when 'catalog' then s.catalog_size
                    when 'recommended' then s.distinct_items
                end - 2 * case gini_population
                    when 'catalog' then s.catalog_items
                    when 'recommended' then s.distinct_items
                end - 1) / case gini_divide
                    when 'n' then nullif(case gini_population
                        when 'catalog' then s.catalog_size
                        when 'recommended' then s.distinct_items
                    end, 0)
                    when 'n_minus_1' then nullif(case gini_population
                        when 'catalog' then s.catalog_size
                        when 'recommended' then s.distinct_items
                    end - 1, 0)
                end
            end as gini,
            cast(null as bigint) as gini_users
        from run_at_k as s
    ),

    -- no rows, but an error for an unknown metric, or for one that lacks a required option
    unavailable as (
        select n.message
        from (
            select 'coverage needs the option items or train or catalog_size' as message
            where
                list_contains(metrics, 'coverage')
                and (not (not (coverage_denominator = 'catalog') or items is not null or train is not null or catalog_size is not null))
            union all
            select 'coverage needs the option train' as message
            where
                (metrics is null or list_contains(metrics, 'coverage'))
                and (not (not (coverage_denominator = 'train') or train is not null))
            union all
            select 'entropy needs the option items or train or catalog_size' as message
            where
                (metrics is null or list_contains(metrics, 'entropy'))
                and (not (not (entropy_normalize = 'log_catalog') or items is not null or train is not null or catalog_size is not null))
            union all
            select 'entropy needs the option items' as message
            where
                (metrics is null or list_contains(metrics, 'entropy'))
                and (not (not (entropy_scope = 'category') or items is not null))
            union all
            select 'gini needs the option items or train or catalog_size' as message
            where
                list_contains(metrics, 'gini')
                and (not (not (gini_population = 'catalog') or items is not null or train is not null or catalog_size is not null))
            union all
            select 'metrics: the list is empty; name a metric, pass ''all'', or leave metrics out for the default ones' as message
            where len(metrics) = 0 and recsql.apart("like") = []
            union all
            select
                'unknown metric '''
                || coalesce(cast(m.name as varchar), 'NULL')
                || '''; '
                || coalesce(cast(case when regexp_matches(m.name, '[@(]') then 'give the name alone, with the cut-off as k := 5 and options as arguments; ' else coalesce('did you mean ' || recsql.metric_of(m.name) || '? ', coalesce('did you mean ' || list_max(list_transform(list_filter(m.names, lambda n: jaro_winkler_similarity(lower(n), lower(m.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(m.name)), 'name': n}))['name'] || '? ', '')) end as varchar), 'NULL')
                || 'choose one of '
                || coalesce(cast(array_to_string(m.names, ', ') as varchar), 'NULL') as message
            from (
                select unnest(cast(metrics as varchar[])) as name, ['coverage', 'entropy', 'gini'] as names
            ) as m
            where not coalesce(list_contains(m.names, m.name), false)
        ) as n
        where error(n.message) is not null
    ),

    -- one row per model, metric and cut-off
    summary as (
        select m.model, 'coverage' as metric, m.k, m.coverage as value, m.coverage_users as users, 1 as place
        from per_run as m
        where (metrics is null or list_contains(metrics, 'coverage')) and (not (coverage_denominator = 'catalog') or items is not null or train is not null or catalog_size is not null) and (not (coverage_denominator = 'train') or train is not null)
        union all
        select m.model, 'entropy' as metric, m.k, m.entropy as value, m.entropy_users as users, 2 as place
        from per_run as m
        where (metrics is null or list_contains(metrics, 'entropy')) and (not (entropy_normalize = 'log_catalog') or items is not null or train is not null or catalog_size is not null) and (not (entropy_scope = 'category') or items is not null)
        union all
        select m.model, 'gini' as metric, m.k, m.gini as value, m.gini_users as users, 3 as place
        from per_run as m
        where (metrics is null or list_contains(metrics, 'gini')) and (not (gini_population = 'catalog') or items is not null or train is not null or catalog_size is not null)
        union all
        select null as model, n.message as metric, null as k, null as value, null as users, null as place
        from unavailable as n
    ),

    -- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
    list_ranks as (
        select
            r.model,
            r.user_id,
            bit_xor(hash(xor(hash(case when not (coalesce(rank_by, r.rank_by) = 'score') then try_cast(r.rank as bigint) else null end), hash(now())))) as ranks,
            count(*) as returned
        from given_recs as r
        group by r.model, r.user_id
    ),

    -- one row per length of a list: the hash of the ranks 1, 2, ... up to that length
    unbroken as (
        select i.i as returned, bit_xor(hash(xor(hash(i.i), hash(now())))) over (order by i.i asc) as ranks
        from (select unnest(range(1, (select max(n.returned) from list_ranks as n) + 1)) as i) as i
    ),

    -- one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs
    unproven as (
        select n.model, n.user_id
        from list_ranks as n
        left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
        where b.returned is null
    ),

    -- one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank
    rank_bands as (
        select r.model, r.user_id, try_cast(r.rank as bigint) >> 6 as band
        from given_recs as r
        inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
        where not (coalesce(rank_by, r.rank_by) = 'score')
        group by r.model, r.user_id, try_cast(r.rank as bigint) >> 6
        having bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(r.rank as bigint) & 63 as ubigint))) < count(*)
    ),

    -- one row if the input can't be measured: the message of the check with the lowest place
    problems as (
        select min_by(p.message, p.place) as message
        from (
            select 2 as place, p.message
            from (
                select
                    items
                    || ': no item has a category; entropy_scope = ''category'' needs a column category with one category per row' as message
                from (select count(*) as categories from item_categories as i) as n
                where
                    n.categories = 0
                    and (entropy_scope = 'category')
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    items
                    || ': category is '
                    || coalesce(cast(typeof(i.category) as varchar), 'NULL')
                    || '; unnest it in a view, with one category per row' as message
                from given_items as i
                where
                    typeof(i.category) like '%]'
                    and (entropy_scope = 'category')
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': it applies only if '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' = '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; set that as well, or leave '
                    || coalesce(cast(o.name as varchar), 'NULL')
                    || ' out' as message
                from (
                    select 'discount_p' as name, 'discount' as other, 'geometric' as value, discount_p is distinct from 0.8e0 as given, discount = 'geometric' as met
                    union all
                    select 'smoothing' as name, 'entropy_scope' as other, 'category' as value, smoothing is distinct from 0 as given, entropy_scope = 'category' as met
                ) as o
                where o.given and not o.met
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': rank is '
                    || coalesce(cast(r.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; ties = ''input'' needs the input order in the column rank' as message
                from given_recs as r
                where
                    r.rank is null
                    and (ties = 'input' and coalesce(rank_by, r.rank_by) = 'score')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    'ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = ''item_asc'', ''item_desc'', ''input'' or ''error''' as message
                where ties in ('expected', 'best', 'worst')
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': '
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || ' is not '
                    || coalesce(cast(case when o.is_number then o.bound when o.whole then 'a whole number' else 'a number' end as varchar), 'NULL') as message
                from (
                    select n.name, n.value, n.whole, n.bound, n.holds, coalesce(isfinite(n.number) and (not n.whole or n.number % 1 = 0), false) as is_number
                    from (
                        select 'catalog_size' as name, cast(catalog_size as varchar) as value, try_cast(catalog_size as double) as number, true as whole, 'above 0 and at most 1000000000000' as bound, try_cast(catalog_size as double) > 0 and try_cast(catalog_size as double) <= 1000000000000 as holds
                        union all
                        select 'discount_p' as name, cast(discount_p as varchar) as value, try_cast(discount_p as double) as number, false as whole, 'above 0 and at most 1' as bound, try_cast(discount_p as double) > 0 and try_cast(discount_p as double) <= 1 as holds
                        union all
                        select 'smoothing' as name, cast(smoothing as varchar) as value, try_cast(smoothing as double) as number, false as whole, 'at least 0' as bound, try_cast(smoothing as double) >= 0 as holds
                    ) as n
                    where n.value is not null
                ) as o
                where not (o.is_number and o.holds)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': unknown value '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(o.choices, lambda n: jaro_winkler_similarity(lower(n), lower(o.value)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(o.value)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'choose one of '
                    || coalesce(cast(array_to_string(o.choices, ', ') as varchar), 'NULL') as message
                from (
                    select 'discount' as name, discount as value, ['log2p1', 'jk2002', 'ln1p', 'geometric', 'none'] as choices
                    union all
                    select 'coverage_denominator' as name, coverage_denominator as value, ['catalog', 'train', 'count'] as choices
                    union all
                    select 'coverage_restrict' as name, coverage_restrict as value, ['true', 'false'] as choices
                    union all
                    select 'entropy_scope' as name, entropy_scope as value, ['items', 'list', 'category'] as choices
                    union all
                    select 'entropy_base' as name, entropy_base as value, ['2', 'e', '10'] as choices
                    union all
                    select 'entropy_normalize' as name, entropy_normalize as value, ['none', 'distinct', 'log_catalog'] as choices
                    union all
                    select 'gini_population' as name, gini_population as value, ['catalog', 'recommended'] as choices
                    union all
                    select 'gini_divide' as name, gini_divide as value, ['n', 'n_minus_1'] as choices
                    union all
                    select 'gini_orientation' as name, gini_orientation as value, ['inequality', 'equality'] as choices
                    union all
                    select 'gini_weight' as name, gini_weight as value, ['count', 'exposure'] as choices
                    union all
                    select 'judged_only' as name, judged_only as value, ['false', 'true'] as choices
                    union all
                    select 'rank_by' as name, rank_by as value, ['rank', 'score', 'position'] as choices
                    union all
                    select 'duplicates' as name, duplicates as value, ['error', 'first', 'hole', 'count', 'set', 'last'] as choices
                    union all
                    select 'ties' as name, ties as value, ['item_asc', 'item_desc', 'input', 'expected', 'best', 'worst', 'error'] as choices
                    union all
                    select 'like' as name, lower("like") as value, ['cornac', 'elliot', 'evidently', 'hivemall', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval'] as choices
                ) as o
                where not list_contains(o.choices, o.value)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': rank is '
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
                    and (not (coalesce(rank_by, r.rank_by) = 'score'))
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    recs
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
                    from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(recs)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    recs
                    || ': '
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
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    recs
                    || ': items '
                    || coalesce(regexp_replace(cast(o.one as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' have the same rank '
                    || coalesce(cast(o.rank as varchar), 'NULL')
                    || ' in the list of user '
                    || coalesce(regexp_replace(cast(o.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || o.model, '') as varchar), 'NULL')
                    || '; number each list with row_number(), or use rank_by = ''score'' and choose how equal scores count with the option ties' as message
                from (
                    select r.model, r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
                    from given_recs as r
                    inner join rank_bands as b
                        on b.model is not distinct from r.model and b.user_id = r.user_id and b.band = try_cast(r.rank as bigint) >> 6
                    where not (coalesce(rank_by, r.rank_by) = 'score')
                    group by r.model, r.user_id, r.rank
                    having min(r.item_id) <> max(r.item_id) or count(*) > case when duplicates = 'count' then 1 else count(*) end
                ) as o
                order by o.model asc nulls first, o.user_id asc, o.rank asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': score is '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; every score must be a finite number, not NULL or text' as message
                from given_recs as r
                where
                    (r.score is null or isnan(cast(r.score as double) + 0 * random()) or isinf(cast(r.score as double)) or typeof(r.score) in ('VARCHAR', 'BOOLEAN'))
                    and (coalesce(rank_by, r.rank_by) = 'score')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appears more than once in the list of user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', which ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' with duplicates = '''
                    || coalesce(cast(duplicates as varchar), 'NULL')
                    || ''' does not support; list it once, or use duplicates = ''first''' as message
                from scored as r
                where ties in ('expected', 'best', 'worst') and duplicates in ('hole', 'count', 'set')
                group by r.model, r.user_id, r.item_id
                having count(*) > case duplicates
                    when 'set' then 1
                    else count(distinct r.score)
                end
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has items '
                    || coalesce(regexp_replace(cast(min(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(max(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' with the same score '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || '; use ties = ''item_asc'' or ''item_desc'', or rank the list yourself' as message
                from scored as r
                where
                    r.rank <= recsql.depth(k) + 1
                    and (ties = 'error')
                group by r.model, r.user_id, r.score
                having count(*) > 1
                order by r.user_id asc
                limit 1
            ) as p
        ) as p
        having count(*) > 0
    )

    select s.model, s.metric, s.k, s.value, s.users
    from summary as s
    where (select count(error(p.message)) from problems as p) = 0
    order by s.model asc nulls first, s.place asc, s.k asc;

comment on macro table recsql.item_metrics_under is 'the metrics of all lists together, every option known';

-- the metrics of all lists together
create or replace macro recsql.item_metrics(
    recs, k := [5, 10, 20], catalog_size := null, discount := 'log2p1', discount_p := 0.8e0,
    coverage_denominator := 'catalog', coverage_restrict := 'true', entropy_scope := 'items', entropy_base := '2',
    entropy_normalize := 'none', gini_population := 'catalog', gini_divide := 'n', gini_orientation := 'inequality',
    gini_weight := 'count', items := null, smoothing := 0, judged_only := 'false', rank_by := null,
    duplicates := 'error', ties := 'item_asc', metrics := null, train := null
) as table (
    select
        e.model,
        recsql.label(e.metric, null, [
            {'name': 'discount', 'value': cast(nullif(discount, 'log2p1') as varchar), 'metrics': ['gini']},
            {'name': 'discount_p', 'value': cast(nullif(discount_p, 0.8e0) as varchar), 'metrics': ['gini']},
            {'name': 'denominator', 'value': cast(nullif(coverage_denominator, 'catalog') as varchar), 'metrics': ['coverage']},
            {'name': 'restrict', 'value': cast(nullif(coverage_restrict, 'true') as varchar), 'metrics': ['coverage']},
            {'name': 'scope', 'value': cast(nullif(entropy_scope, 'items') as varchar), 'metrics': ['entropy']},
            {'name': 'base', 'value': cast(nullif(entropy_base, '2') as varchar), 'metrics': ['entropy']},
            {'name': 'normalize', 'value': cast(nullif(entropy_normalize, 'none') as varchar), 'metrics': ['entropy']},
            {'name': 'population', 'value': cast(nullif(gini_population, 'catalog') as varchar), 'metrics': ['gini']},
            {'name': 'divide', 'value': cast(nullif(gini_divide, 'n') as varchar), 'metrics': ['gini']},
            {'name': 'orientation', 'value': cast(nullif(gini_orientation, 'inequality') as varchar), 'metrics': ['gini']},
            {'name': 'weight', 'value': cast(nullif(gini_weight, 'count') as varchar), 'metrics': ['gini']},
            {'name': 'smoothing', 'value': cast(nullif(smoothing, 0) as varchar), 'metrics': ['entropy']},
            {'name': 'judged_only', 'value': cast(nullif(judged_only, 'false') as varchar), 'metrics': null},
            {'name': 'rank_by', 'value': cast(rank_by as varchar), 'metrics': null},
            {'name': 'duplicates', 'value': cast(nullif(duplicates, 'error') as varchar), 'metrics': null},
            {'name': 'ties', 'value': cast(nullif(ties, 'item_asc') as varchar), 'metrics': null}
        ]) as metric,
        cast(nullif(e.k, 1000000000000000000) as integer) as k,
        e.value,
        e.users
    from (
        from recsql.item_metrics_under(
            recs, k := k, catalog_size := catalog_size, discount := coalesce(discount, 'log2p1'),
            discount_p := coalesce(discount_p, 0.8e0), coverage_denominator := coalesce(coverage_denominator, 'catalog'),
            coverage_restrict := coalesce(coverage_restrict, 'true'), entropy_scope := coalesce(entropy_scope, 'items'),
            entropy_base := coalesce(entropy_base, '2'), entropy_normalize := coalesce(entropy_normalize, 'none'),
            gini_population := coalesce(gini_population, 'catalog'), gini_divide := coalesce(gini_divide, 'n'),
            gini_orientation := coalesce(gini_orientation, 'inequality'), gini_weight := coalesce(gini_weight, 'count'),
            items := items, smoothing := coalesce(smoothing, 0), judged_only := coalesce(judged_only, 'false'),
            rank_by := rank_by, duplicates := coalesce(duplicates, 'error'), ties := coalesce(ties, 'item_asc'),
            metrics := recsql.asked(metrics, null), train := train
        )
    ) as e
    order by e.model asc nulls first, list_position(['coverage', 'entropy', 'gini'], e.metric) asc, e.k asc
), (
    recs, "like" varchar, k := [5, 10, 20], catalog_size := null, discount := null, discount_p := 0.8e0,
    coverage_denominator := null, coverage_restrict := null, entropy_scope := null, entropy_base := null,
    entropy_normalize := null, gini_population := null, gini_divide := null, gini_orientation := null,
    gini_weight := 'count', items := null, smoothing := 0, judged_only := 'false', rank_by := null, duplicates := null,
    ties := null, metrics := null, train := null
) as table (
    select
        e.model,
        recsql.label(e.metric, "like", [
            {'name': 'discount', 'value': cast(nullif(discount, recsql.usual_discount("like", e.metric)) as varchar), 'metrics': ['gini']},
            {'name': 'discount_p', 'value': cast(nullif(discount_p, 0.8e0) as varchar), 'metrics': ['gini']},
            {'name': 'denominator', 'value': cast(nullif(coverage_denominator, recsql.usual_coverage_denominator("like", e.metric)) as varchar), 'metrics': ['coverage']},
            {'name': 'restrict', 'value': cast(nullif(coverage_restrict, recsql.usual_coverage_restrict("like", e.metric)) as varchar), 'metrics': ['coverage']},
            {'name': 'scope', 'value': cast(nullif(entropy_scope, recsql.usual_entropy_scope("like", e.metric)) as varchar), 'metrics': ['entropy']},
            {'name': 'base', 'value': cast(nullif(entropy_base, recsql.usual_entropy_base("like", e.metric)) as varchar), 'metrics': ['entropy']},
            {'name': 'normalize', 'value': cast(nullif(entropy_normalize, recsql.usual_entropy_normalize("like", e.metric)) as varchar), 'metrics': ['entropy']},
            {'name': 'population', 'value': cast(nullif(gini_population, recsql.usual_gini_population("like", e.metric)) as varchar), 'metrics': ['gini']},
            {'name': 'divide', 'value': cast(nullif(gini_divide, recsql.usual_gini_divide("like", e.metric)) as varchar), 'metrics': ['gini']},
            {'name': 'orientation', 'value': cast(nullif(gini_orientation, recsql.usual_gini_orientation("like", e.metric)) as varchar), 'metrics': ['gini']},
            {'name': 'weight', 'value': cast(nullif(gini_weight, 'count') as varchar), 'metrics': ['gini']},
            {'name': 'smoothing', 'value': cast(nullif(smoothing, 0) as varchar), 'metrics': ['entropy']},
            {'name': 'judged_only', 'value': cast(nullif(judged_only, 'false') as varchar), 'metrics': null},
            {'name': 'rank_by', 'value': cast(nullif(rank_by, recsql.usual_rank_by("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'duplicates', 'value': cast(nullif(duplicates, recsql.usual_duplicates("like", e.metric)) as varchar), 'metrics': null},
            {'name': 'ties', 'value': cast(nullif(ties, recsql.usual_ties("like", e.metric)) as varchar), 'metrics': null}
        ]) as metric,
        cast(nullif(e.k, 1000000000000000000) as integer) as k,
        e.value,
        e.users
    from (
        from recsql.item_metrics_under(
            recs, k := k, catalog_size := catalog_size, discount := coalesce(discount, recsql.usual_discount("like", null)),
            discount_p := coalesce(discount_p, 0.8e0),
            coverage_denominator := coalesce(coverage_denominator, recsql.usual_coverage_denominator("like", null)),
            coverage_restrict := coalesce(coverage_restrict, recsql.usual_coverage_restrict("like", null)),
            entropy_scope := coalesce(entropy_scope, recsql.usual_entropy_scope("like", null)),
            entropy_base := coalesce(entropy_base, recsql.usual_entropy_base("like", null)),
            entropy_normalize := coalesce(entropy_normalize, recsql.usual_entropy_normalize("like", null)),
            gini_population := coalesce(gini_population, recsql.usual_gini_population("like", null)),
            gini_divide := coalesce(gini_divide, recsql.usual_gini_divide("like", null)),
            gini_orientation := coalesce(gini_orientation, recsql.usual_gini_orientation("like", null)),
            gini_weight := coalesce(gini_weight, 'count'), items := items, smoothing := coalesce(smoothing, 0),
            judged_only := coalesce(judged_only, 'false'), rank_by := rank_by,
            duplicates := coalesce(duplicates, recsql.usual_duplicates("like", null)),
            ties := coalesce(ties, recsql.usual_ties("like", null)), metrics := recsql.asked(metrics, null), train := train,
            like := "like"
        )
    ) as e
    order by e.model asc nulls first, list_position(['coverage', 'entropy', 'gini'], e.metric) asc, e.k asc
);

comment on macro table recsql.item_metrics is 'the metrics of all lists together';

-- how far predictions are from ratings, every option known
create or replace macro recsql.rating_metrics_under(
    predictions, missing := 'skip', judged_only := 'false', ratings := null, rank_by := null, duplicates := 'error',
    mean := 'micro', metrics := null, like := null
) as table
    with
    -- one row per row of ratings, with recsql's column names
    given_ratings as not materialized (
        select t.user_id, t.item_id, cast(t.rating as double) as rating
        from (
            from query_table(recsql.relation(coalesce(ratings, predictions)))
            union all by name
            select null as rating
            where false
        ) as t
    ),

    -- one row per row of predictions, with recsql's column names
    given_predictions as not materialized (
        select p.model, p.user_id, p.item_id, cast(p.prediction as double) as prediction, cast(p.rating as double) as rating
        from (
            from query_table(recsql.relation(predictions))
            union all by name
            select null::varchar as model, null as rating
            where false
        ) as p
    ),

    -- one row per rating with its prediction, which is NULL if it is missing
    pairs as (
        select p.model, p.user_id, p.item_id, t.rating, p.prediction
        from given_predictions as p
        inner join given_ratings as t
            on t.user_id = p.user_id
            and t.item_id = p.item_id
            and (ratings is not null)
            and coalesce((select error(g.message) from (
                select
                    coalesce(cast(i.name as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(i.in_left as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(predictions as varchar), 'NULL')
                    || ' and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(ratings as varchar), 'NULL')
                    || '; cast one of them to the other''s type' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_predictions as l limit 1) as l
                    cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_ratings as r limit 1) as r
                ) as i
                where
                    recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
        union all
        select p.model, p.user_id, p.item_id, p.rating, p.prediction
        from given_predictions as p
        where not (ratings is not null)
    ),

    -- one row per model, and per user if mean = users: the means that the variances need
    centres as (
        select
            p.model,
            case when mean = 'users' then p.user_id else null end as rater,
            case when min(p.rating) < max(p.rating) then case when max(abs(p.rating)) < 1e9 and avg(abs(p.rating)) > 1e-6 then sum(try_cast(1e18 * (case when abs(p.rating) < 1e9 then p.rating end) as hugeint)) / 1e18 else fsum(p.rating) end / count(*) else min(p.rating) end as rating,
            case when min(p.rating - p.prediction) < max(p.rating - p.prediction) then case when max(abs(p.rating - p.prediction)) < 1e9 and avg(abs(p.rating - p.prediction)) > 1e-6 then sum(try_cast(1e18 * (case when abs(p.rating - p.prediction) < 1e9 then p.rating - p.prediction end) as hugeint)) / 1e18 else fsum(p.rating - p.prediction) end / count(*) else min(p.rating - p.prediction) end as error
        from pairs as p
        where p.prediction is not null
        group by p.model, case when mean = 'users' then p.user_id else null end
    ),

    -- one row per model, and per user if mean = users: the statistics of the pairs
    rating_errors as (
        select
            p.model,
            case when mean = 'users' then p.user_id else null end as rater,
            case when max(abs(abs(p.rating - p.prediction))) < 1e9 and avg(abs(abs(p.rating - p.prediction))) > 1e-6 then sum(try_cast(1e18 * (case when abs(abs(p.rating - p.prediction)) < 1e9 then abs(p.rating - p.prediction) end) as hugeint)) / 1e18 else fsum(abs(p.rating - p.prediction)) end as absolute_error,
            case when max(abs(power(p.rating - p.prediction - c.error, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction - c.error, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction - c.error, 2)) < 1e9 then power(p.rating - p.prediction - c.error, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction - c.error, 2)) end / nullif(count(p.prediction), 0) as error_variance,
            count(p.prediction) as pairs,
            case when max(abs(power(p.rating - c.rating, 2))) < 1e9 and avg(abs(power(p.rating - c.rating, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - c.rating, 2)) < 1e9 then power(p.rating - c.rating, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - c.rating, 2)) end / nullif(count(p.prediction), 0) as rating_variance,
            case when max(abs(power(p.rating - p.prediction, 2))) < 1e9 and avg(abs(power(p.rating - p.prediction, 2))) > 1e-6 then sum(try_cast(1e18 * (case when abs(power(p.rating - p.prediction, 2)) < 1e9 then power(p.rating - p.prediction, 2) end) as hugeint)) / 1e18 else fsum(power(p.rating - p.prediction, 2)) end as squared_error,
            count(distinct case when p.prediction is not null then p.user_id end) as users,
            count(p.prediction) as used,
            count(*) - count(p.prediction) as missing
        from pairs as p
        left join centres as c
            on
                c.model is not distinct from p.model
                and c.rater is not distinct from case when mean = 'users' then p.user_id else null end
                and p.prediction is not null
        group by p.model, case when mean = 'users' then p.user_id else null end
    ),

    -- one row per model with predictions: how many pairs were compared, and how many rows had no match
    rating_counts as (
        select
            p.model,
            coalesce(s.used, 0) as pairs,
            coalesce(s.missing, 0) as missing,
            case when ratings is not null then p.predictions - coalesce(s.used + s.missing, 0) else 0 end as unmatched_predictions,
            case when ratings is not null then (select count(*) from given_ratings as t) - coalesce(s.used + s.missing, 0) else 0 end as unmatched_ratings
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
    ),

    -- one row per model, and per user if mean = users: the metrics
    rating_metrics as (
        select
            s.model,
            s.users,
            1 - s.error_variance / nullif(s.rating_variance, 0e0) as explained_variance,
            s.absolute_error / nullif(s.pairs, 0) as mae,
            s.squared_error / nullif(s.pairs, 0) as mse,
            1 - s.squared_error / nullif(s.pairs * s.rating_variance, 0e0) as r2,
            sqrt(s.squared_error / nullif(s.pairs, 0)) as rmse
        from rating_errors as s
    ),

    -- one row per model with predictions: the metrics, and the number of users
    rating_means as (
        select
            n.model,
            case when max(abs(s.explained_variance)) < 1e9 and avg(abs(s.explained_variance)) > 1e-6 then sum(try_cast(1e18 * (case when abs(s.explained_variance) < 1e9 then s.explained_variance end) as hugeint)) / 1e18 else fsum(s.explained_variance) end / count(s.explained_variance) as explained_variance,
            cast(coalesce(sum(case when s.explained_variance is not null then s.users end), 0) as bigint) as explained_variance_users,
            case when max(abs(s.mae)) < 1e9 and avg(abs(s.mae)) > 1e-6 then sum(try_cast(1e18 * (case when abs(s.mae) < 1e9 then s.mae end) as hugeint)) / 1e18 else fsum(s.mae) end / count(s.mae) as mae,
            cast(coalesce(sum(case when s.mae is not null then s.users end), 0) as bigint) as mae_users,
            case when max(abs(s.mse)) < 1e9 and avg(abs(s.mse)) > 1e-6 then sum(try_cast(1e18 * (case when abs(s.mse) < 1e9 then s.mse end) as hugeint)) / 1e18 else fsum(s.mse) end / count(s.mse) as mse,
            cast(coalesce(sum(case when s.mse is not null then s.users end), 0) as bigint) as mse_users,
            case when max(abs(s.r2)) < 1e9 and avg(abs(s.r2)) > 1e-6 then sum(try_cast(1e18 * (case when abs(s.r2) < 1e9 then s.r2 end) as hugeint)) / 1e18 else fsum(s.r2) end / count(s.r2) as r2,
            cast(coalesce(sum(case when s.r2 is not null then s.users end), 0) as bigint) as r2_users,
            case when max(abs(s.rmse)) < 1e9 and avg(abs(s.rmse)) > 1e-6 then sum(try_cast(1e18 * (case when abs(s.rmse) < 1e9 then s.rmse end) as hugeint)) / 1e18 else fsum(s.rmse) end / count(s.rmse) as rmse,
            cast(coalesce(sum(case when s.rmse is not null then s.users end), 0) as bigint) as rmse_users
        from rating_counts as n
        left join rating_metrics as s on s.model is not distinct from n.model
        group by n.model
    ),

    -- no rows, but an error for an unknown metric, or for one that lacks a required option
    unavailable as (
        select n.message
        from (
            select 'metrics: the list is empty; name a metric, pass ''all'', or leave metrics out for the default ones' as message
            where len(metrics) = 0 and recsql.apart("like") = []
            union all
            select
                'unknown metric '''
                || coalesce(cast(m.name as varchar), 'NULL')
                || '''; '
                || coalesce(cast(case when regexp_matches(m.name, '[@(]') then 'give the name alone, with the cut-off as k := 5 and options as arguments; ' else coalesce('did you mean ' || recsql.metric_of(m.name) || '? ', coalesce('did you mean ' || list_max(list_transform(list_filter(m.names, lambda n: jaro_winkler_similarity(lower(n), lower(m.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(m.name)), 'name': n}))['name'] || '? ', '')) end as varchar), 'NULL')
                || 'choose one of '
                || coalesce(cast(array_to_string(m.names, ', ') as varchar), 'NULL') as message
            from (
                select unnest(cast(metrics as varchar[])) as name, ['explained_variance', 'mae', 'mse', 'r2', 'rmse'] as names
            ) as m
            where not coalesce(list_contains(m.names, m.name), false)
        ) as n
        where error(n.message) is not null
    ),

    -- one row per model and metric
    rating_summary as (
        select m.model, 'explained_variance' as metric, m.explained_variance as value, m.explained_variance_users as users, 1 as place
        from rating_means as m
        where metrics is null or list_contains(metrics, 'explained_variance')
        union all
        select m.model, 'mae' as metric, m.mae as value, m.mae_users as users, 2 as place
        from rating_means as m
        where metrics is null or list_contains(metrics, 'mae')
        union all
        select m.model, 'mse' as metric, m.mse as value, m.mse_users as users, 3 as place
        from rating_means as m
        where metrics is null or list_contains(metrics, 'mse')
        union all
        select m.model, 'r2' as metric, m.r2 as value, m.r2_users as users, 4 as place
        from rating_means as m
        where metrics is null or list_contains(metrics, 'r2')
        union all
        select m.model, 'rmse' as metric, m.rmse as value, m.rmse_users as users, 5 as place
        from rating_means as m
        where metrics is null or list_contains(metrics, 'rmse')
        union all
        select null as model, n.message as metric, null as value, null as users, null as place
        from unavailable as n
    ),

    -- one row if the input can't be measured: the message of the check with the lowest place
    problems as (
        select min_by(p.message, p.place) as message
        from (
            select 5 as place, p.message
            from (
                select
                    predictions
                    || ': prediction is NULL for user '
                    || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; missing = ''error'' does not allow that' as message
                from given_predictions as p
                where
                    p.prediction is null
                    and (missing = 'error')
                order by p.user_id asc, p.item_id asc
                limit 1
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    predictions
                    || ': no rating has a prediction; check the ids, and that not every prediction is NULL' as message
                from (select sum(n.pairs) as pairs from rating_counts as n) as n
                where coalesce(n.pairs, 0) = 0
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': unknown value '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(o.choices, lambda n: jaro_winkler_similarity(lower(n), lower(o.value)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(o.value)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'choose one of '
                    || coalesce(cast(array_to_string(o.choices, ', ') as varchar), 'NULL') as message
                from (
                    select 'missing' as name, missing as value, ['skip', 'error'] as choices
                    union all
                    select 'mean' as name, mean as value, ['micro', 'users'] as choices
                    union all
                    select 'like' as name, lower("like") as value, ['cornac', 'elliot', 'evidently', 'hivemall', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval'] as choices
                ) as o
                where not list_contains(o.choices, o.value)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    predictions
                    || ': '
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
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    coalesce(cast(t.name as varchar), 'NULL')
                    || ': user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' and item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appear together more than once'
                    || coalesce(cast(coalesce(' for model ' || t.model, '') as varchar), 'NULL')
                    || '; keep one row per pair to join ratings and predictions' as message
                from (
                    select predictions as name, p.model, p.user_id, p.item_id
                    from given_predictions as p
                    where ratings is not null
                    group by p.model, p.user_id, p.item_id
                    having count(*) > 1
                    union all
                    select ratings as name, null as model, t.user_id, t.item_id
                    from given_ratings as t
                    where ratings is not null
                    group by t.user_id, t.item_id
                    having count(*) > 1
                ) as t
                order by t.name asc, t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    predictions
                    || ': prediction is '
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
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    ratings
                    || ': '
                    || coalesce(cast(case when t.user_id is null then 'user_id' else 'item_id' end as varchar), 'NULL')
                    || ' is NULL in a row (user_id '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item_id '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '); leave such rows out or give them an id' as message
                from given_ratings as t
                where
                    (t.user_id is null or t.item_id is null)
                    and (ratings is not null)
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    ratings
                    || ': rating is '
                    || coalesce(cast(t.rating as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; every rating must be a number below 1e150' as message
                from given_ratings as t
                where
                    (t.rating is null or isnan(t.rating + 0 * random()) or abs(t.rating) >= 1e150)
                    and (ratings is not null)
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    predictions
                    || ': rating is '
                    || coalesce(cast(p.rating as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(p.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(p.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; every rating must be a number below 1e150, here or in the table passed as ratings' as message
                from given_predictions as p
                where
                    (p.rating is null or isnan(p.rating + 0 * random()) or abs(p.rating) >= 1e150)
                    and (not (ratings is not null))
                order by p.user_id asc, p.item_id asc
                limit 1
            ) as p
        ) as p
        having count(*) > 0
    )

    select s.model, s.metric, s.value, n.pairs, s.users, n.missing, n.unmatched_predictions, n.unmatched_ratings
    from rating_summary as s
    inner join rating_counts as n on n.model is not distinct from s.model
    where (select count(error(p.message)) from problems as p) = 0
    order by s.model asc nulls first, s.place asc;

comment on macro table recsql.rating_metrics_under is 'how far predictions are from ratings, every option known';

-- how far predictions are from ratings
create or replace macro recsql.rating_metrics(
    predictions, missing := 'skip', judged_only := 'false', ratings := null, rank_by := null, duplicates := 'error',
    mean := 'micro', metrics := null
) as table
    select
        e.model,
        recsql.label(e.metric, null, [
            {'name': 'mean', 'value': cast(nullif(mean, 'micro') as varchar), 'metrics': null}
        ]) as metric,
        e.value,
        e.pairs,
        e.users,
        e.missing,
        e.unmatched_predictions,
        e.unmatched_ratings
    from recsql.rating_metrics_under(
        predictions, missing := coalesce(missing, 'skip'), judged_only := coalesce(judged_only, 'false'),
        ratings := ratings, rank_by := rank_by, duplicates := coalesce(duplicates, 'error'),
        mean := coalesce(mean, 'micro'), metrics := recsql.asked(metrics, null)
    ) as e;

comment on macro table recsql.rating_metrics is 'how far predictions are from ratings';

-- every recommended row in the top k, with the running hits, precision and dcg of its list, every option known
create or replace macro recsql.hits_under(
    recs, truth, k := 10, discount := 'log2p1', discount_p := 0.8e0, gain := 'linear', gain_map := null,
    relevant := 'positive', relevance_threshold := null, truth_window := 'all', judged_only := 'false', rank_by := null,
    duplicates := 'error', ties := 'item_asc', like := null
) as table
    with
    -- one row per row of recs, with recsql's column names
    given_recs as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
            case when typeof(r.rank) = '"NULL"' or (typeof(r.score) <> '"NULL"' and lower("like") in ('cornac', 'elliot', 'evidently', 'ir_measures', 'jurity', 'ranx', 'recbole', 'recommenders', 'recpack', 'replay', 'sklearn', 'torchmetrics', 'trec_eval')) then 'score' else 'rank' end as rank_by
        from (
            from query_table(recsql.relation(recs))
            union all by name
            select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
            where false
        ) as r
    ),

    -- one row per row of truth, with recsql's column names
    given_truth as not materialized (
        select
            t.user_id,
            t.item_id,
            case when typeof(t.relevance) = '"NULL"' then 1e0 else try_cast(t.relevance as double) end as relevance,
            try_cast(t.rank as bigint) as rank
        from (
            from query_table(recsql.relation(truth))
            union all by name
            select null as user_id, null as item_id, null as relevance, null as rank
            where false
        ) as t
    ),

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
                    || ' in '
                    || coalesce(cast(recs as varchar), 'NULL')
                    || ' and '
                    || coalesce(cast(i.in_right as varchar), 'NULL')
                    || ' in '
                    || coalesce(cast(truth as varchar), 'NULL')
                    || '; cast one of them to the other''s type' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                    from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                    cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                ) as i
                where
                    recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                    and '"NULL"' not in (i.in_left, i.in_right)
                limit 1
            ) as g), true)
        group by t.user_id, t.item_id
    ),

    -- one row per row of recs whose item is judged, with its rank among these
    judged_recs as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.score, r.rank_by
        from given_recs as r
        where not (judged_only = 'true')
        union all
        select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.score, o.rank_by
        from (
            select
                r.model,
                r.user_id,
                r.item_id,
                r.rank,
                r.score,
                r.rank_by,
                j.item_id is not null as is_judged,
                -- rows with the same rank do not come before this one
                count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id order by r.rank asc)
                - count(case when j.item_id is null then 1 end) over (partition by r.model, r.user_id, r.rank) as dropped
            from given_recs as r
            left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
            where judged_only = 'true'
        ) as o
        where o.is_judged
    ),

    -- one row per scored item, ranked by its score
    scored as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            null as last,
            row_number() over (
                partition by r.model, r.user_id
                order by r.score desc, case when ties = 'item_desc' then r.item_id else null end desc, case when ties = 'input' then r.rank else null end asc, r.item_id asc
            ) as rank
        from judged_recs as r
        where coalesce(rank_by, r.rank_by) = 'score' and not (ties in ('expected', 'best', 'worst'))
        union all
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
            rank() over (partition by r.model, r.user_id order by r.score desc) as rank
        from (
            select r.model, r.user_id, r.item_id, r.score
            from judged_recs as r
            where coalesce(rank_by, r.rank_by) = 'score' and ties in ('expected', 'best', 'worst') and not (duplicates in ('first', 'last'))
            union all
            select r.model, r.user_id, r.item_id, case duplicates
                when 'last' then min(r.score)
                else max(r.score)
            end as score
            from judged_recs as r
            where coalesce(rank_by, r.rank_by) = 'score' and ties in ('expected', 'best', 'worst') and duplicates in ('first', 'last')
            group by r.model, r.user_id, r.item_id
        ) as r
    ),

    -- one row per row of recs, with its rank
    ranked as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.rank as last
            from judged_recs as r
            where not (coalesce(rank_by, r.rank_by) = 'score')
            union all
            select r.model, r.user_id, r.item_id, r.rank, r.last
            from scored as r
        ) as r
        where not (duplicates in ('first', 'last'))
        union all
        select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank, o.last - o.dropped as last
        from (
            select
                c.model,
                c.user_id,
                c.item_id,
                c.rank,
                c.last,
                c.copy,
                -- rows with the same rank do not come before this one
                count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id order by c.rank asc)
                - count(case when c.copy > 1 then 1 end) over (partition by c.model, c.user_id, c.rank) as dropped
            from (
                select
                    r.model,
                    r.user_id,
                    r.item_id,
                    r.rank,
                    r.last,
                    row_number() over (
                        partition by r.model, r.user_id, r.item_id
                        order by case duplicates
                            when 'last' then -try_cast(r.rank as bigint)
                            else r.rank
                        end asc
                    ) as copy
                from (
                    select r.model, r.user_id, r.item_id, r.rank, r.rank as last
                    from judged_recs as r
                    where not (coalesce(rank_by, r.rank_by) = 'score')
                    union all
                    select r.model, r.user_id, r.item_id, r.rank, r.last
                    from scored as r
                ) as r
                where duplicates in ('first', 'last')
            ) as c
        ) as o
        where o.copy = 1
    ),

    -- one row per recommended item, up to the largest cut-off
    recommended as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from ranked as r
        where (duplicates in ('first', 'last')) or r.rank <= recsql.cutoff(cast(k as varchar))
    ),

    -- one row per cut-off
    cutoffs as (
        select recsql.cutoff(cast(k as varchar)) as k
    ),

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
            where case relevant
                when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                when 'present' then true
            end
                and coalesce((select error(g.message) from (
                    select
                        coalesce(cast(i.name as varchar), 'NULL')
                        || ' is '
                        || coalesce(cast(i.in_left as varchar), 'NULL')
                        || ' in '
                        || coalesce(cast(recs as varchar), 'NULL')
                        || ' and '
                        || coalesce(cast(i.in_right as varchar), 'NULL')
                        || ' in '
                        || coalesce(cast(truth as varchar), 'NULL')
                        || '; cast one of them to the other''s type' as message
                    from (
                        select unnest(['user_id', 'item_id']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
                        from (select [typeof(l.user_id), typeof(l.item_id)] as types from given_recs as l limit 1) as l
                        cross join (select [typeof(r.user_id), typeof(r.item_id)] as types from given_truth as r limit 1) as r
                    ) as i
                    where
                        recsql.id_type(i.in_left) <> recsql.id_type(i.in_right)
                        and '"NULL"' not in (i.in_left, i.in_right)
                    limit 1
                ) as g), true)
            union all
            select r.user_id, r.item_id
            from given_recs as r
            where false
        ) as t
        group by t.user_id
    ),

    -- one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST
    possible_hits as not materialized (
        select r.model, r.user_id, r.item_id, r.rank, r.last
        from (
            select r.model, r.user_id, r.item_id, r.rank, r.last
            from recommended as r
            union all
            select null as model, t.user_id, t.item_id, null as rank, null as last
            from given_truth as t
            where false
        ) as r
        inner join fingerprints as f
            on
                f.user_id = r.user_id
                and (f.bits >> (hash(r.item_id) & 63)) & 1 = 1
                and (f.other_bits >> (hash(r.item_id) >> 58)) & 1 = 1
    ),

    -- one row per user who may have repeated items in the truth: the user has fewer bits than rows
    suspects as (
        select f.user_id
        from fingerprints as f
        where greatest(bit_count(f.bits), bit_count(f.other_bits)) < f.stated
    ),

    -- one row per suspect with a repeated item in the truth
    repeaters as (
        select t.user_id, true as repeats
        from given_truth as t
        inner join suspects as s on s.user_id = t.user_id
        where case relevant
            when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
            when 'present' then true
        end
        group by t.user_id
        having list_unique(list(t.item_id)) < count(*)
    ),

    -- one row per repeater and relevant item, with its highest relevance
    folded as (
        select
            t.user_id,
            t.item_id,
            min(t.rank) as rank,
            max(t.relevance) as relevance
        from given_truth as t
        inner join repeaters as p on p.user_id = t.user_id
        where case relevant
            when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
            when 'present' then true
        end
        group by t.user_id, t.item_id
    ),

    -- one row per user and relevant item; repeated items count once, with their highest relevance
    relevant as not materialized (
        select t.user_id, t.item_id, t.rank as truth_rank, case gain
            when 'binary' then 1e0
            when 'exp2' then (power(2e0, t.relevance) - 1)
            when 'exp2_shifted' then (power(2e0, t.relevance - coalesce(relevance_threshold, 0) + 1) - 1)
            when 'map' then coalesce(cast(gain_map as map(double, double))[t.relevance], error(
                'gain_map: no gain for relevance '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' of user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; add one'
            ))
            else t.relevance
        end as gain
        from (
            select t.user_id, t.item_id, t.relevance, t.rank
            from given_truth as t
            left join repeaters as p on p.user_id = t.user_id
            where
                not coalesce(p.repeats, false)
                and case relevant
                    when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                    when 'present' then true
                end
            union all
            select t.user_id, t.item_id, t.relevance, t.rank
            from folded as t
        ) as t
    ),

    -- one row per list and relevant item in the list, at its best rank
    found as (
        select
            r.model,
            r.user_id,
            r.item_id,
            min(r.rank) as rank,
            min(r.last) as last,
            min_by(t.gain, r.rank) as gain,
            max(t.truth_rank) as truth_rank,
            count(*) as copies
        from possible_hits as r
        inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
        group by r.model, r.user_id, r.item_id, case when duplicates = 'count' then r.rank else null end
    ),

    -- one row per list and relevant item in the list; a tied item has its best or worst possible rank
    placed as (
        select f.model, f.user_id, f.item_id, f.rank, f.gain, f.copies, f.truth_rank
        from found as f
        where not (ties in ('expected', 'best', 'worst'))
        union all
        select
            o.model,
            o.user_id,
            o.item_id,
            case ties
                when 'worst' then o.last + 1 - o.place
                else o.rank - 1 + o.place
            end as rank,
            o.gain,
            o.copies, o.truth_rank
        from (
            select
                f.model,
                f.user_id,
                f.item_id,
                f.rank,
                f.last,
                f.gain,
                f.copies, f.truth_rank,
                row_number() over (partition by f.model, f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
            from found as f
            where ties in ('best', 'worst')
        ) as o
    ),

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
                where ties = 'expected'
            ) as b
            inner join (select unnest(range(1, (select cast(max(f.last) as bigint) from found as f) + 1)) as i) as i on i.i between b.rank and b.last
        ) as o
    ),

    -- one row per hit, numbered in list order
    hits as (
        select
            f.model,
            f.user_id,
            f.item_id,
            try_cast(f.rank as bigint) as rank,
            f.truth_rank,
            f.gain,
            f.copies,
            1 as place,
            1e0 as probability,
            0e0 as leads,
            row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
        from placed as f
        where (not (truth_window = 'rank') or f.truth_rank <= f.rank)
        union all
        select
            t.model,
            t.user_id,
            t.item_id,
            t.rank,
            null as truth_rank,
            t.gain,
            t.copies,
            t.place,
            t.probability,
            t.leads,
            t.nth
        from tied_hits as t
    ),

    -- one row per hit and cut-off at which it counts
    hits_in_force as (
        select h.model, h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth, h.probability, h.leads
        from hits as h
        inner join cutoffs as c on c.k >= h.rank
        where not (truth_window = 'k')
        union all
        select
            h.model,
            h.user_id,
            h.item_id,
            c.k,
            h.rank,
            h.gain,
            row_number() over (partition by h.model, h.user_id, c.k order by h.rank asc, h.nth asc) as nth, h.probability, h.leads
        from hits as h
        inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank)
        where truth_window = 'k'
    ),

    -- one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks
    list_ranks as (
        select
            r.model,
            r.user_id,
            bit_xor(hash(xor(hash(case when not (coalesce(rank_by, r.rank_by) = 'score') then try_cast(r.rank as bigint) else null end), hash(now())))) as ranks,
            count(*) as returned
        from given_recs as r
        group by r.model, r.user_id
    ),

    -- one row per length of a list: the hash of the ranks 1, 2, ... up to that length
    unbroken as (
        select i.i as returned, bit_xor(hash(xor(hash(i.i), hash(now())))) over (order by i.i asc) as ranks
        from (select unnest(range(1, (select max(n.returned) from list_ranks as n) + 1)) as i) as i
    ),

    -- one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs
    unproven as (
        select n.model, n.user_id
        from list_ranks as n
        left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
        where b.returned is null
    ),

    -- one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank
    rank_bands as (
        select r.model, r.user_id, try_cast(r.rank as bigint) >> 6 as band
        from given_recs as r
        inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
        where not (coalesce(rank_by, r.rank_by) = 'score')
        group by r.model, r.user_id, try_cast(r.rank as bigint) >> 6
        having bit_count(bit_or(cast(1 as ubigint) << cast(try_cast(r.rank as bigint) & 63 as ubigint))) < count(*)
    ),

    -- one row if the input can't be measured: the message of the check with the lowest place
    problems as (
        select min_by(p.message, p.place) as message
        from (
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': item '
                    || coalesce(regexp_replace(cast(h.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appears more than once in the list of user '
                    || coalesce(regexp_replace(cast(h.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || h.model, '') as varchar), 'NULL')
                    || '; list it once, or choose how it counts with the option duplicates' as message
                from hits as h
                where
                    h.copies > 1
                    and (duplicates = 'error')
                order by h.user_id asc, h.item_id asc
                limit 1
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    truth
                    || ': item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(t.gain as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || '; ties = ''best'' and ''worst'' need gains of at least 0' as message
                from relevant as t
                inner join found as f on f.user_id = t.user_id and f.item_id = t.item_id
                where
                    t.gain < 0
                    and (ties in ('best', 'worst'))
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': it applies only if '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' = '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; set that as well, or leave '
                    || coalesce(cast(o.name as varchar), 'NULL')
                    || ' out' as message
                from (
                    select 'discount_p' as name, 'discount' as other, 'geometric' as value, discount_p is distinct from 0.8e0 as given, discount = 'geometric' as met
                    union all
                    select 'gain_map' as name, 'gain' as other, 'map' as value, gain_map is distinct from null as given, gain = 'map' as met
                ) as o
                where o.given and not o.met
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': rank is '
                    || coalesce(cast(r.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; ties = ''input'' needs the input order in the column rank' as message
                from given_recs as r
                where
                    r.rank is null
                    and (ties = 'input' and coalesce(rank_by, r.rank_by) = 'score')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    'ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = ''item_asc'', ''item_desc'', ''input'' or ''error''' as message
                where ties in ('expected', 'best', 'worst')
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': '
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || ' is not '
                    || coalesce(cast(case when o.is_number then o.bound when o.whole then 'a whole number' else 'a number' end as varchar), 'NULL') as message
                from (
                    select n.name, n.value, n.whole, n.bound, n.holds, coalesce(isfinite(n.number) and (not n.whole or n.number % 1 = 0), false) as is_number
                    from (
                        select 'discount_p' as name, cast(discount_p as varchar) as value, try_cast(discount_p as double) as number, false as whole, 'above 0 and at most 1' as bound, try_cast(discount_p as double) > 0 and try_cast(discount_p as double) <= 1 as holds
                        union all
                        select 'relevance_threshold' as name, cast(relevance_threshold as varchar) as value, try_cast(relevance_threshold as double) as number, false as whole, '' as bound, true as holds
                    ) as n
                    where n.value is not null
                ) as o
                where not (o.is_number and o.holds)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': unknown value '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(o.choices, lambda n: jaro_winkler_similarity(lower(n), lower(o.value)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(o.value)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'choose one of '
                    || coalesce(cast(array_to_string(o.choices, ', ') as varchar), 'NULL') as message
                from (
                    select 'discount' as name, discount as value, ['log2p1', 'jk2002', 'ln1p', 'geometric', 'none'] as choices
                    union all
                    select 'gain' as name, gain as value, ['linear', 'binary', 'exp2', 'exp2_shifted', 'map'] as choices
                    union all
                    select 'relevant' as name, relevant as value, ['positive', 'present'] as choices
                    union all
                    select 'truth_window' as name, truth_window as value, ['all', 'k', 'rank'] as choices
                    union all
                    select 'judged_only' as name, judged_only as value, ['false', 'true'] as choices
                    union all
                    select 'rank_by' as name, rank_by as value, ['rank', 'score', 'position'] as choices
                    union all
                    select 'duplicates' as name, duplicates as value, ['error', 'first', 'hole', 'count', 'set', 'last'] as choices
                    union all
                    select 'ties' as name, ties as value, ['item_asc', 'item_desc', 'input', 'expected', 'best', 'worst', 'error'] as choices
                    union all
                    select 'like' as name, lower("like") as value, ['cornac', 'elliot', 'evidently', 'hivemall', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval'] as choices
                ) as o
                where not list_contains(o.choices, o.value)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': rank is '
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
                    and (not (coalesce(rank_by, r.rank_by) = 'score'))
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    recs
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
                    from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(recs)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    recs
                    || ': '
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
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    truth
                    || ': relevance is '
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
            ) as p
            union all
            select 6 as place, p.message
            from (
                select
                    recs
                    || ': items '
                    || coalesce(regexp_replace(cast(o.one as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' have the same rank '
                    || coalesce(cast(o.rank as varchar), 'NULL')
                    || ' in the list of user '
                    || coalesce(regexp_replace(cast(o.user_id as varchar), '^$', ''''''), 'NULL')
                    || coalesce(cast(coalesce(' and model ' || o.model, '') as varchar), 'NULL')
                    || '; number each list with row_number(), or use rank_by = ''score'' and choose how equal scores count with the option ties' as message
                from (
                    select r.model, r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
                    from given_recs as r
                    inner join rank_bands as b
                        on b.model is not distinct from r.model and b.user_id = r.user_id and b.band = try_cast(r.rank as bigint) >> 6
                    where not (coalesce(rank_by, r.rank_by) = 'score')
                    group by r.model, r.user_id, r.rank
                    having min(r.item_id) <> max(r.item_id) or count(*) > case when duplicates = 'count' then 1 else count(*) end
                ) as o
                order by o.model asc nulls first, o.user_id asc, o.rank asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    recs
                    || ': score is '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; every score must be a finite number, not NULL or text' as message
                from given_recs as r
                where
                    (r.score is null or isnan(cast(r.score as double) + 0 * random()) or isinf(cast(r.score as double)) or typeof(r.score) in ('VARCHAR', 'BOOLEAN'))
                    and (coalesce(rank_by, r.rank_by) = 'score')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appears more than once in the list of user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', which ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' with duplicates = '''
                    || coalesce(cast(duplicates as varchar), 'NULL')
                    || ''' does not support; list it once, or use duplicates = ''first''' as message
                from scored as r
                where ties in ('expected', 'best', 'worst') and duplicates in ('hole', 'count', 'set')
                group by r.model, r.user_id, r.item_id
                having count(*) > case duplicates
                    when 'set' then 1
                    else count(distinct r.score)
                end
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    recs
                    || ': user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has items '
                    || coalesce(regexp_replace(cast(min(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(max(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' with the same score '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || '; use ties = ''item_asc'' or ''item_desc'', or rank the list yourself' as message
                from scored as r
                where
                    r.rank <= recsql.cutoff(cast(k as varchar)) + 1
                    and (ties = 'error')
                group by r.model, r.user_id, r.score
                having count(*) > 1
                order by r.user_id asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    truth
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(t.types) as type, g.columns
                    from (select [typeof(t.user_id), typeof(t.item_id)] as types from given_truth as t limit 1) as t
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(truth)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    truth
                    || ': '
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
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    truth
                    || ': rank is '
                    || coalesce(cast(t.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; truth_window and ideal = ''truth_as_given'' need the position of each item, starting at 1, in the truth''s column rank' as message
                from given_truth as t
                where
                    (t.rank is null or t.rank < 1)
                    and (truth_window in ('k', 'rank'))
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
        ) as p
        having count(*) > 0
    )

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
            case discount
                when 'log2p1' then (1e0 / nullif(log2(r.rank + 1), 0))
                when 'jk2002' then (1e0 / greatest(1e0, log2(r.rank)))
                when 'ln1p' then (1e0 / nullif(ln(r.rank + 1), 0))
                when 'geometric' then power(cast(discount_p as double), r.rank - 1)
                when 'none' then 1e0
            end as discount,
            sum(coalesce(h.gain, 0e0) * case discount
                when 'log2p1' then (1e0 / nullif(log2(r.rank + 1), 0))
                when 'jk2002' then (1e0 / greatest(1e0, log2(r.rank)))
                when 'ln1p' then (1e0 / nullif(ln(r.rank + 1), 0))
                when 'geometric' then power(cast(discount_p as double), r.rank - 1)
                when 'none' then 1e0
            end) over (partition by r.model, r.user_id order by r.rank asc) as dcg
        from recommended as r
        inner join cutoffs as c on c.k >= r.rank
        left join hits_in_force as h
            on h.model is not distinct from r.model and h.user_id = r.user_id and h.item_id = r.item_id and h.rank = r.rank
        left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    ) as o
    where (select count(error(p.message)) from problems as p) = 0;

comment on macro table recsql.hits_under is 'every recommended row in the top k, with the running hits, precision and dcg of its list, every option known';

-- every recommended row in the top k, with the running hits, precision and dcg of its list
create or replace macro recsql.hits(
    recs, truth, k := 10, discount := 'log2p1', discount_p := 0.8e0, gain := 'linear', gain_map := null,
    relevant := 'positive', relevance_threshold := null, truth_window := 'all', judged_only := 'false', rank_by := null,
    duplicates := 'error', ties := 'item_asc'
) as table (
    from recsql.hits_under(
        recs, truth, k := k, discount := coalesce(discount, 'log2p1'), discount_p := coalesce(discount_p, 0.8e0),
        gain := coalesce(gain, 'linear'), gain_map := gain_map, relevant := coalesce(relevant, 'positive'),
        relevance_threshold := relevance_threshold, truth_window := coalesce(truth_window, 'all'),
        judged_only := coalesce(judged_only, 'false'), rank_by := rank_by, duplicates := coalesce(duplicates, 'error'),
        ties := coalesce(ties, 'item_asc')
    )
), (
    recs, truth, "like" varchar, k := 10, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, truth_window := null, judged_only := 'false', rank_by := null,
    duplicates := null, ties := null
) as table (
    from recsql.hits_under(
        recs, truth, k := k, discount := coalesce(discount, recsql.usual_discount("like", null)),
        discount_p := coalesce(discount_p, 0.8e0), gain := coalesce(gain, recsql.usual_gain("like", null)),
        gain_map := gain_map, relevant := coalesce(relevant, recsql.usual_relevant("like", null)),
        relevance_threshold := coalesce(relevance_threshold, recsql.usual_relevance_threshold("like", null)),
        truth_window := coalesce(truth_window, recsql.usual_truth_window("like", null)),
        judged_only := coalesce(judged_only, 'false'), rank_by := rank_by,
        duplicates := coalesce(duplicates, recsql.usual_duplicates("like", null)),
        ties := coalesce(ties, recsql.usual_ties("like", null)), like := "like"
    )
);

comment on macro table recsql.hits is 'every recommended row in the top k, with the running hits, precision and dcg of its list';

-- the best possible list of each user, up to rank k, with its running dcg, every option known
create or replace macro recsql.ideal_under(
    truth, k := 10, discount := 'log2p1', discount_p := 0.8e0, gain := 'linear', gain_map := null,
    relevant := 'positive', relevance_threshold := null, ideal := 'truth', truth_window := 'all',
    judged_only := 'false', rank_by := null, duplicates := 'error', like := null
) as table
    with
    -- one row per row of truth, with recsql's column names
    given_truth as not materialized (
        select
            t.user_id,
            t.item_id,
            case when typeof(t.relevance) = '"NULL"' then 1e0 else try_cast(t.relevance as double) end as relevance,
            try_cast(t.rank as bigint) as rank
        from (
            from query_table(recsql.relation(truth))
            union all by name
            select null as user_id, null as item_id, null as relevance, null as rank
            where false
        ) as t
    ),

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
            where case relevant
                when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                when 'present' then true
            end
        ) as t
        group by t.user_id
    ),

    -- one row per user who may have repeated items in the truth: the user has fewer bits than rows
    suspects as (
        select f.user_id
        from fingerprints as f
        where greatest(bit_count(f.bits), bit_count(f.other_bits)) < f.stated
    ),

    -- one row per suspect with a repeated item in the truth
    repeaters as (
        select t.user_id, true as repeats
        from given_truth as t
        inner join suspects as s on s.user_id = t.user_id
        where case relevant
            when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
            when 'present' then true
        end
        group by t.user_id
        having list_unique(list(t.item_id)) < count(*)
    ),

    -- one row per repeater and relevant item, with its highest relevance
    folded as (
        select
            t.user_id,
            t.item_id,
            max(t.relevance) as relevance
        from given_truth as t
        inner join repeaters as p on p.user_id = t.user_id
        where case relevant
            when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
            when 'present' then true
        end
        group by t.user_id, t.item_id
    ),

    -- one row per user and relevant item; repeated items count once, with their highest relevance
    relevant as not materialized (
        select t.user_id, t.item_id, case gain
            when 'binary' then 1e0
            when 'exp2' then (power(2e0, t.relevance) - 1)
            when 'exp2_shifted' then (power(2e0, t.relevance - coalesce(relevance_threshold, 0) + 1) - 1)
            when 'map' then coalesce(cast(gain_map as map(double, double))[t.relevance], error(
                'gain_map: no gain for relevance '
                || coalesce(cast(t.relevance as varchar), 'NULL')
                || ' of user '
                || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                || ', item '
                || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                || '; add one'
            ))
            else t.relevance
        end as gain
        from (
            select t.user_id, t.item_id, t.relevance
            from given_truth as t
            left join repeaters as p on p.user_id = t.user_id
            where
                not coalesce(p.repeats, false)
                and case relevant
                    when 'positive' then case when relevance_threshold is not null then t.relevance >= relevance_threshold else t.relevance > 0 end
                    when 'present' then true
                end
            union all
            select t.user_id, t.item_id, t.relevance
            from folded as t
        ) as t
    ),

    -- one row per user and item of the truth, with its highest relevance
    judged as (
        select t.user_id, t.item_id, max(t.relevance) as relevance
        from given_truth as t
        where t.item_id is not null
        group by t.user_id, t.item_id
    ),

    -- one row per cut-off
    cutoffs as (
        select recsql.cutoff(cast(k as varchar)) as k
    ),

    -- one row if the input can't be measured: the message of the check with the lowest place
    problems as (
        select min_by(p.message, p.place) as message
        from (
            select 2 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': ideal supports only '
                    || coalesce(cast(o.name as varchar), 'NULL')
                    || ' = '''
                    || coalesce(cast(o.plain as varchar), 'NULL')
                    || ''', not '''
                    || coalesce(cast(o.given as varchar), 'NULL')
                    || '''' as message
                from (
                    select 'ideal' as name, 'truth' as plain, ideal as given
                    union all
                    select 'truth_window' as name, 'all' as plain, truth_window as given
                ) as o
                where o.given <> o.plain
                order by o.name asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': it applies only if '
                    || coalesce(regexp_replace(cast(o.other as varchar), '^$', ''''''), 'NULL')
                    || ' = '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; set that as well, or leave '
                    || coalesce(cast(o.name as varchar), 'NULL')
                    || ' out' as message
                from (
                    select 'discount_p' as name, 'discount' as other, 'geometric' as value, discount_p is distinct from 0.8e0 as given, discount = 'geometric' as met
                    union all
                    select 'gain_map' as name, 'gain' as other, 'map' as value, gain_map is distinct from null as given, gain = 'map' as met
                ) as o
                where o.given and not o.met
                order by o.name asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': '
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || ' is not '
                    || coalesce(cast(case when o.is_number then o.bound when o.whole then 'a whole number' else 'a number' end as varchar), 'NULL') as message
                from (
                    select n.name, n.value, n.whole, n.bound, n.holds, coalesce(isfinite(n.number) and (not n.whole or n.number % 1 = 0), false) as is_number
                    from (
                        select 'discount_p' as name, cast(discount_p as varchar) as value, try_cast(discount_p as double) as number, false as whole, 'above 0 and at most 1' as bound, try_cast(discount_p as double) > 0 and try_cast(discount_p as double) <= 1 as holds
                        union all
                        select 'relevance_threshold' as name, cast(relevance_threshold as varchar) as value, try_cast(relevance_threshold as double) as number, false as whole, '' as bound, true as holds
                    ) as n
                    where n.value is not null
                ) as o
                where not (o.is_number and o.holds)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': unknown value '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(o.choices, lambda n: jaro_winkler_similarity(lower(n), lower(o.value)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(o.value)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'choose one of '
                    || coalesce(cast(array_to_string(o.choices, ', ') as varchar), 'NULL') as message
                from (
                    select 'discount' as name, discount as value, ['log2p1', 'jk2002', 'ln1p', 'geometric', 'none'] as choices
                    union all
                    select 'gain' as name, gain as value, ['linear', 'binary', 'exp2', 'exp2_shifted', 'map'] as choices
                    union all
                    select 'relevant' as name, relevant as value, ['positive', 'present'] as choices
                    union all
                    select 'ideal' as name, ideal as value, ['truth', 'constant', 'truth_uncut', 'truth_returned', 'candidates', 'truth_as_given'] as choices
                    union all
                    select 'truth_window' as name, truth_window as value, ['all', 'k', 'rank'] as choices
                    union all
                    select 'like' as name, lower("like") as value, ['cornac', 'elliot', 'evidently', 'hivemall', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval'] as choices
                ) as o
                where not list_contains(o.choices, o.value)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    truth
                    || ': relevance is '
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
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    truth
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id']) as name, unnest(t.types) as type, g.columns
                    from (select [typeof(t.user_id), typeof(t.item_id)] as types from given_truth as t limit 1) as t
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(truth)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    truth
                    || ': '
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
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    truth
                    || ': rank is '
                    || coalesce(cast(t.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(t.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(t.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; truth_window and ideal = ''truth_as_given'' need the position of each item, starting at 1, in the truth''s column rank' as message
                from given_truth as t
                where
                    (t.rank is null or t.rank < 1)
                    and (truth_window in ('k', 'rank') or ideal = 'truth_as_given')
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
        ) as p
        having count(*) > 0
    )

    select
        o.user_id,
        o.item_id,
        o.rank,
        o.relevance,
        o.gain,
        case discount
            when 'log2p1' then (1e0 / nullif(log2(o.rank + 1), 0))
            when 'jk2002' then (1e0 / greatest(1e0, log2(o.rank)))
            when 'ln1p' then (1e0 / nullif(ln(o.rank + 1), 0))
            when 'geometric' then power(cast(discount_p as double), o.rank - 1)
            when 'none' then 1e0
        end as discount,
        sum(o.gain * case discount
            when 'log2p1' then (1e0 / nullif(log2(o.rank + 1), 0))
            when 'jk2002' then (1e0 / greatest(1e0, log2(o.rank)))
            when 'ln1p' then (1e0 / nullif(ln(o.rank + 1), 0))
            when 'geometric' then power(cast(discount_p as double), o.rank - 1)
            when 'none' then 1e0
        end) over (partition by o.user_id order by o.rank asc) as idcg
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
    where (select count(error(p.message)) from problems as p) = 0;

comment on macro table recsql.ideal_under is 'the best possible list of each user, up to rank k, with its running dcg, every option known';

-- the best possible list of each user, up to rank k, with its running dcg
create or replace macro recsql.ideal(
    truth, k := 10, discount := 'log2p1', discount_p := 0.8e0, gain := 'linear', gain_map := null,
    relevant := 'positive', relevance_threshold := null, ideal := 'truth', truth_window := 'all',
    judged_only := 'false', rank_by := null, duplicates := 'error'
) as table (
    from recsql.ideal_under(
        truth, k := k, discount := coalesce(discount, 'log2p1'), discount_p := coalesce(discount_p, 0.8e0),
        gain := coalesce(gain, 'linear'), gain_map := gain_map, relevant := coalesce(relevant, 'positive'),
        relevance_threshold := relevance_threshold, ideal := coalesce(ideal, 'truth'),
        truth_window := coalesce(truth_window, 'all'), judged_only := coalesce(judged_only, 'false'), rank_by := rank_by,
        duplicates := coalesce(duplicates, 'error')
    )
), (
    truth, "like" varchar, k := 10, discount := null, discount_p := 0.8e0, gain := null, gain_map := null,
    relevant := null, relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false',
    rank_by := null, duplicates := null
) as table (
    from recsql.ideal_under(
        truth, k := k, discount := coalesce(discount, recsql.usual_discount("like", null)),
        discount_p := coalesce(discount_p, 0.8e0), gain := coalesce(gain, recsql.usual_gain("like", null)),
        gain_map := gain_map, relevant := coalesce(relevant, recsql.usual_relevant("like", null)),
        relevance_threshold := coalesce(relevance_threshold, recsql.usual_relevance_threshold("like", null)),
        ideal := coalesce(ideal, recsql.usual_ideal("like", null)),
        truth_window := coalesce(truth_window, recsql.usual_truth_window("like", null)),
        judged_only := coalesce(judged_only, 'false'), rank_by := rank_by,
        duplicates := coalesce(duplicates, recsql.usual_duplicates("like", null)), like := "like"
    )
);

comment on macro table recsql.ideal is 'the best possible list of each user, up to rank k, with its running dcg';

-- every interaction, labelled as train or truth, every option known
create or replace macro recsql.leave_one_out_under(
    interactions, order_by := 'timestamp', seed := 0, single := 'train', judged_only := 'false', rank_by := null,
    duplicates := 'error'
) as table
    with
    -- one row per interaction, with all columns
    given_interactions as not materialized (
        from query_table(recsql.relation(interactions))
    ),

    -- one row if the input can't be measured: the message of the check with the lowest place
    problems as (
        select min_by(p.message, p.place) as message
        from (
            select 2 as place, p.message
            from (
                select
                    'order_by = hash: '
                    || coalesce(cast(case when regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') then 'user_id' else 'item_id' end as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(case when regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') then typeof(t.user_id) else typeof(t.item_id) end as varchar), 'NULL')
                    || ', which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same rows' as message
                from given_interactions as t
                where
                    (regexp_matches(typeof(t.user_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$') or regexp_matches(typeof(t.item_id), '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$'))
                    and (order_by = 'hash')
                order by t.user_id asc, t.item_id asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    interactions
                    || ': '
                    || coalesce(cast(case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id' else order_by end as varchar), 'NULL')
                    || ' is '
                    || coalesce(cast(case when i.user_id is not null and i.item_id is not null then cast(i.place as varchar) end as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(i.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(i.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; leave such rows out or fill in a value' as message
                from (
                    select
                        t.user_id as user_id,
                        t.item_id as item_id,
                        columns(lambda c: lower(c) = lower(case when order_by = 'hash' then 'user_id' else order_by end)) as place
                    from given_interactions as t
                ) as i
                where
                    i.user_id is null
                    or i.item_id is null
                    or i.place is null
                    or (typeof(i.place) in ('DOUBLE', 'FLOAT') and lower(cast(i.place as varchar)) = 'nan')
                order by i.user_id asc, i.item_id asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': '
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || ' is not '
                    || coalesce(cast(case when o.is_number then o.bound when o.whole then 'a whole number' else 'a number' end as varchar), 'NULL') as message
                from (
                    select n.name, n.value, n.whole, n.bound, n.holds, coalesce(isfinite(n.number) and (not n.whole or n.number % 1 = 0), false) as is_number
                    from (
                        select 'seed' as name, cast(seed as varchar) as value, try_cast(seed as double) as number, true as whole, '' as bound, true as holds
                    ) as n
                    where n.value is not null
                ) as o
                where not (o.is_number and o.holds)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': unknown value '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(o.choices, lambda n: jaro_winkler_similarity(lower(n), lower(o.value)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(o.value)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'choose one of '
                    || coalesce(cast(array_to_string(o.choices, ', ') as varchar), 'NULL') as message
                from (
                    select 'single' as name, single as value, ['train', 'truth'] as choices
                ) as o
                where not list_contains(o.choices, o.value)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    interactions
                    || ': the column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || ' already exists; rename it, or leave it out' as message
                from (
                    select unnest(json_keys(to_json(g))) as name
                    from (select * from given_interactions limit 1) as g
                ) as c
                where lower(c.name) = 'part'
                limit 1
            ) as p
        ) as p
        having count(*) > 0
    )

    select t.*, case
        when
            row_number() over (
                partition by t.user_id
                order by case when order_by = 'hash' then md5(cast(t.user_id as varchar) || ':' || cast(t.item_id as varchar) || ':' || cast(seed as varchar)) else null end desc, columns(lambda c: lower(c) = lower(case when order_by = 'hash' then 'user_id' else order_by end)) desc, t.item_id desc
            ) = 1
            and case single
                when 'train' then count(*) over (partition by t.user_id) > 1
                when 'truth' then true
            end
            then 'truth'
        else 'train'
    end as part
    from given_interactions as t
    where (select count(error(p.message)) from problems as p) = 0;

comment on macro table recsql.leave_one_out_under is 'every interaction, labelled as train or truth, every option known';

-- every interaction, labelled as train or truth
create or replace macro recsql.leave_one_out(
    interactions, order_by := 'timestamp', seed := 0, single := 'train', judged_only := 'false', rank_by := null,
    duplicates := 'error'
) as table
    from recsql.leave_one_out_under(
        interactions, order_by := coalesce(order_by, 'timestamp'), seed := coalesce(seed, 0),
        single := coalesce(single, 'train'), judged_only := coalesce(judged_only, 'false'), rank_by := rank_by,
        duplicates := coalesce(duplicates, 'error')
    );

comment on macro table recsql.leave_one_out is 'every interaction, labelled as train or truth';

-- scored items ranked, the top k of each list; ties by item id, every option known
create or replace macro recsql.rank_by_score_under(
    scored, k := 100, judged_only := 'false', duplicates := 'error', ties := 'item_asc'
) as table
    with
    -- one row per row of recs, with recsql's column names
    given_recs as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
            r.score,
            case when typeof(r.rank) = '"NULL"' then 'score' else 'rank' end as rank_by
        from (
            from query_table(recsql.relation(scored))
            union all by name
            select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
            where false
        ) as r
    ),

    -- one row per scored item, ranked by its score
    scored as not materialized (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            null as last,
            row_number() over (
                partition by r.model, r.user_id
                order by r.score desc, case when ties = 'item_desc' then r.item_id else null end desc, case when ties = 'input' then r.rank else null end asc, r.item_id asc
            ) as rank
        from given_recs as r
        where not (ties in ('expected', 'best', 'worst'))
        union all
        select
            r.model,
            r.user_id,
            r.item_id,
            r.score,
            count(*) over (partition by r.model, r.user_id order by r.score desc) as last,
            rank() over (partition by r.model, r.user_id order by r.score desc) as rank
        from (
            select r.model, r.user_id, r.item_id, r.score
            from given_recs as r
            where ties in ('expected', 'best', 'worst') and not (duplicates in ('first', 'last'))
            union all
            select r.model, r.user_id, r.item_id, case duplicates
                when 'last' then min(r.score)
                else max(r.score)
            end as score
            from given_recs as r
            where ties in ('expected', 'best', 'worst') and duplicates in ('first', 'last')
            group by r.model, r.user_id, r.item_id
        ) as r
    ),

    -- one row per cut-off
    cutoffs as (
        select recsql.cutoff(cast(k as varchar)) as k
    ),

    -- one row if the input can't be measured: the message of the check with the lowest place
    problems as (
        select min_by(p.message, p.place) as message
        from (
            select 4 as place, p.message
            from (
                select
                    scored
                    || ': rank is '
                    || coalesce(cast(r.rank as varchar), 'NULL')
                    || ' for user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || '; ties = ''input'' needs the input order in the column rank' as message
                from given_recs as r
                where
                    r.rank is null
                    and (ties = 'input')
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    'ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = ''item_asc'', ''item_desc'', ''input'' or ''error''' as message
                where ties in ('expected', 'best', 'worst')
            ) as p
            union all
            select 1 as place, p.message
            from (
                select
                    coalesce(cast(o.name as varchar), 'NULL')
                    || ': unknown value '''
                    || coalesce(cast(o.value as varchar), 'NULL')
                    || '''; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(o.choices, lambda n: jaro_winkler_similarity(lower(n), lower(o.value)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(o.value)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'choose one of '
                    || coalesce(cast(array_to_string(o.choices, ', ') as varchar), 'NULL') as message
                from (
                    select 'judged_only' as name, judged_only as value, ['false', 'true'] as choices
                    union all
                    select 'duplicates' as name, duplicates as value, ['error', 'first', 'hole', 'count', 'set', 'last'] as choices
                    union all
                    select 'ties' as name, ties as value, ['item_asc', 'item_desc', 'input', 'expected', 'best', 'worst', 'error'] as choices
                ) as o
                where not list_contains(o.choices, o.value)
                order by o.name asc
                limit 1
            ) as p
            union all
            select 2 as place, p.message
            from (
                select
                    scored
                    || ': there is no column '
                    || coalesce(cast(c.name as varchar), 'NULL')
                    || '; '
                    || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(list_filter(c.columns, lambda e: e not in ('user_id', 'item_id', 'rank', 'score')), lambda n: jaro_winkler_similarity(lower(n), lower(c.name)) > 7e-1), lambda n: {'likeness': jaro_winkler_similarity(lower(n), lower(c.name)), 'name': n}))['name'] || '? ', '') as varchar), 'NULL')
                    || 'it has '
                    || coalesce(cast(array_to_string(c.columns, ', ') as varchar), 'NULL')
                    || '; rename it in a view' as message
                from (
                    select unnest(['user_id', 'item_id', 'rank']) as name, unnest(r.types) as type, g.columns
                    from (select [typeof(r.user_id), typeof(r.item_id), coalesce(nullif(typeof(r.rank), '"NULL"'), typeof(r.score))] as types from given_recs as r limit 1) as r
                    cross join (select json_keys(to_json(g)) as columns from query_table(recsql.relation(scored)) as g limit 1) as g
                ) as c
                where c.type = '"NULL"'
                order by c.name asc
                limit 1
            ) as p
            union all
            select 3 as place, p.message
            from (
                select
                    scored
                    || ': '
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
            ) as p
            union all
            select 4 as place, p.message
            from (
                select
                    scored
                    || ': score is '
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
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    scored
                    || ': item '
                    || coalesce(regexp_replace(cast(r.item_id as varchar), '^$', ''''''), 'NULL')
                    || ' appears more than once in the list of user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ', which ties = '''
                    || coalesce(cast(ties as varchar), 'NULL')
                    || ''' with duplicates = '''
                    || coalesce(cast(duplicates as varchar), 'NULL')
                    || ''' does not support; list it once, or use duplicates = ''first''' as message
                from scored as r
                where ties in ('expected', 'best', 'worst') and duplicates in ('hole', 'count', 'set')
                group by r.model, r.user_id, r.item_id
                having count(*) > case duplicates
                    when 'set' then 1
                    else count(distinct r.score)
                end
                order by r.user_id asc, r.item_id asc
                limit 1
            ) as p
            union all
            select 5 as place, p.message
            from (
                select
                    scored
                    || ': user '
                    || coalesce(regexp_replace(cast(r.user_id as varchar), '^$', ''''''), 'NULL')
                    || ' has items '
                    || coalesce(regexp_replace(cast(min(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' and '
                    || coalesce(regexp_replace(cast(max(r.item_id) as varchar), '^$', ''''''), 'NULL')
                    || ' with the same score '
                    || coalesce(cast(r.score as varchar), 'NULL')
                    || '; use ties = ''item_asc'' or ''item_desc'', or rank the list yourself' as message
                from scored as r
                where
                    r.rank <= recsql.cutoff(cast(k as varchar)) + 1
                    and (ties = 'error')
                group by r.model, r.user_id, r.score
                having count(*) > 1
                order by r.user_id asc
                limit 1
            ) as p
        ) as p
        having count(*) > 0
    )

    select s.model, s.user_id, s.item_id, s.rank, s.score
    from scored as s
    inner join cutoffs as c on c.k >= s.rank
    where (select count(error(p.message)) from problems as p) = 0;

comment on macro table recsql.rank_by_score_under is 'scored items ranked, the top k of each list; ties by item id, every option known';

-- scored items ranked, the top k of each list; ties by item id
create or replace macro recsql.rank_by_score(
    scored, k := 100, judged_only := 'false', duplicates := 'error', ties := 'item_asc'
) as table
    from recsql.rank_by_score_under(
        scored, k := k, judged_only := coalesce(judged_only, 'false'), duplicates := coalesce(duplicates, 'error'),
        ties := coalesce(ties, 'item_asc')
    );

comment on macro table recsql.rank_by_score is 'scored items ranked, the top k of each list; ties by item id';

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
    recommended, relevant, k := null, relevance := null, catalog_size := null, gain := null, gain_map := null,
    relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
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
    recommended, relevant, k := null, relevance := null, catalog_size := null, gain := null, gain_map := null,
    relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as
    recsql.tn(
        recommended, relevant, k, relevance, catalog_size, gain, gain_map, relevance_threshold, ideal, truth_window,
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
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance, options
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'returned': 1, 'k': 1, 'o': options}]
);

comment on macro recsql.hits_of_lists is 'a stub, replaced further down';

-- a stub, replaced further down
create or replace macro recsql.gains_of_lists(
    recommended, relevant, k
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'returned': 1, 'k': 1}]
), (
    recommended, relevant, k, relevance, options
) as (
    [{'found': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'entries': [{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}], 'weights': [1e0], 'returned': 1, 'k': 1, 'o': options}]
);

comment on macro recsql.gains_of_lists is 'a stub, replaced further down';

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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ap_denominator': coalesce(ap_denominator, map {'cornac': 'relevant', 'evidently': 'relevant', 'hivemall': 'hits', 'ir_measures': 'relevant', 'lenskit': 'achievable_returned', 'pyspark_udf': 'hits', 'ranx': 'relevant', 'rectools': 'relevant', 'torchmetrics': 'hits', 'trec_eval': 'relevant'}[lower("like")], 'achievable'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'rank'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'count', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'k': __recsql_l.k,
            'precision_sum': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h, __recsql_n: try_cast(1e18 * (__recsql_n / cast(__recsql_h.rank as double)) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.precision_sum / nullif(case __recsql_s.o.ap_denominator
            when 'achievable' then least(__recsql_s.k, __recsql_s.relevant)
            when 'relevant' then __recsql_s.relevant
            when 'achievable_returned' then least(__recsql_s.relevant, __recsql_s.returned)
            when 'hits' then __recsql_s.hits
            when 'k' then __recsql_s.k
        end, 0), 0e0) end)[1]
);

comment on macro recsql.ap is 'average precision: sum of precision at the rank of each hit / min(R, k)';

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
        'deep': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth') = 'candidates',
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
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
        'deep': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth') = 'candidates',
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'dcg': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: try_cast(1e18 * (__recsql_h.gain * __recsql_l.weights[__recsql_h.rank]) as hugeint))) / 1e18, 0e0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then __recsql_s.dcg end)[1]
);

comment on macro recsql.dcg is 'discounted cumulative gain: sum of gain x discount, discount = 1 / log2(rank + 1)';

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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'beta': coalesce(try_cast(beta as double), 1),
        'precision_denominator': coalesce(precision_denominator, map {'evidently': 'returned', 'hivemall': 'returned', 'jurity': 'returned', 'lenskit': 'returned', 'pyspark_udf': 'returned', 'returned': 'returned'}[lower("like")], 'k'),
        'recall_denominator': coalesce(recall_denominator, map {'lenskit': 'achievable'}[lower("like")], 'relevant'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce((1 + power(cast(__recsql_s.o.beta as double), 2)) / (
            power(cast(__recsql_s.o.beta as double), 2) / nullif(coalesce(__recsql_s.hits / cast(case __recsql_s.o.recall_denominator
                when 'relevant' then nullif(__recsql_s.relevant, 0)
                when 'achievable' then nullif(least(__recsql_s.k, __recsql_s.relevant), 0)
            end as double), 0e0), 0e0)
            + 1 / nullif(coalesce(__recsql_s.hits / cast(case __recsql_s.o.precision_denominator
                when 'k' then __recsql_s.k
                when 'returned' then nullif(__recsql_s.returned, 0)
                when 'achievable' then nullif(least(__recsql_s.k, __recsql_s.relevant), 0)
            end as double), 0e0), 0e0)
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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'distinct_hits': coalesce(case __recsql_l.o.duplicates
                when 'count' then list_unique(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: __recsql_h.place))
                else len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k))
            end, 0),
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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
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
        'deep': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth') = 'candidates',
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'idcg': coalesce(case __recsql_l.o.ideal
                when 'constant' then list_sum(__recsql_l.weights[:__recsql_l.k])
                when 'truth_as_given' then list_sum(list_transform(list_filter(__recsql_l.entries, lambda __recsql_e: __recsql_e.place <= __recsql_l.k), lambda __recsql_e: __recsql_e.gain * __recsql_l.weights[__recsql_e.place]))
                else list_sum(list_transform((list_sort(list_transform(case __recsql_l.o.ideal
                when 'candidates' then __recsql_l.found
                else case when __recsql_l.o.truth_window = 'k' then list_filter(__recsql_l.entries, lambda __recsql_e: __recsql_e.place <= __recsql_l.k) else __recsql_l.entries end
            end, lambda __recsql_e: __recsql_e.gain), 'DESC'))[:case __recsql_l.o.ideal
                when 'truth_uncut' then len(__recsql_l.entries)
                when 'truth_returned' then least(__recsql_l.k, __recsql_l.returned)
                else __recsql_l.k
            end], lambda __recsql_y, __recsql_i: __recsql_y * __recsql_l.weights[__recsql_i]))
            end, 0e0),
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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
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
        'deep': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth') = 'candidates',
        'discount': coalesce(discount, map {'lenskit': 'jk2002'}[lower("like")], 'log2p1'),
        'discount_p': coalesce(try_cast(discount_p as double), 0.8e0),
        'gain': coalesce(gain, map {'cornac': 'binary', 'elliot': 'exp2_shifted', 'hivemall': 'binary', 'jurity': 'binary', 'lenskit': 'binary', 'recbole': 'binary', 'recommenders': 'binary', 'recpack': 'binary', 'rectools': 'binary', 'replay': 'binary', 'spark': 'binary'}[lower("like")], 'linear'),
        'gain_map': cast(gain_map as map(double, double)),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'ideal': coalesce(ideal, map {'evidently': 'candidates', 'hivemall': 'truth_returned', 'jurity': 'truth_uncut', 'rectools': 'constant', 'sklearn': 'candidates', 'torchmetrics': 'candidates'}[lower("like")], 'truth'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'count', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'dcg': coalesce(list_sum(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: try_cast(1e18 * (__recsql_h.gain * __recsql_l.weights[__recsql_h.rank]) as hugeint))) / 1e18, 0e0),
            'idcg': coalesce(case __recsql_l.o.ideal
                when 'constant' then list_sum(__recsql_l.weights[:__recsql_l.k])
                when 'truth_as_given' then list_sum(list_transform(list_filter(__recsql_l.entries, lambda __recsql_e: __recsql_e.place <= __recsql_l.k), lambda __recsql_e: __recsql_e.gain * __recsql_l.weights[__recsql_e.place]))
                else list_sum(list_transform((list_sort(list_transform(case __recsql_l.o.ideal
                when 'candidates' then __recsql_l.found
                else case when __recsql_l.o.truth_window = 'k' then list_filter(__recsql_l.entries, lambda __recsql_e: __recsql_e.place <= __recsql_l.k) else __recsql_l.entries end
            end, lambda __recsql_e: __recsql_e.gain), 'DESC'))[:case __recsql_l.o.ideal
                when 'truth_uncut' then len(__recsql_l.entries)
                when 'truth_returned' then least(__recsql_l.k, __recsql_l.returned)
                else __recsql_l.k
            end], lambda __recsql_y, __recsql_i: __recsql_y * __recsql_l.weights[__recsql_i]))
            end, 0e0),
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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'precision_denominator': coalesce(precision_denominator, map {'evidently': 'returned', 'hivemall': 'returned', 'jurity': 'returned', 'lenskit': 'returned', 'pyspark_udf': 'returned', 'returned': 'returned'}[lower("like")], 'k'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries),
            'returned': __recsql_l.returned,
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.hits / cast(case __recsql_s.o.precision_denominator
            when 'k' then __recsql_s.k
            when 'returned' then nullif(__recsql_s.returned, 0)
            when 'achievable' then nullif(least(__recsql_s.k, __recsql_s.relevant), 0)
        end as double), 0e0) end)[1]
);

comment on macro recsql.precision is 'precision: hits / k';

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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'recall_denominator': coalesce(recall_denominator, map {'lenskit': 'achievable'}[lower("like")], 'relevant'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'k': __recsql_l.k,
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(__recsql_s.hits / cast(case __recsql_s.o.recall_denominator
            when 'relevant' then nullif(__recsql_s.relevant, 0)
            when 'achievable' then nullif(least(__recsql_s.k, __recsql_s.relevant), 0)
        end as double), 0e0) end)[1]
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
        'deep': coalesce(rr_cutoff, map {'cornac': 'none', 'trec_eval': 'none'}[lower("like")], 'k') = 'none',
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'rr_cutoff': coalesce(rr_cutoff, map {'cornac': 'none', 'trec_eval': 'none'}[lower("like")], 'k'),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'reciprocal_rank': 1e0 / (list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k))[1].rank,
            'reciprocal_rank_anywhere': 1e0 / (__recsql_l.found)[1].rank,
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then coalesce(case __recsql_s.o.rr_cutoff
            when 'k' then __recsql_s.reciprocal_rank
            when 'none' then __recsql_s.reciprocal_rank_anywhere
        end, 0e0) end)[1]
);

comment on macro recsql.rr is 'reciprocal rank: 1 / rank of the first hit; 0 without a hit';

-- true negatives: catalog_size - tp - fp - fn
create or replace macro recsql.tn(
    recommended, relevant, k := null, relevance := null, catalog_size := null, gain := null, gain_map := null,
    relevance_threshold := null, ideal := null, truth_window := null, judged_only := 'false', duplicates := null,
    like := null
) as
    recsql.hits_of_lists(recommended, relevant, k, relevance, {
        'fault': coalesce(recsql.fault(
            [['gain', cast(gain as varchar)], ['ideal', cast(ideal as varchar)], ['truth_window', cast(truth_window as varchar)], ['judged_only', cast(judged_only as varchar)], ['duplicates', cast(duplicates as varchar)], ['like', lower("like")]],
            [['catalog_size', cast(catalog_size as varchar)], ['relevance_threshold', cast(relevance_threshold as varchar)]]
        ), case
            when gain_map is distinct from null and gain is distinct from 'map'
                then 'gain_map: it applies only if gain = ''map''; set that as well, or leave gain_map out'
        end),
        'deep': false,
        'catalog_size': try_cast(catalog_size as bigint),
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'distinct_hits': coalesce(case __recsql_l.o.duplicates
                when 'count' then list_unique(list_transform(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k), lambda __recsql_h: __recsql_h.place))
                else len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k))
            end, 0),
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
        'deep': false,
        'relevant': coalesce(map {'hivemall': 'present', 'lenskit': 'present', 'pyspark_udf': 'present', 'recbole': 'present', 'recommenders': 'present', 'rectools': 'present', 'replay': 'present', 'spark': 'present'}[lower("like")], 'positive'),
        'relevance_threshold': coalesce(try_cast(relevance_threshold as double), map {'cornac': 1, 'elliot': 0}[lower("like")]),
        'truth_window': coalesce(truth_window, map {'pyspark_udf': 'k'}[lower("like")], 'all'),
        'judged_only': coalesce(cast(judged_only as varchar), 'false'),
        'duplicates': coalesce(duplicates, map {'cornac': 'count', 'elliot': 'count', 'hivemall': 'count', 'ir_measures': 'last', 'jurity': 'count', 'lenskit': 'count', 'pyspark_udf': 'hole', 'ranx': 'last', 'recommenders': 'count', 'rectools': 'count', 'replay': 'set', 'spark': 'count'}[lower("like")], 'error')
    })
        .list_transform(lambda __recsql_l: {
            'hits': coalesce(len(list_filter(__recsql_l.found, lambda __recsql_h: __recsql_h.rank <= __recsql_l.k)), 0),
            'relevant': len(__recsql_l.entries),
            'o': __recsql_l.o
        })
        .list_transform(lambda __recsql_s: case when __recsql_s.relevant > 0 then cast(__recsql_s.hits as double) end)[1]
);

comment on macro recsql.tp is 'true positives: relevant items in the top k';

-- the values of the options of two lists
create or replace macro recsql.choices() as
    map {
        'discount': ['log2p1', 'jk2002', 'ln1p', 'geometric', 'none'],
        'gain': ['linear', 'binary', 'exp2', 'exp2_shifted', 'map'],
        'ap_denominator': ['achievable', 'relevant', 'achievable_returned', 'hits', 'k'],
        'precision_denominator': ['k', 'returned', 'achievable'],
        'recall_denominator': ['relevant', 'achievable'],
        'rr_cutoff': ['k', 'none'],
        'ideal': ['truth', 'constant', 'truth_uncut', 'truth_returned', 'candidates', 'truth_as_given'],
        'truth_window': ['all', 'k', 'rank'],
        'judged_only': ['false', 'true'],
        'duplicates': ['error', 'first', 'hole', 'count', 'set', 'last'],
        'like': ['cornac', 'elliot', 'evidently', 'hivemall', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval']
    };

comment on macro recsql.choices is 'the values of the options of two lists';

-- and what their numbers are
create or replace macro recsql.numbers() as
    map {
        'catalog_size': {'whole': true, 'above': cast(0 as double), 'at_most': cast(1000000000000 as double), 'bound': 'above 0 and at most 1000000000000'},
        'discount_p': {'whole': false, 'above': cast(0 as double), 'at_most': cast(1 as double), 'bound': 'above 0 and at most 1'},
        'relevance_threshold': {'whole': false, 'above': cast('-inf' as double), 'at_most': cast('inf' as double), 'bound': ''},
        'beta': {'whole': false, 'above': cast(0 as double), 'at_most': cast(1000000 as double), 'bound': 'above 0 and at most 1000000'}
    };

comment on macro recsql.numbers is 'and what their numbers are';

-- the sentence for the first of some options that can't have its value, else NULL
create or replace macro recsql.fault(
    options, numbers
) as
    coalesce(
        list_transform(
            list_filter(options, lambda __recsql_o: not list_contains(recsql.choices()[__recsql_o[1]], __recsql_o[2])),
            lambda __recsql_o:
                coalesce(cast(__recsql_o[1] as varchar), 'NULL') || ': unknown value ''' || coalesce(cast(__recsql_o[2] as varchar), 'NULL') || '''; ' || coalesce(cast(coalesce('did you mean ' || list_max(list_transform(list_filter(recsql.choices()[__recsql_o[1]], lambda __recsql_n: jaro_winkler_similarity(lower(__recsql_n), lower(__recsql_o[2])) > 7e-1), lambda __recsql_n: {'likeness': jaro_winkler_similarity(lower(__recsql_n), lower(__recsql_o[2])), 'name': __recsql_n}))['name'] || '? ', '') as varchar), 'NULL') || 'choose one of ' || coalesce(cast(array_to_string(recsql.choices()[__recsql_o[1]], ', ') as varchar), 'NULL')
        )[1],
        list_transform(
            list_filter(
                numbers,
                lambda __recsql_o: __recsql_o[2] is not null and not coalesce(
                    isfinite(try_cast(__recsql_o[2] as double))
                    and (not recsql.numbers()[__recsql_o[1]].whole or try_cast(__recsql_o[2] as double) % 1 = 0)
                    and try_cast(__recsql_o[2] as double) > recsql.numbers()[__recsql_o[1]].above
                    and try_cast(__recsql_o[2] as double) <= recsql.numbers()[__recsql_o[1]].at_most,
                    false
                )
            ),
            lambda __recsql_o:
                coalesce(cast(__recsql_o[1] as varchar), 'NULL') || ': ' || coalesce(cast(__recsql_o[2] as varchar), 'NULL') || ' is not ' || coalesce(cast(case when not coalesce(isfinite(try_cast(__recsql_o[2] as double)), false) then 'a number' when recsql.numbers()[__recsql_o[1]].whole and try_cast(__recsql_o[2] as double) % 1 <> 0 then 'a whole number' else recsql.numbers()[__recsql_o[1]].bound end as varchar), 'NULL')
        )[1]
    );

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
            list_transform(__recsql_l.truth, lambda __recsql_x, __recsql_j: case when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j} end),
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
        'truth': case when __recsql_l.relevance is null then __recsql_l.judged else list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 then __recsql_x end) end
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(__recsql_l.truth, lambda __recsql_x, __recsql_j: case when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j} end),
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
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end,
        'o': options
    }]
    .list_transform(lambda __recsql_l: {
        'options_checked': case when __recsql_l.o.fault is not null then error(__recsql_l.o.fault) end,
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged, __recsql_l.relevance),
        'closed': case when __recsql_l.o.judged_only = 'true' or __recsql_l.o.duplicates in ('first', 'last') then list_filter(__recsql_l.recommended, lambda __recsql_x, __recsql_i: case when __recsql_l.o.judged_only = 'true' then list_contains(__recsql_l.judged, __recsql_x) else true end and case __recsql_l.o.duplicates
            when 'first' then list_position(__recsql_l.recommended, __recsql_x) = __recsql_i
            when 'last' then not list_contains(__recsql_l.recommended[__recsql_i + 1:], __recsql_x)
            else true
        end) else __recsql_l.recommended end,
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'truth': case when __recsql_l.relevance is null and not (__recsql_l.o.relevance_threshold is not null) then __recsql_l.judged else list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when case __recsql_l.o.relevant
            when 'positive' then case when __recsql_l.o.relevance_threshold is not null then coalesce(__recsql_l.relevance[__recsql_j], 1e0) >= __recsql_l.o.relevance_threshold else coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 end
            when 'present' then true
        end then __recsql_x end) end,
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
            list_transform(__recsql_l.truth, lambda __recsql_x, __recsql_j: case when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j} end),
            lambda __recsql_e: __recsql_e is not null
        ),
        'length': len(__recsql_l.items),
        'returned': coalesce(case __recsql_l.o.duplicates
            when 'set' then list_unique(__recsql_l.items[:__recsql_l.k])
            else least(len(__recsql_l.items), __recsql_l.k)
        end, 0),
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
                    when __recsql_h.rank is null or not case __recsql_l.o.truth_window
                        when 'all' then true
                        when 'k' then __recsql_h.place <= __recsql_l.k
                        when 'rank' then __recsql_h.place <= __recsql_h.rank
                    end then false
                    when __recsql_l.o.duplicates = 'error' and __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1
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
            list_transform(__recsql_l.truth, lambda __recsql_x, __recsql_j: case when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j} end),
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
        'truth': case when __recsql_l.relevance is null then __recsql_l.judged else list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 then __recsql_x end) end,
        'relevance': __recsql_l.relevance
    })
    .list_transform(lambda __recsql_l: {
        'length': len(__recsql_l.items),
        'returned': coalesce(least(len(__recsql_l.items), __recsql_l.k), 0),
        'stated_once': list_unique(__recsql_l.truth) = list_count(__recsql_l.truth),
        'weights': list_transform(range(1, greatest(len(__recsql_l.items), least(len(__recsql_l.truth), __recsql_l.k)) + 1), lambda __recsql_r: (1e0 / nullif(log2(__recsql_r + 1), 0))),
        'items': __recsql_l.items,
        'k': __recsql_l.k,
        'relevance': __recsql_l.relevance,
        'reversed': __recsql_l.reversed,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                list_transform(__recsql_l.truth, lambda __recsql_x, __recsql_j: case when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j, 'relevance': coalesce(case when __recsql_l.stated_once then __recsql_l.relevance[__recsql_j] else list_max(list_filter(__recsql_l.relevance, lambda __recsql_y, __recsql_i: __recsql_l.truth[__recsql_i] = __recsql_x)) end, 1e0)} end),
                lambda __recsql_e: {'rank': __recsql_e.rank, 'back': __recsql_e.back, 'place': __recsql_e.place, 'gain': case when __recsql_e.place is not null then __recsql_e.relevance end}
            ),
            lambda __recsql_e: case
                when __recsql_e.gain = 0 or (abs(__recsql_e.gain) >= 1e-6 and abs(__recsql_e.gain) < 1e9) then true
                when __recsql_e.place is null then false
                else error(
                    'relevant: item '
                    || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_e.place] as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(__recsql_e.gain as varchar), 'NULL')
                    || '; scale the relevance so that gains lie between 1e-6 and 1e9'
                )
            end
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
        'cutoff': case when lower(cast(k as varchar)) <> 'all' then recsql.cutoff(cast(k as varchar)) end,
        'o': options
    }]
    .list_transform(lambda __recsql_l: {
        'options_checked': case when __recsql_l.o.fault is not null then error(__recsql_l.o.fault) end,
        'lists_checked': recsql.check_lists(__recsql_l.recommended, __recsql_l.judged, __recsql_l.relevance),
        'closed': case when __recsql_l.o.judged_only = 'true' or __recsql_l.o.duplicates in ('first', 'last') then list_filter(__recsql_l.recommended, lambda __recsql_x, __recsql_i: case when __recsql_l.o.judged_only = 'true' then list_contains(__recsql_l.judged, __recsql_x) else true end and case __recsql_l.o.duplicates
            when 'first' then list_position(__recsql_l.recommended, __recsql_x) = __recsql_i
            when 'last' then not list_contains(__recsql_l.recommended[__recsql_i + 1:], __recsql_x)
            else true
        end) else __recsql_l.recommended end,
        'k': coalesce(__recsql_l.cutoff, greatest(len(__recsql_l.recommended), 1)),
        'truth': case when __recsql_l.relevance is null and not (__recsql_l.o.relevance_threshold is not null) then __recsql_l.judged else list_transform(__recsql_l.judged, lambda __recsql_x, __recsql_j: case when case __recsql_l.o.relevant
            when 'positive' then case when __recsql_l.o.relevance_threshold is not null then coalesce(__recsql_l.relevance[__recsql_j], 1e0) >= __recsql_l.o.relevance_threshold else coalesce(__recsql_l.relevance[__recsql_j], 1e0) > 0 end
            when 'present' then true
        end then __recsql_x end) end,
        'cutoff': __recsql_l.cutoff,
        'o': __recsql_l.o,
        'relevance': __recsql_l.relevance
    })
    .list_transform(lambda __recsql_l: {
        'items': __recsql_l.closed[:case when __recsql_l.o.deep then len(__recsql_l.closed) else coalesce(__recsql_l.cutoff, len(__recsql_l.closed)) end],
        'reversed': list_reverse(__recsql_l.closed[:case when __recsql_l.o.deep then len(__recsql_l.closed) else coalesce(__recsql_l.cutoff, len(__recsql_l.closed)) end]),
        'stated_once': list_unique(__recsql_l.truth) = list_count(__recsql_l.truth),
        'k': __recsql_l.k,
        'o': __recsql_l.o,
        'relevance': __recsql_l.relevance,
        'truth': __recsql_l.truth
    })
    .list_transform(lambda __recsql_l: {
        'entries': list_filter(
            list_transform(
                list_transform(__recsql_l.truth, lambda __recsql_x, __recsql_j: case when __recsql_x is not null and list_position(__recsql_l.truth, __recsql_x) = __recsql_j then {'rank': list_position(__recsql_l.items, __recsql_x), 'back': list_position(__recsql_l.reversed, __recsql_x), 'place': __recsql_j, 'relevance': coalesce(case when __recsql_l.stated_once then __recsql_l.relevance[__recsql_j] else list_max(list_filter(__recsql_l.relevance, lambda __recsql_y, __recsql_i: __recsql_l.truth[__recsql_i] = __recsql_x)) end, 1e0)} end),
                lambda __recsql_e: {'rank': __recsql_e.rank, 'back': __recsql_e.back, 'place': __recsql_e.place, 'gain': case when __recsql_e.place is not null then case __recsql_l.o.gain
                    when 'binary' then 1e0
                    when 'exp2' then (power(2e0, __recsql_e.relevance) - 1)
                    when 'exp2_shifted' then (power(2e0, __recsql_e.relevance - coalesce(__recsql_l.o.relevance_threshold, 0) + 1) - 1)
                    when 'map' then coalesce(cast(__recsql_l.o.gain_map as map(double, double))[__recsql_e.relevance], error(
                        'gain_map: no gain for relevance '
                        || coalesce(cast(__recsql_e.relevance as varchar), 'NULL')
                        || ' of item '
                        || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_e.place] as varchar), '^$', ''''''), 'NULL')
                        || '; add one'
                    ))
                    else __recsql_e.relevance
                end end}
            ),
            lambda __recsql_e: case
                when __recsql_e.gain = 0 or (abs(__recsql_e.gain) >= 1e-6 and abs(__recsql_e.gain) < 1e9) then true
                when __recsql_e.place is null then false
                else error(
                    'relevant: item '
                    || coalesce(regexp_replace(cast(__recsql_l.truth[__recsql_e.place] as varchar), '^$', ''''''), 'NULL')
                    || ' has gain '
                    || coalesce(cast(__recsql_e.gain as varchar), 'NULL')
                    || '; scale the relevance so that gains lie between 1e-6 and 1e9'
                )
            end
        ),
        'length': len(__recsql_l.items),
        'returned': coalesce(case __recsql_l.o.duplicates
            when 'set' then list_unique(__recsql_l.items[:__recsql_l.k])
            else least(len(__recsql_l.items), __recsql_l.k)
        end, 0),
        'weights': list_transform(range(1, greatest(len(__recsql_l.items), case __recsql_l.o.ideal
            when 'constant' then __recsql_l.k
            when 'truth_uncut' then len(__recsql_l.truth)
            else least(len(__recsql_l.truth), __recsql_l.k)
        end) + 1), lambda __recsql_r: case __recsql_l.o.discount
            when 'log2p1' then (1e0 / nullif(log2(__recsql_r + 1), 0))
            when 'jk2002' then (1e0 / greatest(1e0, log2(__recsql_r)))
            when 'ln1p' then (1e0 / nullif(ln(__recsql_r + 1), 0))
            when 'geometric' then power(cast(__recsql_l.o.discount_p as double), __recsql_r - 1)
            when 'none' then 1e0
        end),
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
                    when __recsql_h.rank is null or not case __recsql_l.o.truth_window
                        when 'all' then true
                        when 'k' then __recsql_h.place <= __recsql_l.k
                        when 'rank' then __recsql_h.place <= __recsql_h.rank
                    end then false
                    when __recsql_l.o.duplicates = 'error' and __recsql_h.rank + __recsql_h.back <> __recsql_l.length + 1
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

commit;
