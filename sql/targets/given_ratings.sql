{# The table in the option ratings. Without one, predictions is a placeholder that is not read. #}
select t.user_id, t.item_id, cast(t.rating as double) as rating
from (
    from {{ source }}
    union all by name
    select null as rating
    where false
) as t
