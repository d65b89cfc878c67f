{#
row = "one row per user and item of the truth, with its highest relevance"
#}
select t.user_id, t.item_id, max(t.relevance) as relevance
from given_truth as t
group by t.user_id, t.item_id
