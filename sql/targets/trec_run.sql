{# A run in TREC's format: topic, Q0, document, rank, score, name of the run. Its rank is not looked at, as trec_eval does not. #}
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
        select regexp_split_to_array(trim(r.line), '\s+') as fields, r.line, r.filename
        from read_csv(
            {{ file }},
            columns = {'line': 'varchar'},
            delim = chr(1),
            quote = '',
            escape = '',
            header = false,
            auto_detect = false,
            filename = true
        ) as r
        where trim(r.line) <> ''
    ) as t
) as l
