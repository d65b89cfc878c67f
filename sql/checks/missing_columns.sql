{#
message = "{table}: there is no column {column}; {hint}it has {columns}; {way}"
in_place = true
place = 0
on = []
when = "named and target != 'compare'"
#}
{% for role, columns in required.items() if columns %}
select c.message
from recsql.check_columns(¦table_columns¦, '{{ role }}', {{ tables[role].name }}, [{% for column in columns %}{{ ", " if not loop.first }}{{ literal(column) }}{% endfor %}]) as c
{{ "union all" if not loop.last }}
{% endfor %}
