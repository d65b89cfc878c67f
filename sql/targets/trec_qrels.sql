{# Judgements in TREC's format: topic, iteration, document, relevance. #}
select
    t.fields[1] as user_id,
    t.fields[3] as item_id,
    cast(t.fields[4] as double) as relevance
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
        when len(t.fields) = 4 and try_cast(t.fields[4] as double) is not null then true
        else error(t.filename || ': a line of judgements is topic, iteration, document, relevance; found ' || t.line)
    end
