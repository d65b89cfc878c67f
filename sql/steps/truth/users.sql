{#
kept = true
row = "one row per user with relevant items, with their number"
#}
select t.user_id, count(*) as relevant
from relevant as t
group by t.user_id
