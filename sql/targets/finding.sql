{# One finding: the rows of its `text`, with its constants. #}
select
    {{ severity }} as severity,
    {{ literal(finding.name) }} as finding,
    {{ sql.text("f.table_name") if "own_table" in finding.header else table if table else sql.text("null") }} as table_name,
    {{ sql.text("f.column_name") if "own_column" in finding.header else literal(finding.header.column) if "column" in finding.header else sql.text("null") }} as column_name,
    {{ sql.text("f.model") }} as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    {{ "f.unit" if " or " in finding.header.unit else literal(finding.header.unit) }} as unit,
    {{ sql.text("f.example") }} as example,
    {{ literal(finding.header.advice) }} as advice
from (
    {{ text | indent }}
) as f
where f.found > 0
