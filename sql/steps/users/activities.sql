{#
row = "one row per user in train: the number of their rows"
when = "by_activity and 'train' in tables"
#}
select a.user_id, count(*) as events
from given_train as a
where {{ "case when typeof(a.user_id) = '\"NULL\"' then " ~ refusal("activity_users") ~ " else a.user_id is not null end" if named else "a.user_id is not null" }}{{ guard("id_types", left="recs", right="train", columns=["user_id"]) }}
group by a.user_id
