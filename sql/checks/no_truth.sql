{#
message = "user {user} has no relevant item in {truth}; no_truth='error' does not allow that"
place = 8
on = ["users", "given_recs"]
when = "no_truth == 'error'"
#}
select
    {{ sentence(user="l.user_id") | indent }} as message
from (
    select r.user_id from given_recs as r
    union all
    select t.user_id from given_truth as t
) as l
left join users as u on u.user_id = l.user_id
where u.user_id is null
order by l.user_id asc
limit 1
