{#
row = "one row per user and relevant item; repeated items count once, with their highest relevance"
inline = true
buys = "with users: six metrics of 50 million rows take 3.6 CPU seconds instead of 4.6, as no user's truth is grouped by item unless an item may be in it twice"
#}
{# With a left join and a filter, DuckDB estimates a fifth of the rows, and hashes these instead of the possible hits. #}
{% set rank = ", t.rank" if needs.truth_rank else "" %}
select t.user_id, t.item_id{{ ", t.rank as truth_rank" if needs.truth_rank }}, {{ gain_of("t.relevance") | indent }} as gain
from (
    select t.user_id, t.item_id, t.relevance{{ rank }}
    from given_truth as t
    left join repeaters as p on p.user_id = t.user_id
    where
        not coalesce(p.repeats, false)
        and {{ is_relevant() }}
    union all
    select t.user_id, t.item_id, t.relevance{{ rank }}
    from folded as t
) as t
