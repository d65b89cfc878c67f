{#
row = "one row per model: the number of users in the mean"
#}
select m.model, coalesce(n.users, 0) as users
from models as m
left join headcount as n on n.model is not distinct from m.model
