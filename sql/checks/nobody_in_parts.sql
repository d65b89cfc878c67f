{#
message = "{parts}: no user in these parts is in the mean; check the options they were made with"
place = 9
on = ["census"]
when = "parts"
#}
select {{ sentence() | indent }} as message
from (select sum(c.users) as users from census as c) as n
where n.users = 0
