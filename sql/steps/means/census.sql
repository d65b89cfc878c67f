{#
row = "one row per model: the number of users in the mean"
when = "user_metrics and (target in ['evaluate', 'partial'] or (pairs_summed and sparse))"
#}
{% if sliced %}
select {{ model("m") }}s.slice, s.segment, coalesce(n.users, 0) as users
from models as m
cross join segments_in_mean as s
left join headcount as n on {{ same_model("n", "m") }}n.slice = s.slice and n.segment is not distinct from s.segment
{% else %}
select {{ model("m") }}coalesce(n.users, 0) as users
from models as m
left join headcount as n on {{ on_model("n", "m") }}
{% endif %}
