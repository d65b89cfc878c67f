{#
message = "gain_map: no gain for relevance {relevance} of user {user}, item {item}; add one"
place = 5
on = ["given_truth"]
when = "gain == 'map' and (needs.gains or target in ['hits', 'ideal'])"
#}
select
    {{ sentence(relevance="t.relevance", user="t.user_id", item="t.item_id") | indent }} as message
from given_truth as t
where
    {{ is_relevant() }}
    and {{ gain_map.of("t.relevance") if gain_map else "cast(null as double)" }} is null
order by t.user_id asc, t.item_id asc, t.relevance asc
limit 1
