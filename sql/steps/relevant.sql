{#
row = "one row per user and relevant item; twice in the truth, it counts once with its highest relevance"
inline = true
#}
{# Where the user is sought as NULL, DuckDB expects a fifth of the rows, and looks these up instead of the possible hits. #}
{% set rank = ", t.rank" if rendering.reads("t.truth_rank") %}
select t.user_id, t.item_id{{ rank and ", t.rank as truth_rank" }}, {{ gain("t.relevance") }} as gain
from (
    select t.user_id, t.item_id, t.relevance{{ rank }}
    from given_truth as t
    left join repeaters as p on p.user_id = t.user_id
    where
        not coalesce(p.repeats, false)
        and {{ rendering.expression("expressions/is_relevant.sql") | indent }}
    union all
    select t.user_id, t.item_id, t.relevance{{ rank }}
    from folded as t
) as t
