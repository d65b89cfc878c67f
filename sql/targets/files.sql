{#
The lines of files in the formats of trec_eval, and the files that are runs of different models.
#}

-- name: trec_run
{# A run in TREC format: topic, Q0, document, rank, score, name of the run. Like trec_eval, lists are ordered by score. #}
{% set count, number, what = 6, 5, "a run is topic, Q0, document, rank, score, name" %}
select
    l.fields[6] as model,
    l.fields[1] as user_id,
    l.fields[3] as item_id,
{% if with_ranks %}
    try_cast(l.fields[4] as bigint) as rank,
{% endif %}
    cast(l.fields[5] as double) as score
from (
{% filter indent(first=true) %}{% include "targets/files.sql: trec_lines" %}{% endfilter %}

) as l

-- name: trec_run_quick
{# The same of a file with one `delimiter` between fields. #}
{% set fields, number = ["topic", "q0", "document", "rank", "score", "name"], "score" %}
select
    f.name as model,
    f.topic as user_id,
    f.document as item_id,
    try_cast(f.rank as bigint) as rank,
    try_cast(f.score as double) as score,
{% include "targets/files.sql: trec_fields" %}

-- name: trec_run_ranks
{# A run whose ranks begin at 1; those of a file may begin at 0. #}
select
    r.model,
    r.user_id,
    r.item_id,
    r.rank + cast(min(r.rank) over (partition by r.model) = 0 as bigint) as rank,
    r.score
from {{ rows }} as r

-- name: trec_qrels
{# Judgements in TREC format: topic, iteration, document, relevance. #}
{% set count, number, what = 4, 4, "judgements is topic, iteration, document, relevance" %}
select
    l.fields[1] as user_id,
    l.fields[3] as item_id,
    cast(l.fields[4] as double) as relevance
from (
{% filter indent(first=true) %}{% include "targets/files.sql: trec_lines" %}{% endfilter %}

) as l

-- name: trec_qrels_quick
{# The same of a file with one `delimiter` between fields. #}
{% set fields, number = ["topic", "iteration", "document", "relevance"], "relevance" %}
select
    f.topic as user_id,
    f.document as item_id,
    try_cast(f.relevance as double) as relevance,
{% include "targets/files.sql: trec_fields" %}

-- name: trec_fields
{# The last column and the rows. A line that does not fit is left to trec_lines, which splits it by any white space or refuses it. #}
    coalesce(
        f.topic <> '#'
            and f.more is null
            and try_cast(f.{{ number }} as double) is not null
            and not regexp_matches(f.{{ fields | join(" || f.") }}, '\s'),
        false
    ) as fits
from read_csv(
    {{ file }},
    columns = {'{{ fields | join("': 'varchar', '") }}': 'varchar', 'more': 'varchar'},
    delim = {{ delimiter }},
    quote = '',
    escape = '',
    header = false,
    auto_detect = false,
    null_padding = true,
    strict_mode = false
) as f
where coalesce(f.{{ fields | join(", f.") }}, f.more) is not null

-- name: trec_lines
{# Files in TREC format: one row per line, split into `count` fields. Field `number` is numeric. `what` describes the fields. #}
{# An id may begin with #, but a comment of as many words as there are fields must not become a row. #}
{# strict_mode is off because line endings may be mixed, as in concatenated runs of two systems. #}
select
    case
        when t.fields[1] = '#' then error(t.filename || ': the format has no comments; remove the line ' || t.line)
        when len(t.fields) = {{ count }} and try_cast(t.fields[{{ number }}] as double) is not null then t.fields
        else error(t.filename || ': a line of {{ what }}; found ' || t.line)
    end as fields
from (
    select
        case
            when regexp_full_match(r.line, '\S+( \S+)*') then string_split(r.line, ' ')  -- the quick way for most files
            else regexp_split_to_array(trim(r.line, ' ' || chr(9) || chr(13)), '\s+')
        end as fields,
        r.line,
        r.filename
    from read_csv(
        {{ file }},
        columns = {'line': 'varchar'},
        delim = chr(1),
        quote = '',
        escape = '',
        header = false,
        auto_detect = false,
        strict_mode = false,
        filename = true
    ) as r
    where regexp_matches(r.line, '\S')
) as t

-- name: runs
{# Two of `files`, queries for the `columns` of each, that share a row, as with lists of one user; none if a file has several models. #}
with files as (
{% for file in files %}
    select {{ loop.index0 }} as place, f.* from ({{ file }}) as f
{{ "    union all" if not loop.last }}
{% endfor %}
)

select min(f.place) as one, max(f.place) as other, f.user_id
from files as f
{% if "model" in columns %}
where not exists (select m.place from files as m group by m.place having count(distinct m.model) > 1)
{% endif %}
group by f.{{ columns | join(", f.") }}
having count(*) > 1
order by one asc, other asc, f.user_id asc
limit 1

-- name: two_dates
{# One row with an example if the texts of a column are dates of which day and month, or year, can't be told apart. #}
select min(p.place) as example
from (
    select f.place, regexp_extract(f.place, '^\s*(\d+)\D(\d+)\D(\d+)', ['one', 'other', 'year']) as part
    from (select {{ column }} as place from {{ rows }} as f) as f
    where regexp_matches(f.place, '^\s*\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2,4}\b')
) as p
having min(length(p.part.year)) < 4 or (max(cast(p.part.one as int)) <= 12 and max(cast(p.part.other as int)) <= 12)

-- name: texts_of_times
{# In a macro, the column `time` of the CSV file `name` as it is written; no row for a table and another file. #}
(from query(recsql.id_texts({{ name }})) union all by name select null::varchar as {{ time }} where false)
