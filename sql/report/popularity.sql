{# The most popular items that each user of the truth lacks; the scores order them as the ranks do. #}
select n.user_id, n.item_id, n.rank, cast({{ "0 - " if descending }}n.rank as double) as score
from unowned as n
inner join cutoffs as c on c.k >= n.rank
where n.user_id in (select g.user_id from given_users as g) and {{ measurable() }}
