{# The table in the option impressions. A missing column is NULL. #}
select
    i.model,
    i.user_id,
    i.request_id,
    typeof(i.request_id) <> '"NULL"' as has_request,
    i.item_id,
    make_timestamp(epoch_us(i.ts)) as ts,
    i.rank,
    cast(i.surface as varchar) as surface
from (
    from {{ source }}
    union all by name
    select
        null::varchar as model,
        null as user_id,
        null as item_id,
        null::date as ts,
        null as rank,
        null as request_id,
        null as surface
    where false
) as i
