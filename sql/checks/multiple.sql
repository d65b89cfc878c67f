{#
message = "{segments}: user {user} has several segments of {slice}: {one} and {other}; give every user one, or set multiple='each'"
place = 6
on = ["user_segments"]
when = "multiple == 'error' and by_table"
#}
select
    {{ sentence(user="g.user_id", slice=name_of_slice("g.slice"), one="min(g.segment)", other="case when min(g.segment) <> max(g.segment) then max(g.segment) end") | indent }} as message
from user_segments as g
group by g.user_id, g.slice
having count(*) > 1
order by g.user_id asc, g.slice asc
limit 1
