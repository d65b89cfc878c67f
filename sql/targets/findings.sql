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
