{#
row = "one row per user: the number of items that are judged not relevant"
#}
select j.user_id, count(*) as items
from judged as j
where not ({{ is_relevant("j.relevance") }})
group by j.user_id
