{#
Of a model of lists: finds what is odd about them, from a level on. `findings` are the names of those to look for, `ignore` of
those to leave out. A name that check doesn't look for is a row, too. dbt keeps the argument `severity` for itself.
#}
{% test recsql_check(model, truth, k=10, level="error", findings=[], ignore=[]) %}
{%- set levels = ["error", "warning", "note"] -%}
{%- if execute and level not in levels -%}
    {{ exceptions.raise_compiler_error("recsql_check: level: " ~ level ~ " is none of " ~ levels | join(", ")) }}
{%- endif -%}
with recs as (select * from {{ model }})
select *
from ({{ recsql.call("check", ["recs", truth], dict(kwargs, k=k)) }})
where list_position({{ recsql.literal(levels) }}, severity) <= list_position({{ recsql.literal(levels) }}, {{ recsql.literal(level) }})
    and finding not in {{ recsql.literal(ignore) }}
{%- if findings %}
    and finding in {{ recsql.literal(findings) }}
union all by name
select 'error' as severity, name as finding, 'check does not look for it here; docs/check.md has all findings' as advice
from (select unnest({{ recsql.literal(findings) }}) as name)
where name || '_of' not in (select function_name from duckdb_functions())
{%- endif %}
{% endtest %}
