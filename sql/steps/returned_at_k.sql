{#
row = "one row per model, user with a list and cut-off; where the ranks have gaps, the rows down to k are counted"
#}
select l.model, l.user_id, c.k, least(l.returned, c.k) as returned
from lists as l
cross join cutoffs as c
where coalesce(l.last_rank, l.returned) = l.returned
union all
select r.model, r.user_id, c.k, {{ choose("duplicates", set="count(distinct r.item_id)", otherwise="count(*)") }} as returned
from ranked as r
inner join lists as l on l.model is not distinct from r.model and l.user_id = r.user_id
inner join cutoffs as c on c.k >= r.rank
where l.last_rank <> l.returned
group by r.model, r.user_id, c.k
