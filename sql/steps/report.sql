{#
row = "one row per model: lists, and who has one without the other"
#}
select
    m.model,
    (select count(*) from users as u) as users_with_truth,
    count(l.user_id) as lists,
    count(l.user_id) - count(u.user_id) as lists_without_truth
from models as m
left join lists as l on l.model is not distinct from m.model
left join users as u on u.user_id = l.user_id
group by m.model
