{#
row = "one row per user and recommended item that is a candidate of the user"
#}
select distinct r.user_id, r.item_id
from given_recs as r
inner join given_candidates as c on c.user_id = r.user_id and c.item_id = r.item_id
{{- guard("id_types", left="recs", right="candidates", columns=["user_id", "item_id"], before="where") }}
