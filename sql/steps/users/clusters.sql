{#
row = "one row per user in truth: the cluster that the user belongs to"
#}
select t.user_id, min(t.cluster) as cluster
from given_truth as t
group by t.user_id
