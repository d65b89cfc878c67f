{# The table in a macro's parameter, with all columns. #}
select t.*
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id{{ ", null as " ~ order if order }}
    where false
) as t
