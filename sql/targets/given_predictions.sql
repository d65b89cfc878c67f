{# The table in a macro's parameter. #}
select p.model, p.user_id, p.item_id, cast(p.prediction as double) as prediction, cast(p.rating as double) as rating
from (
    from {{ source }}
    union all by name
    select null::varchar as model, null as user_id, null as item_id, null as prediction, null as rating
    where false
) as p
