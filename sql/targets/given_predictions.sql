{# The table in the parameter predictions. The ratings may be in the table in the option ratings. #}
select p.model, p.user_id, p.item_id, cast(p.prediction as double) as prediction, cast(p.rating as double) as rating
from (
    from {{ source }}
    union all by name
    select null::varchar as model, null as rating
    where false
) as p
