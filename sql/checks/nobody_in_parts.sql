{#
message = "{parts}: nobody in these parts is in the mean"
place = 9
#}
{% if "parts" in inputs.tables %}
select {{ sentence() }} as message
from (select sum(c.users) as users from census as c) as n
where n.users = 0
{% endif %}
