{# The table in the parameter events. Without a column type, each event counts the same. #}
select
    e.user_id,
    e.item_id,
    make_timestamp(epoch_us(e.ts)) as ts,
    cast(e.type as varchar) as type,
    typeof(e.type) <> '"NULL"' as is_typed
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id, null::date as ts, null as type
    where false
) as e
