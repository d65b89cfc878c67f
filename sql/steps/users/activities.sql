{#
row = "one row per user in train: the number of their rows"
#}
select a.user_id, count(*) as events
from given_train as a
where a.user_id is not null{{ guard("id_types", left="recs", right="train", columns=["user_id"]) }}
group by a.user_id
