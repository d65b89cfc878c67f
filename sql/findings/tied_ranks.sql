{#
about = "items of one list have the same rank"
matters = "their order is arbitrary, so every metric that reads ranks is as well"
advice = "number each list with row_number(), or use rank_by='score'"
severity = "error"
unit = "lists"
table = "recs"
column = "rank"
needs = ["recs.rank"]
when = "by_rank and 'means' not in tables"
#}
select {{ model_of("f") }}, count(distinct o.user_id) as found, count(distinct f.user_id) as total, min(o.user_id) as example
from list_facts as f
left join repeated_ranks as o on {{ same_model("o", "f") }}o.user_id = f.user_id
{{ group_by_model("f") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.rank
from given_recs as r
inner join repeated_ranks as o on {{ same_model("o", "r") }}o.user_id = r.user_id and o.rank = r.rank
