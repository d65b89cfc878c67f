{#
row = "one row per column of the tables"
#}
{# The first of all steps, because a table can have the name of a later one. #}
{% for role in required %}
select '{{ role }}' as role, c.name
from recsql.columns_of({{ tables[role].source | replace("query_table(recsql.relation(", "") | replace("))", "") }}) as c
{{ "union all" if not loop.last }}
{% endfor %}
