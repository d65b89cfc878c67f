{#
row = "one row per user with a list and relevant items, of the first thousand by their ids"
when = "finding"
#}
select u.id as user_id, u.relevant_rows
from user_rows as u
where u.id is not null and u.recs_rows > 0 and u.relevant_rows > 0
order by u.id asc
limit 1000
