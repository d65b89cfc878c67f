{#
The macro file: its head with the helpers, a macro, the words of the dialect, and the file with the macro check.
#}

-- name: macros
{# The macro file: what it has, the helpers, then the macros of each section. #}
-- recsql {{ version }}: metrics of recommenders and search rankings in SQL, for DuckDB 1.5 or newer.
--
--     .read recsql.sql
--     from recsql.evaluate('recs.parquet', 'truth.parquet', k := [5, 10]);
--
-- recs:  user_id, {{ ids }}, and rank (1 is the first) or score; optionally model
-- truth: user_id, {{ ids }}; optionally relevance
--
-- A table is given by its name: a table, a view, a CTE of the calling query, a file or a glob. The macros take values as parameters.
-- The convention is chosen when the file is rendered: {{ whole.command }}.
-- This lists the macros, each with its parameters and an example; {{ "the macro check is among them" if database else "the macro check is in check.sql, to be read after this file" }}:
--
--     select function_name, comment from duckdb_functions() where {{ "database_name" if database else "schema_name" }} = '{{ whole.schema }}'{{ " and schema_name = 'main'" if database }};
--
-- The macros that these call are in the schema {{ steps }}.
--
-- To see how a metric is computed, look at per_user_of: nDCG is its line `as ndcg`, and the steps before it have its dcg and idcg.
-- Every CTE of a macro is a step, named after its rows. A step that several macros have is a macro of its own, whose name ends in _of.
--
{% if textbook %}
-- Most steps are for speed, and for input that isn't clean. On clean input, where each list has the ranks 1, 2, ... and no item is
-- repeated, the default metrics at k = 10 are these queries of the tables recs (user_id, item_id, rank) and truth (user_id, item_id,
-- relevance). Each begins with a user's value, worked out by hand.
{% for metric in textbook %}
--
--     {{ metric | indent | replace("\n", "\n-- ") | trim }}
{% endfor %}
--
{% endif %}
-- Contents:
--
-- Input
--     unnest_lists: one row per item of the LIST column items
--     read_trec_run: a run in TREC format as recommendations
--     read_trec_qrels: judgements in TREC format as truth
{% for section, macros in sections.items() %}
--
-- {{ section }}
{% for spec in whole.specs if spec.section == section %}
--     {{ spec.name }}: {{ spec.about }}
{% endfor %}
{% endfor %}

begin transaction;

{% if not database %}
set variable checked = (
    select case
        when current_database() in ('{{ whole.schema }}', '{{ steps }}')
            then error('this database has the name of the schema, ' || current_database() || ', and DuckDB can''t tell them apart; attach it under another name')
    end
);

create schema if not exists {{ whole.schema }};
create schema if not exists {{ steps }};
{% else %}
create schema steps;
{% endif %}


-- ======================================================= Helpers =======================================================

-- a table's name as query_table() takes it: a path in quotes, so that its dots do not separate schemas; of a folder, its Parquet files
create or replace macro recsql.relation(name) as
    case
        when name is null then '"NULL; give the name of a table or a file"'
        when name[1] = '"' then name
        when name[-1] = '/' or regexp_matches(name, '/[^/.*?[]+$') then '"' || replace(rtrim(name, '/'), '"', '""') || '/**/*.parquet"'
        when contains(name, '/') or contains(name, '*') or regexp_matches(lower(name), '[.](parquet|pq|csv|tsv|json|jsonl|ndjson)([.]gz)?$')
            then '"' || replace(name, '"', '""') || '"'
        else name
    end;

-- the words of a parameter that takes one of them or a list: cut-offs, metrics
create or replace macro recsql.names(given) as
    list_filter(string_split_regex(trim(coalesce(cast(given as varchar), 'none'), '[]'' '), '''? *, *''?'), lambda x: x <> '');

-- a cut-off as a number, NULL if it is none; all, the whole list, is 1e18, which no rank reaches: check_ranks refuses ranks from there on
create or replace macro recsql.cutoff(given) as
    case
        when lower(given) = 'all' then 1000000000000000000
        when try_cast(given as double) between 1 and {{ most_k }} and try_cast(given as double) % 1 = 0
            then cast(try_cast(given as double) as bigint)
    end;

-- the different cut-offs of a call
create or replace macro recsql.cutoffs(k) as
    case
        when len(recsql.names(k)) <= 10000
            then list_distinct(list_filter(list_transform(recsql.names(k), lambda x: recsql.cutoff(x)), lambda x: x is not null))
    end;

-- the metrics of a call: the usual ones, all, or those that it names
create or replace macro recsql.asked(metrics, usual, every) as
    list_filter(
        case
            when metrics is null then usual
            when lower(array_to_string(recsql.names(metrics), ',')) = 'all' then every
            else list_filter(recsql.names(metrics), lambda x, i: list_position(recsql.names(metrics), x) = i)
        end,
        lambda x: x is not null
    );

{% for grain, query in named.items() %}
create or replace macro recsql.{{ grain }}_metric_names({{ (["metrics"] + query.perhaps) | join(", ") }}) as
    recsql.asked(
        metrics,
        [{{ query.metric_names[0] | join(",\n        ") if query.perhaps else query.metric_names[0] | join(", ") }}],
        [{{ query.metric_names[1] | join(",\n        ") if query.perhaps else query.metric_names[1] | join(", ") }}]
    );

{% endfor %}
-- 1 / log2(rank + 1), or another discount of the convention
create or replace macro recsql.discount(rank) as
    {{ discount }};

-- a value as a number, or NULL; with a plain cast of numbers, DuckDB knows from a file's statistics which conditions always hold
create or replace macro recsql.number(x) as
    case
        when regexp_matches(typeof(x), '^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*)$') then cast(x as double)
        else try_cast(x as double)
    end;

-- a rank as a whole number, or NULL; see number
create or replace macro recsql.whole_number(x) as
    case when regexp_matches(typeof(x), '^(U?(TINY|SMALL)INT|U?INTEGER|BIGINT)$') then cast(x as bigint) else try_cast(x as bigint) end;

-- a sum in units of 1e-18, which does not depend on the order of the rows; with times, each value counts so often
-- it is safe: each value is rounded by 5e-19 at most, where a double near 1 has steps of 2e-16, and whole numbers add up without rounding;
-- a hugeint holds 1e20 in these units, and gains of 1e9 or more are refused
create or replace macro recsql.exact_sum
(x) as
    {{ sql.exact_sum("x") }},
(times, x) as
    {{ sql.exact_sum("x", "times") }};

-- the same sum in its units, to be added to others
create or replace macro recsql.exact_units(x) as
    {{ sql.exact_units("x") }};

-- a sum of products in these units; NULL if a value of the same rows, a or b, is so large that the products may exceed them
create or replace macro recsql.product_sum(x, y, a, b) as
    case when max(greatest(abs(a), abs(b))) < 1e7 then recsql.exact_units(case when abs(x) < 1e7 and abs(y) < 1e7 then x * y end) end;

-- a sum of squares, each counted some times; in coarser units if a value is beyond 3e4
create or replace macro recsql.square_sum(times, x) as
    case
        when max(abs(x)) < 3e4 then recsql.exact_sum(times, case when abs(x) < 3e4 then x * x end)
        else recsql.exact_sum(times, 1e-9 * x * 1e-9 * x) * 1e18
    end;

-- the metric that a name means, perhaps with options that this file lacks; or why it means none
create or replace macro recsql.meaning(name) as
    coalesce(
        nullif(regexp_replace(regexp_extract('
{% for meaning, names in meanings.items() | groupby(1) %}
    {{ names | map("first") | join(" ") }} -> {{ meaning | replace("'", "''") }} |
{% endfor %}
        ', '\s' || regexp_escape(nullif(replace(lower(name), '-', '_'), '')) || '\s[^|]*->\s+([^|]*[^|\s])\s+[|]', 1), '\s+', ' ', 'g'), ''),
        replace(lower(name), '-', '_')
    );

-- the metrics that names mean
create or replace macro recsql.meanings(names) as
    list_transform(names, lambda name: recsql.meaning(name));

-- of a metric that the call names: the sum of a column, its bounds and the number of users without a value
create or replace macro recsql.sums(names, metric, times, x) as
    case
        when list_contains(recsql.meanings(names), metric) then {
            'total': recsql.exact_sum(times, x),
            'least': min(x),
            'most': max(x),
            'missing': cast(sum(case when x is null then times else 0 end) as bigint)
        }
    end;

-- the same with the sum of the squares, and the number of values other than 0
create or replace macro recsql.moments(names, metric, times, x) as
    case
        when list_contains(recsql.meanings(names), metric) then {
            'total': recsql.exact_sum(times, x),
            'squares': recsql.square_sum(times, x),
            'others': cast(sum(case when x <> 0 then times else 0 end) as bigint),
            'least': min(x),
            'most': max(x),
            'missing': cast(sum(case when x is null then times else 0 end) as bigint)
        }
    end;

-- a sum of values of any size: in units of 1e-18 where these are fine and large enough
create or replace macro recsql.any_sum(x) as
    case
        when max(abs(x)) < 1e9 and avg(abs(x)) > 1e-6 then recsql.exact_sum(case when abs(x) < 1e9 then x end)
        else fsum(x)
    end;

-- a value in a sentence
create or replace macro recsql.text(x) as
    coalesce(cast(x as varchar), 'NULL');

-- an id in a sentence; an empty one is shown as ''
create or replace macro recsql.said(x) as
    coalesce(regexp_replace(cast(x as varchar), '^$', ''''''), 'NULL');

-- the name that is most like x, as a question; empty if none is like it
create or replace macro recsql.nearest(x, names) as
    coalesce(
        'did you mean '
        || list_max(list_transform(
            list_filter(names, lambda n: {{ sql.likeness("n", "x") }} > 7e-1),
            lambda n: {'likeness': {{ sql.likeness("n", "x") }}, 'name': n}
        ))['name']
        || '? ',
        ''
    );

-- whether engines write such ids differently as text
create or replace macro recsql.is_written_differently(x) as
    {{ sql.is_written_differently("x") }};

-- whether the type of a value is one of numbers
create or replace macro recsql.is_number(x) as
    regexp_full_match(typeof(x), 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*');

-- the names of a table's columns
create or replace macro recsql.columns_of(table_name) as table
    select c.name
    from (
        unpivot (select count(columns(*)) from (from query_table(recsql.relation(table_name)) limit 0))
        on columns(*)
        into name name value rows
    ) as c;

-- the sentence if a table lacks a column; 'a or b' needs one of them
create or replace macro recsql.check_columns(table_columns, role_of_table, table_name, wanted) as table
    select
        table_name || ': there is no column ' || n.name || '; '
        || recsql.nearest(n.name, n.columns)
        || 'it has ' || array_to_string(n.columns, ', ')
        || case when n.columns[1] = 'column0' then '; the first line of a file must name its columns' else '; rename it in a view' end as message
    from (
        select
            unnest(wanted) as name,
            (select list(c.name) from query_table(table_columns) as c where c.role = role_of_table) as columns
    ) as n
    where len(list_filter(n.columns, lambda x: list_contains(string_split(n.name, ' or '), lower(x)))) = 0
    limit 1;

-- the types of the ids in a table with rows
create or replace macro recsql.id_types(table_name) as table
    select [typeof(i.user_id), typeof(i.{{ id }})] as types
    from (
        from query_table(table_name)
        union all by name
        select null as user_id, null as {{ id }}
        where false
    ) as i
    limit 1;

-- the sentence for a LIST in place of ids
create or replace macro recsql.is_list(name, column_name) as
    name || ': ' || column_name || ' is a LIST, and not one id; rename the LIST of items to items, and make rows of it: '
    || 'with unnested as (from {{ whole.schema }}.unnest_lists(''' || name || '''))';

-- the sentence if ids have different types in two tables; integers of any width are of one type
create or replace macro recsql.check_id_types(left_table, right_table, left_name, right_name) as table
    select
        case
            when i.in_left like '%]' then recsql.is_list(left_name, i.name)
            when i.in_right like '%]' then recsql.is_list(right_name, i.name)
            else i.name || ' is ' || i.in_left || ' in ' || left_name || ' and ' || i.in_right || ' in ' || right_name
                || '; cast one of them to the other''s type'
        end as message
    from (
        select unnest(['user_id', '{{ id }}']) as name, unnest(l.types) as in_left, unnest(r.types) as in_right
        from recsql.id_types(left_table) as l
        cross join recsql.id_types(right_table) as r
    ) as i
    where
        regexp_replace(i.in_left, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
        <> regexp_replace(i.in_right, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
        and '"NULL"' not in (i.in_left, i.in_right)
    limit 1;

-- the sentence if items are LISTs, or if ids are doubles that lack digits, as DuckDB 1.5 reads 20 digits in a text file
create or replace macro recsql.check_long_ids(table_name, name) as table
    select
        name || ': ' || n.column || ' is DOUBLE and has ids beyond 2^53, whose last digits are lost; read it as text, '
        || 'in a view over read_csv(''...'', types = {''' || n.column || ''': ''VARCHAR''})' as message
    from (
        select unnest(['user_id', 'item_id']) as column, unnest([l.is_long_user, l.is_long_item]) as is_long
        from (
            select
                typeof(i.user_id) = 'DOUBLE' and abs(try_cast(i.user_id as double)) >= 9007199254740992 as is_long_user,
                typeof(i.item_id) = 'DOUBLE' and abs(try_cast(i.item_id as double)) >= 9007199254740992 as is_long_item
            from (
                from query_table(table_name)
                union all by name
                select null as user_id, null as item_id
                where false
            ) as i
        ) as l
        where l.is_long_user or l.is_long_item
        limit 2
    ) as n
    where n.is_long
    union all
    select recsql.is_list(name, 'item_id') as message
    from recsql.id_types(table_name) as i
    where i.types[2] like '%]'
    limit 1;

-- the query for the ids of a CSV file as they are written; other tables have none
create or replace macro recsql.id_texts(name) as
    case
        when regexp_matches(lower(recsql.relation(name)), '[.](csv|tsv)([.](gz|zst))?"$')
            then 'from read_csv(''' || replace(trim(recsql.relation(name), '"'), '''', '''''') || ''', header = true, all_varchar = true)'
        else 'select null as user_id where false'
    end;

-- an id as DuckDB reads it as a type; empty if it can't be cast, as a date in a format other than ISO's
create or replace macro recsql.as_read(id, kind) as
    case kind
        when 'DOUBLE' then coalesce(cast(try_cast(id as double) as varchar), '')
        when 'BIGINT' then coalesce(cast(try_cast(id as bigint) as varchar), '')
        when 'BOOLEAN' then coalesce(cast(try_cast(id as boolean) as varchar), '')
        when 'DATE' then coalesce(cast(try_cast(id as date) as varchar), '')
        when 'TIME' then coalesce(cast(try_cast(id as time) as varchar), '')
        when 'TIMESTAMP' then coalesce(cast(try_cast(id as timestamp) as varchar), '')
        when 'TIMESTAMP WITH TIME ZONE' then ''
        else id
    end;

-- whether an id is written otherwise than the value that DuckDB reads
create or replace macro recsql.is_changed(id, kind) as
    id <> recsql.as_read(id, kind) and trim(id, ' "') <> recsql.as_read(id, kind);

-- the sentence if ids of a CSV file are read as values that are written otherwise, such as 3.10 as 3.1
create or replace macro recsql.check_changed_ids(table_name, name) as table
    select
        name || ': ' || c.column || ' ' || c.id || ' is read as ' || c.kind || ', which changes it; read it as text, '
        || 'in a view over read_csv(''...'', types = {''' || c.column || ''': ''VARCHAR''})' as message
    from (
        select
            unnest(['user_id', 'item_id']) as column,
            unnest([w.user_id, w.item_id]) as id,
            unnest([t.user_kind, t.item_kind]) as kind
        from (
            from query(recsql.id_texts(name))
            union all by name
            select null::varchar as user_id, null::varchar as item_id
            where false
        ) as w
        cross join (
            select typeof(g.user_id) as user_kind, typeof(g.item_id) as item_kind
            from (
                from query_table(table_name)
                union all by name
                select null as user_id, null as item_id
                where false
            ) as g
            limit 1
        ) as t
        where recsql.is_changed(w.user_id, t.user_kind) or recsql.is_changed(w.item_id, t.item_kind)
        limit 2
    ) as c
    where recsql.is_changed(c.id, c.kind)
    limit 1;

-- the sentence if a table has no LIST column items
create or replace macro recsql.check_lists(lists) as table
    select
        lists || case
            when typeof(l.items) = '"NULL"' then ': there is no LIST column items; rename the LIST of ids to items, in a view or a CTE'
            else ': items is ' || typeof(l.items) || ', not a LIST; make it one in a view or a CTE, as with string_split()'
        end as message
    from (
        from query_table(recsql.relation(lists))
        union all by name
        select null as items
        where false
    ) as l
    where typeof(l.items) not like '%]'
    limit 1;

-- the macro that computes a metric; empty if this file has no such macro
create or replace macro recsql.home_of(metric) as
    case
{% for home, metrics in homes.items() %}
        when metric in ({% for name in metrics %}{{ ", " if not loop.first }}'{{ name }}'{% endfor %}) then '{{ home if home in whole.queries }}'
{% endfor %}
    end;

-- the sentence if a call names no metric, or one that its macro does not have
create or replace macro recsql.check_metrics(asked, metrics, home) as table
    select
        case
            when n.name is null then {{ say("no_metrics") | sql_literal }}
            when recsql.home_of(n.meaning) in (home, '')
                then n.name || ' is not among the metrics of this file; render one that has it: recsql macros -m ' || n.name || ' -o FILE'
            when recsql.home_of(n.meaning) is not null
                then n.name || ' is not available here; use ' || recsql.home_of(n.meaning)
            when n.meaning like 'metric %' then 'metric ''' || n.name || ''' ' || substr(n.meaning, 8)
            when n.meaning like '%(%'
                then n.name || case when n.name like '%(%' then '' else ' is ' || n.meaning || ', which' end
                    || ' has options in brackets, and a macro has those of its file; render one, as in recsql macros -m ''ndcg(gain=exp2)'' -o FILE'
            when recsql.home_of(recsql.meaning(n.stem)) is not null
                then n.name || ' has a cut-off, which a macro takes as k; write ' || n.stem
            else
                'unknown metric ''' || n.name || '''; ' || recsql.nearest(n.name, metrics)
                || 'choose one of ' || array_to_string(metrics, ', ')
        end as message
    from (
        select a.name, recsql.meaning(a.name) as meaning, regexp_extract(a.name, '^(\w+?)(@.*|[._]\d+)$', 1) as stem
        from (select unnest(case when len(asked) = 0 then [null] else asked end) as name) as a
    ) as n
    where n.name is null or not list_contains(metrics, n.meaning)
    limit 1;

-- the sentence if a number is out of range
create or replace macro recsql.check_number(name, given, bound, holds) as table
    select name || ': ' || recsql.text(given) || ' is not ' || bound as message
    where given is not null and not coalesce(holds, false);

-- one row per column of segments besides user_id, numbered
create or replace macro recsql.slice_columns(table_columns) as table
    select row_number() over () as slice, c.name
    from query_table(table_columns) as c
    where c.role = 'segments' and lower(c.name) <> 'user_id';

-- a point in time, in UTC: a text without a time zone is in UTC already
create or replace macro recsql.utc(x) as
    case
        when regexp_matches(cast(x as varchar), ':\d{2}.*([+-]\d{2}(:?\d{2})?|Z|UTC)$')
            then make_timestamp(epoch_us(cast(regexp_replace(cast(x as varchar), '([ T]\d{2}:\d{2})([^:]|$)', '\1:00\2') as timestamptz)))
        else cast(cast(x as varchar) as timestamp)
    end;

-- a number or a point in time as text, which can be cast to the type of a column: a time has the zone UTC
create or replace macro recsql.moment(x) as
    case
        when try_cast(cast(x as varchar) as double) is not null then cast(x as varchar)
        else strftime(recsql.utc(x), '%Y-%m-%d %H:%M:%S.%f') || '+00'
    end;

-- such a text some times a length of time later
create or replace macro recsql.later(moment, length, times) as
    case
        when try_cast(moment as double) is not null
            then cast(try_cast(moment as decimal(38, 9)) + times * try_cast(cast(length as varchar) as decimal(28, 9)) as varchar)
        else strftime(cast(left(moment, 26) as timestamp) + times * try_cast(cast(length as varchar) as interval), '%Y-%m-%d %H:%M:%S.%f') || '+00'
    end;


-- ======================================================= Input =======================================================

-- one row per item of the LIST column items, in list order, with scores and relevance if there are any
create or replace macro recsql.unnest_lists(lists) as table
select o.model, o.user_id, o.item_id, o.rank, o.score, o.relevance
from (
    select
        l.model,
        l.user_id,
        unnest([l.items], max_depth := 2) as item_id,
        generate_subscripts(try_cast(l.items as varchar[]), 1) as rank,
        unnest(l.scores) as score,
        unnest(
            case
                when typeof(l.relevance) = '"NULL"' then list_transform(try_cast(l.items as varchar[]), lambda x: 1e0)
                else l.relevance
            end
        ) as relevance
    from (
        from query_table(recsql.relation(lists))
        union all by name
        select null::varchar as model, null as user_id, null as items, null::double[] as scores, null as relevance
        where false
    ) as l
    union all by name
    select null as item_id
    where false
) as o
where (select count(error(c.message)) from recsql.check_lists(lists) as c) = 0;

{% set table, name, about, listed = true, "unnest_lists", "one row per item of the LIST column items", "lists" %}
{% set call = "from " ~ whole.schema ~ ".unnest_lists('lists.parquet')" %}
{% include "targets/macros.sql: comment" %}


{% set file = "file" %}
-- a run in TREC format as recommendations: topic, Q0, document, rank, score, name
create or replace macro recsql.read_trec_run(file) as table
{% set with_ranks = false %}{% include "targets/files.sql: trec_run" %};

{% set name, about, listed = "read_trec_run", "a run in TREC format as recommendations", "file" %}
{% set call = "from " ~ whole.schema ~ ".read_trec_run('bm25.run')" %}
{% include "targets/macros.sql: comment" %}


-- judgements in TREC format as truth: topic, iteration, document, relevance
create or replace macro recsql.read_trec_qrels(file) as table
{% include "targets/files.sql: trec_qrels" %};

{% set name, about, listed = "read_trec_qrels", "judgements in TREC format as truth", "file" %}
{% set call = "from " ~ whole.schema ~ ".read_trec_qrels('qrels.txt')" %}
{% include "targets/macros.sql: comment" %}

{% for section, macros in sections.items() %}


-- ======================================================= {{ section }} =======================================================

{{ macros | join("\n\n") }}
{% endfor %}


commit;

-- name: macro
{# One macro: its description, an example, its parameters and its body. A public one has a call in its comment, which people see in the shell. #}
{% if about %}
-- {{ about }}
{% endif %}
{% if example %}
-- {{ example }}
{% endif %}
{% set listed = parameters | join(", ") %}
create or replace macro recsql.{{ name }}({{ listed if listed | length < 100 else "\n    " ~ parameters | join(",\n    ") ~ "\n" }}) as{{ " table" if table }}
{{ body }};
{% if call %}

{% include "targets/macros.sql: comment" %}
{% endif %}

-- name: comment
{# What the shell lists of a public macro: what it gives, its parameters with their defaults, and a call. #}
comment on macro {{ "table " if table }}recsql.{{ name }} is
'{{ about | replace("'", "''") }}
{{ name }}({{ listed | replace("'", "''") }})
{{ call | replace("'", "''") }}';

-- name: aliases
{# The other names of the metrics over two lists. #}
-- the other names of these metrics
{% for name, metric in others %}

create or replace macro recsql.{{ name }}({{ parameters }}) as
    recsql.{{ metric }}(recommended, relevant, k, relevance);

{% set table, about, listed, call = false, "another name of " ~ metric, parameters, "select " ~ schema ~ "." ~ name ~ "(" ~ lists_of(metric) ~ ")" %}
{% include "targets/macros.sql: comment" %}

{% endfor %}

-- name: macro_words
{# The words of the dialect that the macro file has as macros. #}
{% macro spoken(x, is_id=false) %}recsql.{{ "said" if is_id else "text" }}({{ x }}){% endmacro %}
{% macro nearest(x, names) %}recsql.nearest({{ x }}, {{ names }}){% endmacro %}
{% macro exact_sum(x, times="") %}recsql.exact_sum({{ times ~ ", " if times }}{{ x }}){% endmacro %}
{% macro exact_units(x, times="") %}recsql.exact_units({{ times ~ " * " if times }}{{ x }}){% endmacro %}
{% macro any_sum(x) %}recsql.any_sum({{ x }}){% endmacro %}
{% macro square_sum(x, times="") %}recsql.square_sum({{ times if times else "1" }}, {{ x }}){% endmacro %}
{% macro is_written_differently(x) %}recsql.is_written_differently({{ x }}){% endmacro %}

-- name: check
{# The file of the macro check, which is loaded after the macro file. #}
-- recsql {{ version }}: what is odd about the tables of an evaluation, for DuckDB 1.5 or newer.
--
--     .read recsql.sql
--     .read check.sql
--     from recsql.check('recs.parquet', 'truth.parquet', k := 10);
--
-- The macro stands beside the others of its schema, and reads some of them, so load it after them. A database has both.
-- Made with {{ whole.command }} --check.
--
-- Contents:
--
{% for spec in whole.specs if spec.section == "Check" %}
--     {{ spec.name }}: {{ spec.about }}
{% endfor %}
--
-- Each finding is a macro of its own, named after it. It reads the steps of check: one row per list, per user, per item.
-- recsql.check in Python has more findings, of further tables, values and options: {{ left_out | join(", ") }}.

begin transaction;

{{ checks | join("\n\n") }}


commit;
