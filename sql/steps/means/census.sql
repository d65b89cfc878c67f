{#
row = "one row per model: the number of users in the mean"
when = "user_metrics and (target in ['evaluate', 'partial'] or (target == 'paired' and sparse))"
#}
select {{ model("m") }}coalesce(n.users, 0) as users
from models as m
left join headcount as n on {{ on_model("n", "m") }}
