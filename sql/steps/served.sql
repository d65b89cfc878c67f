{#
row = "one row per model with lists: how many, and how many of them for a user with something relevant"
#}
select l.model, count(*) as lists, count(f.user_id) as with_truth
from lists as l
left join fingerprints as f on f.user_id = l.user_id
group by l.model
