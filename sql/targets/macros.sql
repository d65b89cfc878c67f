{# The macro file. `macros` are the rendered macros; the helpers come first. #}
-- recsql {{ version }}: recommender and ranking metrics in SQL, for DuckDB 1.4 or newer.
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
    case when len(cutoffs) <= {{ most_cutoffs }} then cutoffs else error({{ count_sentence }}) end;

-- the largest numeric cut-off in k
create or replace macro recsql.deepest(k) as
    cast(coalesce(list_max(try_cast(recsql.cutoffs(k) as double[])), 0) as bigint);

-- the largest cut-off in k; 'all', the whole list, is a number larger than any rank
create or replace macro recsql.depth(k) as
    case when list_contains(recsql.cutoffs(lower(cast(k as varchar))), 'all') then {{ whole }} else recsql.deepest(k) end;

-- one cut-off as a number, or an error
create or replace macro recsql.cutoff(k) as
    case
        when lower(k) = 'all' then {{ whole }}
        when try_cast(k as double) between 1 and {{ most }} and try_cast(k as double) = floor(try_cast(k as double))
            then cast(try_cast(k as double) as integer)
        else error({{ cutoff_sentence }})
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
    case when wanted is null or list_has_all(names, wanted) then true else error({{ metric_sentence }}) end;

-- the metrics for which a preset has options of their own
create or replace macro recsql.apart(preset) as
    {{ apart | indent }};

-- the metric with a given alias
create or replace macro recsql.metric_of(alias) as
    {{ metric_of | indent }};

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

{{ macros | join("\n\n") }}

commit;
