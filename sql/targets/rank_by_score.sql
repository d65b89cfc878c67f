{# The scored items ranked, down to k. #}
select s.model, s.user_id, s.item_id, s.rank, s.score
from scored as s
inner join cutoffs as c on c.k >= s.rank
union all
select null as model, null as user_id, null as item_id, null as rank, null as score
from problems as p
where {{ sql.error("p.message") }} is not null
