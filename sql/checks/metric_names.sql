{#
message = "unknown metric '{name}'; {hint}choose one of {names}"
#}
select
    {{ sentence(name="m.name", hint="case when regexp_matches(m.name, '[@(]') then 'give the name alone, with the cut-off as k := 5 and options as arguments; ' else coalesce('did you mean ' || recsql.metric_of(m.name) || '? ', " ~ sql.nearest("m.name", "m.names") ~ ") end", names="array_to_string(m.names, ', ')") }} as message
from (
    select unnest(cast(metrics as varchar[])) as name, [{{ columns | map(attribute="asked.metric") | map("sql_literal") | join(", ") }}] as names
) as m
where not coalesce(list_contains(m.names, m.name), false)
