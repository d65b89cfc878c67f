{#
message = "{table}: {column} is DOUBLE and has ids beyond 2^53, whose last digits are lost; read it as text, in a view over read_csv('...', types = {{'{column}': 'VARCHAR'}})"
in_place = true
place = 3
on = []
when = "named and read_tables()"
#}
{% for role in read_tables() %}
select c.message
from recsql.check_long_ids(¦given_{{ role }}¦, {{ tables[role].name }}) as c
{{ "union all" if not loop.last }}
{% endfor %}
