{# The table in a macro's parameter `table`. A missing column is NULL, without a type. #}
select
    r.model,
    r.user_id,
    r.item_id,
    r.rank,
    r.score,
    case when typeof(r.rank) = '"NULL"'{{ " or (typeof(r.score) <> '\"NULL\"' and " ~ by_score ~ ")" if by_score }} then 'score' else 'rank' end as rank_by
from (
    from query_table(recsql.relation({{ table }}))
    union all by name
    select null::varchar as model, null as user_id, null as item_id, null as rank, null as score
    where false
) as r
