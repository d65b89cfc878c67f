{# The table in a macro's parameter. Without a column relevance, every row has relevance 1. #}
select
    t.user_id,
    t.item_id,
    case when typeof(t.relevance) = '"NULL"' then 1e0 else try_cast(t.relevance as double) end as relevance,
    try_cast(t.rank as bigint) as rank
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id, null as relevance, null as rank
    where false
) as t
