{# A run in TREC's format: topic, Q0, document, rank, score, name of the run. Its rank is not looked at, as trec_eval does not. #}
select
    t.fields[6] as model,
    t.fields[1] as user_id,
    t.fields[3] as item_id,
    cast(t.fields[5] as double) as score
from (
    select regexp_split_to_array(trim(l.line), '\s+') as fields, l.line, l.filename
    from read_csv(
        {{ file }},
        columns = {'line': 'varchar'},
        delim = chr(1),
        quote = '',
        escape = '',
        header = false,
        auto_detect = false,
        filename = true
    ) as l
    where trim(l.line) <> ''
) as t
where
    case
        when len(t.fields) = 6 and try_cast(t.fields[5] as double) is not null then true
        else error(t.filename || ': a line of a run is topic, Q0, document, rank, score, name; found ' || t.line)
    end
