{#
row = "one row per user in train: the number of their items that are not relevant"
#}
select t.user_id, count(distinct t.item_id) as items
from given_train as t
left join relevant as r on r.user_id = t.user_id and r.item_id = t.item_id
where r.item_id is null{{ guard("id_types", left="recs", right="train", columns=["user_id", "item_id"]) }}
group by t.user_id
