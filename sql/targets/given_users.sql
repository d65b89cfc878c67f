{# The users of the table in a macro's parameter; nobody if the parameter is left out. #}
select distinct g.user_id
from (
    from {{ source }}
    union all by name
    select null as user_id
    where false
) as g{% if given %}

where {{ given }}{% endif %}
