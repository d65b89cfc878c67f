{# The table in the option train. Without one, recs is a placeholder that gives the type of the ids and is not read. #}
select t.user_id, t.item_id
from (
    from {{ source }}
    union all by name
    select null as user_id where false
) as t
