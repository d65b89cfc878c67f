{#
row = "one row per user in train: the number of their rows"
grain = "baseline"
#}
select t.user_id, count(*) as events
from given_past as t
group by t.user_id
