{#
message = "{truth}: user {user} has {found} relevant items; truth_check='leave_one_out' needs exactly one per user"
place = 5
on = ["users"]
when = "truth_check == 'leave_one_out'"

[options.truth_check]
about = "what the truth must look like"
topic = "relevance"
default = "any"
was = "protocol"

[options.truth_check.values]
any = "anything"
leave_one_out = "one relevant item for each user, held out from what the models learnt from"
#}
select
    {{ sentence(user="t.user_id", found="coalesce(u.relevant, 0)") | indent }} as message
from given_truth as t
left join users as u on u.user_id = t.user_id
where u.relevant is null or u.relevant > 1
order by t.user_id asc
limit 1
