{#
message = "{truth}: item {item} has gain {gain} for user {user}; scale the relevance so that gains lie between 1e-6 and 1e9"
place = 6
on = ["given_truth"]
when = "needs.gains"
#}
select
    {{ sentence(item="t.item_id", gain="t.gain", user="t.user_id") | indent }} as message
from (
    select t.user_id, t.item_id, {{ gain_of("t.relevance") | indent }} as gain
    from given_truth as t
    where {{ is_relevant() }}
) as t
where abs(t.gain) >= 1e9 or (t.gain <> 0 and abs(t.gain) < 1e-6)
order by t.user_id asc, t.item_id asc
limit 1
