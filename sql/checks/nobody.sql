{#
message = "no user in {truth} has a relevant item and is in the mean; check relevance=, relevance_threshold=, users= and no_recs="
place = 9
on = ["population"]
when = "not partial and not lists_alone"
#}
select
    {{ sentence() | replace("users= and no_recs=", "users=, no_recs= or sample=" if sampled else "users= and no_recs=") | indent }} as message
from (select count(*) as users from population as u) as n
where n.users = 0
