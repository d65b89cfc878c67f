{# The table in a macro's parameter; empty if the parameter is left out. #}
select i.item_id, i.category
from (
    from {{ source }}
    union all by name
    select null as item_id, null::varchar as category
    where false
) as i{% if given %}

where {{ given }}{% endif %}

