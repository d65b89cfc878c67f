{#
kept = true
row = "one row per suspect with a repeated item in the truth"
before = "folded"
#}
select t.user_id, true as repeats
from given_truth as t
inner join suspects as s on s.user_id = t.user_id
where {{ is_relevant() }}
group by t.user_id
having {{ sql.distinct("t.item_id") }} < count(*)
