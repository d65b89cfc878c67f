{# The top k of the scored items, ranked. #}
select {{ model_of("s") }}, s.user_id, s.item_id, s.rank, s.score
from scored as s
inner join cutoffs as c on c.k >= s.rank
where {{ measurable() }}
