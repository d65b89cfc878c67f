{#
row = "one row per user with relevant items: the gains of the items, with their ranks in the ordered truth"
#}
select t.user_id, {{ sql.ranked_gains("t.truth_rank", "t.gain") }} as entries
from relevant as t
group by t.user_id
