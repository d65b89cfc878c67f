{#
row = "one row per item of an unproven LIST"
#}
select r.model, r.user_id, {{ sql.items_of("r.items") }}
from given_lists as r
inner join unproven as o on o.model is not distinct from r.model and o.user_id = r.user_id
