{# Files in TREC's format: one row per line, cut into its `count` fields, of which one is a `number`; `what` says which they are. #}
{% set line = "trim(r.line, ' ' || chr(9) || chr(13))" %}
{# Not strict: lines may end in two ways, as where runs of two systems were put together. #}
select
    case
        when len(t.fields) = {{ count }} and try_cast(t.fields[{{ number }}] as double) is not null then t.fields
        else error(t.filename || ': a line of {{ what }}; found ' || t.line)
    end as fields
from (
    select regexp_split_to_array({{ line }}, '\s+') as fields, r.line, r.filename
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
    where {{ line }} <> ''
) as t
