{# The k most popular items that each user lacks, as the lists of a model. #}
select 'popularity' as model, n.user_id, n.item_id, n.rank
from unowned as n
inner join cutoffs as c on c.k >= n.rank
where {{ measurable() }}
