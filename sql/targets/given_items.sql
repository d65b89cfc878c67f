{# The table in the option items. Without one, recs is a placeholder that gives the type of the ids and is not read. #}
select i.item_id, i.category
from (
    from {{ source }}
    union all by name
    select null::varchar as category where false
) as i
