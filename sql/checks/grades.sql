{#
message = "{truth}: item {item} has `relevance` {relevance} for user {user}, above the highest grade {most}; set err_max_grade= to that of your scale"
place = 6
on = ["given_truth"]
when = "needs.readings"
#}
select
    {{ sentence(item="t.item_id", relevance="t.relevance", user="t.user_id", most=err_max_grade) | indent }} as message
from (
    select t.user_id, t.item_id, t.relevance, {{ stop_chance(gain_of("t.relevance")) | indent }} as chance
    from given_truth as t
    where {{ is_relevant() }}
) as t
where t.chance > 1 - power(2e0, -{{ err_max_grade }})
order by t.user_id asc, t.item_id asc, message asc
limit 1
