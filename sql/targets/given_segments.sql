{# The table in a macro's parameter: each column but user_id is a slice. #}
select s.*
from (
    from {{ source }}
    union all by name
    select null as user_id
    where false
) as s
