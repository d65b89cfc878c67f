{#
message = "{train}: there is no column user_id, whose rows train.activity counts; name it with user"
place = 2
on = ["segment_values"]
when = "named and by_activity"
#}
{# A column that is missing is NULL in each row. #}
select
    {{ sentence(train=tables.train.name if "train" in tables else "''") | indent }} as message
from (select count(*) as interactions, count(a.user_id) as users from given_train as a) as n
where n.interactions > 0 and n.users = 0
