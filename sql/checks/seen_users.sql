{#
message = "{train}: there is no column user_id, which seen needs; name it with user"
place = 2
on = ["seen_items"]
when = "named"
#}
{# A column that is missing is NULL in each row. #}
select
    {{ sentence(train=tables.train.name if "train" in tables else "''") | indent }} as message
from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
where n.interactions > 0 and n.users = 0
