{#
message = "{truth}: `relevance` is {relevance} for user {user}, item {item}; give every row a number"
place = 4
on = ["given_truth"]
#}
select
    {{ sentence(relevance="t.relevance", user="t.user_id", item="t.item_id") | indent }} as message
from given_truth as t
where t.relevance is null{{ " or " ~ sql.is_nan("t.relevance") ~ " or " ~ sql.is_infinite("t.relevance") if not finite }}
order by t.user_id asc, t.item_id asc, message asc
limit 1
