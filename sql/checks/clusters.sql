{#
message = "{truth}: user {user} belongs to the clusters {one} and {other}; give every user one"
place = 5
on = ["clusters"]
#}
select
    {{ sentence(user="t.user_id", one="min(t.cluster)", other="max(t.cluster)") | indent }} as message
from given_truth as t
group by t.user_id
having min(t.cluster) <> max(t.cluster)
order by t.user_id asc
limit 1
