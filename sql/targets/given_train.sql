{# The table in a macro's parameter; empty if the parameter is left out. #}
select t.user_id, t.item_id
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id
    where false
) as t{% if given %}

where {{ given }}{% endif %}

