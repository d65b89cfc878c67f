{#
message = "{items}: user {user} has {found} items to draw from that are in neither truth nor train, and n is {n}; lower n=, or give more items"
place = 5
on = ["drawn"]
#}
select
    {{ sentence(user="d.user_id", found="count(o.item_id)", n=n) | indent }} as message
from draws as d
left join drawn as o on o.user_id = d.user_id
group by d.user_id
having count(o.item_id) < {{ n }}
order by d.user_id asc
limit 1
