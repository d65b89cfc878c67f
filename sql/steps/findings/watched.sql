{#
row = "one row per user with a list and relevant items, of the first thousand by their ids"
#}
select t.user_id, count(*) as relevant_rows
from given_truth as t
where {{ is_relevant() }} and exists (select 1 as one from list_facts as f where f.user_id = t.user_id)
group by t.user_id
order by t.user_id asc
limit 1000
