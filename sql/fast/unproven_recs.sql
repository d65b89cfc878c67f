{#
row = "one row per item of an unproven LIST"
before = "rank_bands"
#}
select {{ model("r") }}r.user_id, {{ sql.items_of("r.items") }}
from given_lists as r
inner join unproven as o on {{ same_model("o", "r") }}o.user_id = r.user_id
