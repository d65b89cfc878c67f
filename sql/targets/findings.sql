{# What is odd about the tables: one row per finding, and model if it is about one. `findings` has each with its text and its constants. #}
select
    f.severity,
    f.finding,
    f.table_name as {{ sql.quote("table") }},
    f.column_name as {{ sql.quote("column") }},
    f.model,
    f.found as {{ sql.quote("count") }},
    f.total as {{ sql.quote("of") }},
    f.unit,
    f.example,
    f.advice
from (
{% for finding in findings %}
    select
        {{ finding.severity | indent(8) }} as severity,
        {{ literal(finding.name) }} as finding,
        {{ sql.text("f.table_name") if "own_table" in finding.header else literal(finding.table) if finding.table else sql.text("null") }} as table_name,
        {{ sql.text("f.column_name") if "own_column" in finding.header else literal(finding.header.column) if "column" in finding.header else sql.text("null") }} as column_name,
        {{ sql.text("f.model") }} as model,
        cast(f.found as bigint) as found,
        cast(f.total as bigint) as total,
        {{ "f.unit" if " or " in finding.header.unit else literal(finding.header.unit) }} as unit,
        {{ sql.text("f.example") }} as example,
        {{ literal(finding.header.advice) }} as advice
    from (
        {{ finding.text | indent(8) }}
    ) as f
    where f.found > 0
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
) as f
where f.severity is not null
order by
    case f.severity when 'error' then 1 when 'warning' then 2 else 3 end asc,
    {{ double("f.found") }} / nullif(f.total, 0) desc nulls last,
    f.finding asc,
    {{ turn("f.model") }} asc nulls first,
    f.table_name asc,
    f.column_name asc
