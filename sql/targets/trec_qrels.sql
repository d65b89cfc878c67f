{# Judgements in TREC's format: topic, iteration, document, relevance. #}
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
