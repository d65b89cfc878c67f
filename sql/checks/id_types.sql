{#
message = "{column} is {in_left} in {left} and {in_right} in {right}; cast one of them to the other's type"
in_place = true
#}
{% if named and left in tables %}
select c.message
from recsql.check_id_types(¦given_{{ left }}¦, ¦given_{{ right }}¦, {{ tables[left].name }}, {{ tables[right].name }}) as c
{% endif %}
