{#
message = "{users}: `user_id` is NULL in a row; leave such rows out or give them an id"
place = 3
on = ["audience"]
when = "fixed"
#}
select
    {{ sentence() | indent }} as message
from given_users as g
where g.user_id is null
limit 1
