{#
The result of check: one row per finding, and the rows that have it.
#}

-- name: findings
{# Oddities in the tables: one row per finding, and per model if it is about models. `findings` has the query of each. #}
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
{% for text in findings %}
{% if named %}
    {{ "union all " if not loop.first }}{{ text }}
{% else %}
    {{ text | indent }}
{% if not loop.last %}

    union all

{% endif %}
{% endif %}
{% endfor %}
) as f
where f.severity is not null{% if named %}{% for check in ["missing_columns", "cutoffs", "one_cutoff"] %}{{ guard(check) | indent }}{% endfor %}{% endif %}

order by
    case f.severity when 'error' then 1 when 'warning' then 2 else 3 end asc,
    {{ double("f.found") }} / nullif(f.total, 0) desc nulls last,
    f.finding asc,
    {{ turn("f.model") }} asc nulls first,
    f.table_name asc,
    f.column_name asc

-- name: finding
{# One finding: the rows of its `text`, with its constants. #}
select
    {{ severity }} as severity,
    {{ literal(finding.name) }} as finding,
    {{ sql.text("f.table_name") if "table_name" in text else table if table else sql.text("null") }} as table_name,
    {{ sql.text("f.column_name") if "column_name" in text else literal(finding.header.column) if "column" in finding.header else sql.text("null") }} as column_name,
    {{ sql.text("f.model") }} as model,
    cast(f.found as bigint) as found,
    cast(f.total as bigint) as total,
    {{ "f.unit" if " or " in finding.header.unit else literal(finding.header.unit) }} as unit,
    {{ sql.text("f.example") }} as example,
    {{ literal(advice) }} as advice
from (
    {{ text | indent }}
) as f
where f.found > 0

-- name: finding_rows
{# The rows with one finding. #}
{{ rows }}
