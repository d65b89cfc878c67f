{#
message = "{truth}: `rank` is {rank} for user {user}, item {item}; truth_window and ideal='truth_as_given' need the position of each item, starting at 1, in the truth's column rank"
place = 4
on = ["given_truth"]
when = "truth_window in ['k', 'rank'] or ideal == 'truth_as_given'"
#}
select
    {{ sentence(rank="t.rank", user="t.user_id", item="t.item_id") | indent }} as message
from given_truth as t
where t.rank is null or t.rank < 1
order by t.user_id asc, t.item_id asc, message asc
limit 1
