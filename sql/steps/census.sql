{#
row = "one row per model: how many users are in the mean"
#}
select m.model, count(u.user_id) as users
from models as m
left join population as u on u.model is not distinct from m.model
group by m.model
