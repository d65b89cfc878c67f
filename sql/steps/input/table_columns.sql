{#
row = "one row per column of the tables; before all other steps, whose names a table can have"
when = "named and target != 'compare'"
#}
{% for role in required %}
select '{{ role }}' as role, c.name
from recsql.columns_of({{ tables[role].source | replace("query_table(recsql.relation(", "") | replace("))", "") }}) as c
{{ "union all" if not loop.last }}
{% endfor %}
