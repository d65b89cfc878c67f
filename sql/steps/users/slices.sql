{#
row = "one row per slice; slice 0 has all users as one segment"
#}
{% if named %}
select 0 as slice, cast(null as varchar) as name
union all
select n.slice, n.name
from recsql.slice_columns(¦table_columns¦) as n
{% else %}
select 0 as slice{{ ", " ~ sql.text("null") ~ " as otherwise" if by_activity }}

{%- for one in slices %}

union all
select {{ one.place }} as slice{{ ", " ~ (literal(one.otherwise) if one.otherwise is not none else sql.text("null")) ~ " as otherwise" if by_activity }}{% endfor %}
{% endif %}
