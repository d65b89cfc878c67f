{#
message = "{train}: no row has a user; novelty and popularity with base='users', and tail_share, need a column user_id"
place = 2
on = ["train_counts"]
when = "train_users_counted"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
where n.interactions > 0 and n.users = 0
