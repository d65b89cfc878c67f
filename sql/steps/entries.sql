{#
row = "one row per user with something relevant: the gains of his items, with their places in an ordered truth"
#}
select t.user_id, {{ sql.ranked_gains("t.truth_rank", "t.gain") }} as entries
from relevant as t
group by t.user_id
