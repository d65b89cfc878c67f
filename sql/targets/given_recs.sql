{# The table in a macro's parameter. A missing column is NULL, without a type. #}
select
    r.model,
    r.user_id,
    r.item_id,
    r.rank,
    r.score{% if any_order %},
    case when typeof(r.rank) = '"NULL"'{{ " or typeof(r.score) <> '\"NULL\"'" if prefers_score }} then 'score' else 'rank' end as rank_by{% endif %}

from (
    from {{ source }}
    union all by name
    select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
    where false
) as r
