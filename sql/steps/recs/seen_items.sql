{#
row = "one row per user and recommended item that the user has in train"
#}
select distinct r.user_id, r.item_id
from given_recs as r
inner join given_train as t on t.user_id = r.user_id and t.item_id = r.item_id
{{- guard("id_types", left="recs", right="train", columns=["user_id", "item_id"], before="where") }}
