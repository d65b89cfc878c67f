{# Files in TREC format: one row per line, split into `count` fields. Field `number` is numeric. `what` describes the fields. #}
{# An id may begin with #, but a comment of as many words as there are fields must not become a row. #}
{% set line = "trim(r.line, ' ' || chr(9) || chr(13))" %}
{# strict_mode is off because line endings may be mixed, as in concatenated runs of two systems. #}
select
    case
        when t.fields[1] = '#' then error(t.filename || ': the format has no comments; remove the line ' || t.line)
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
