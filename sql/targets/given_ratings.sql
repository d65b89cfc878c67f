{# The table in a macro's parameter. #}
select t.user_id, t.item_id, cast(t.rating as double) as rating
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id, null as rating
    where false
) as t
