{#
row = "one row per user and relevant item; twice in the truth, it counts once with its highest relevance"
inline = true
#}
{% set rank = ", t.rank" if rendering.reads("t.truth_rank") %}
select t.user_id, t.item_id{{ rank and ", t.rank as truth_rank" }}, {{ gain("t.relevance") }} as gain
from (
    select t.user_id, t.item_id, t.relevance{{ rank }}
    from given_truth as t
    where
        {{ rendering.expression("expressions/is_relevant.sql") | indent }}
        and not exists (
            select 1
            from repeated as d
            where d.user_id = t.user_id and d.item_id = t.item_id
        )
    union all
    select t.user_id, t.item_id, t.relevance{{ rank }}
    from repeated as t
) as t
