{#
message = "{train}: no row has a user; base='users' of novelty and popularity needs a column user_id"
place = 2
on = ["train_counts"]
when = "train_users_counted"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
where n.interactions > 0 and n.users = 0
