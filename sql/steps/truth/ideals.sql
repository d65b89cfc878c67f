{#
row = "one row per user with relevant items: their gains, highest first"
when = "ideals"
#}
select t.user_id, {{ sql.sorted_down("t.gain") }} as gains
from relevant as t
group by t.user_id
